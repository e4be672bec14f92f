import Foundation
import GRDB

/// Inserts, updates and removes entries within one transaction, and caches the row IDs of types and
/// origins. An origin is a source together with its device.
///
/// The cache must not outlive the transaction, because a rollback removes inserted rows.
final class MirrorRows {
    let db: Database
    private var units: EntryUnits
    private let keys: Set<String>
    private let change: Int64
    private var types: [String: Int64] = [:]
    private var origins: [Origin: Int64] = [:]
    private var last: (revision: HKSourceRevision, device: HKDevice?, id: Int64, bundle: String)?
    private var hasTombstones: Bool
    private var hasUnattached: Bool
    private let insertion: Statement

    private struct Origin: Hashable {
        let source: String
        let bundle: String
        let device: String?
    }

    /// Creates the operations for a transaction.
    ///
    /// - Precondition: The transaction has incremented the change counter.
    init(_ db: Database, _ configuration: MirrorConfiguration) throws {
        self.db = db
        units = EntryUnits(configuration.units)
        keys = configuration.metadataKeys
        change = try Mirror.changeCount(db)
        hasTombstones = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM gone)") ?? true
        hasUnattached =
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM attachment WHERE is_attached = 0)") ?? true
        insertion = try db.cachedStatement(sql: Self.insert)
    }

    /// The columns of an entry, in the order of the arguments in ``upsert(_:)``.
    private enum WrittenColumn: Int, RowColumn {
        case uuid, type, start, end, kind, value, unit, category, origin, syncIdentifier
        case syncVersion, metadata, state, change

        var sql: String { self == .end ? "\"end\"" : name }
    }

    private enum RemovedColumn: Int, RowColumn {
        case type, syncIdentifier, syncVersion, bundle

        var sql: String { self == .type ? "entry.type" : name }
    }

    private static let insert = """
        INSERT INTO entry \(WrittenColumn.inserted)
        ON CONFLICT (uuid) DO UPDATE SET type = excluded.type, start = excluded.start,
            "end" = excluded."end", kind = excluded.kind, value = excluded.value,
            unit = excluded.unit, category = excluded.category, origin = excluded.origin,
            sync_identifier = excluded.sync_identifier, sync_version = excluded.sync_version,
            metadata = excluded.metadata, state = 0, change = excluded.change
        """

    /// Inserts or updates the entry of a sample that the health store shows.
    ///
    /// Unattached attachments of the sample's UUID are attached to the entry, as are those of its
    /// sync identifier with the same app and type. Entries of that app and type with lower versions
    /// of the sync identifier are removed and recorded as deleted; their attachments move. If the
    /// sample's own UUID is recorded as deleted, that record is removed.
    func upsert(_ sample: HKSample) throws {
        let fields = EntryFields(sample, units: &units, keys: keys)
        let type = try type(sample.sampleType.identifier)
        let origin = try origin(of: sample)
        let uuid = sample.uuid
        insertion.setUncheckedArguments([
            uuid, type, sample.startDate.timeIntervalSinceReferenceDate,
            sample.endDate.timeIntervalSinceReferenceDate, fields.kind.rawValue, fields.value,
            fields.unit, fields.category, origin.id, fields.syncIdentifier, fields.syncVersion,
            fields.metadata, MirrorEntry.State.synced.stored, change,
        ])
        try insertion.execute()
        if hasTombstones {
            try db.cachedStatement(sql: "DELETE FROM gone WHERE uuid = ?")
                .execute(arguments: [uuid])
        }
        if let identifier = fields.syncIdentifier, let version = fields.syncVersion {
            try removeReplaced(
                by: uuid, type: type, identifier, version, bundle: origin.bundle)
        }
        if hasUnattached {
            try attachUnattached(
                for: uuid, type: sample.sampleType.identifier, fields.syncIdentifier,
                bundle: origin.bundle)
        }
    }

    /// Removes entries with lower versions of a sync identifier, of the same type and app. The
    /// health store has replaced them (Semantics §9.1), even if their tombstones have not been
    /// read.
    private func removeReplaced(
        by uuid: UUID, type: Int64, _ identifier: String, _ version: Double, bundle: String
    ) throws {
        let replaced = try UUID.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT uuid FROM entry JOIN origin ON origin.id = entry.origin
                    WHERE sync_identifier = ? AND sync_version < ? AND type = ? AND bundle = ?
                        AND uuid <> ?
                    """), arguments: [identifier, version, type, bundle, uuid])
        for old in replaced { try remove(old, provenBy: .replacement) }
    }

    // MARK: - Removal

    /// Removes the entry of a deleted object, and records the deletion.
    func remove(_ deleted: HKDeletedObject, of type: HKSampleType) throws {
        let metadata = deleted.metadata
        try remove(
            deleted.uuid,
            provenBy: .tombstone(
                type: type.identifier,
                syncIdentifier: metadata?[HKMetadataKeySyncIdentifier] as? String,
                syncVersion: (metadata?[HKMetadataKeySyncVersion] as? NSNumber)?.doubleValue))
    }

    /// Removes an entry, and records its UUID as deleted even if there is no entry.
    ///
    /// The entry's attachments move to another entry with the same sync identifier, type and app:
    /// the one with the highest version. If there is none, they are kept unattached.
    func remove(_ uuid: UUID, provenBy proof: MirrorProof) throws {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT \(RemovedColumn.columns)
                    FROM entry JOIN origin ON origin.id = entry.origin WHERE uuid = ?
                    """), arguments: [uuid])
        var type: Int64? = try row?.optional(RemovedColumn.type)
        var identifier: String? = try row?.optional(RemovedColumn.syncIdentifier)
        var version: Double? = try row?.optional(RemovedColumn.syncVersion)
        let bundle: String? = try row?.optional(RemovedColumn.bundle)
        if case .tombstone(let name, let deletedIdentifier, let deletedVersion) = proof {
            if type == nil { type = try self.type(name) }
            identifier = identifier ?? deletedIdentifier
            version = version ?? deletedVersion
        }
        if let bundle, let type {
            try detach(uuid, type: type, identifier, bundle: bundle)
            try db.cachedStatement(sql: "DELETE FROM entry WHERE uuid = ?")
                .execute(arguments: [uuid])
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO gone (uuid, type, sync_identifier, sync_version, bundle, proof, change)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET
                    type = coalesce(excluded.type, type),
                    sync_identifier = coalesce(excluded.sync_identifier, sync_identifier),
                    sync_version = coalesce(excluded.sync_version, sync_version),
                    bundle = coalesce(excluded.bundle, bundle), proof = excluded.proof,
                    change = excluded.change
                """
        ).execute(arguments: [uuid, type, identifier, version, bundle, proof.stored, change])
        hasTombstones = true
    }

    /// Moves an entry's attachments to its successor: of the other entries with its sync
    /// identifier, type and app, the one with the highest version. That version can be lower than
    /// the entry's own. Marks the attachments as unattached if there is none.
    private func detach(
        _ uuid: UUID, type: Int64, _ identifier: String?, bundle: String
    ) throws {
        if let identifier {
            let successor = try UUID.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT uuid FROM entry JOIN origin ON origin.id = entry.origin
                        WHERE sync_identifier = ? AND type = ? AND bundle = ? AND uuid <> ?
                        ORDER BY sync_version DESC, uuid LIMIT 1
                        """), arguments: [identifier, type, bundle, uuid])
            if let successor {
                try db.cachedStatement(
                    sql: Self.moveAttachments + " WHERE uuid = :old AND is_attached = 1"
                ).execute(arguments: ["new": successor, "old": uuid])
                return
            }
        }
        try db.cachedStatement(
            sql: Self.moveAttachments + " WHERE uuid = :new AND is_attached = 1"
        ).execute(arguments: ["new": uuid])
        try db.cachedStatement(sql: "UPDATE attachment SET is_attached = 0 WHERE uuid = ?")
            .execute(arguments: [uuid])
        if db.changesCount > 0 { hasUnattached = true }
    }

    /// The first part of an SQL update, without a condition. It attaches attachments to the entry
    /// with UUID `:new`, and copies the entry's type, start, sync identifier and app to them.
    static let moveAttachments = """
        UPDATE attachment SET uuid = :new, is_attached = 1,
            (type, start, sync_identifier, bundle) = (
                SELECT type.identifier, entry.start, entry.sync_identifier, origin.bundle
                FROM entry JOIN type ON type.id = entry.type
                    JOIN origin ON origin.id = entry.origin
                WHERE entry.uuid = :new)
        """

    /// Attaches the unattached attachments of an entry's UUID, or of its sync identifier with the
    /// same app and type. Attachments without a known type match every type.
    private func attachUnattached(
        for uuid: UUID, type: String, _ identifier: String?, bundle: String
    ) throws {
        try db.cachedStatement(
            sql: Self.moveAttachments + " WHERE uuid = :new AND is_attached = 0"
        ).execute(arguments: ["new": uuid])
        guard let identifier else { return }
        try db.cachedStatement(
            sql: Self.moveAttachments + """
                 WHERE is_attached = 0 AND sync_identifier = :identifier AND bundle = :bundle
                    AND (attachment.type IS NULL OR attachment.type = :type)
                """
        ).execute(arguments: [
            "new": uuid, "identifier": identifier, "bundle": bundle, "type": type,
        ])
    }

    // MARK: - Interning

    private func type(_ identifier: String) throws -> Int64 {
        if let id = types[identifier] { return id }
        let id = try Mirror.type(identifier, db)
        types[identifier] = id
        return id
    }

    private func origin(of sample: HKSample) throws -> (id: Int64, bundle: String) {
        let revision = sample.sourceRevision
        let device = sample.device
        if let last, last.revision === revision, last.device === device {
            return (last.id, last.bundle)
        }
        let source = revision.source
        let origin = Origin(
            source: source.name, bundle: source.bundleIdentifier,
            device: device?.name ?? device?.model)
        let id = try origins[origin] ?? id(of: origin)
        origins[origin] = id
        last = (revision, device, id, origin.bundle)
        return (id, origin.bundle)
    }

    private func id(of origin: Origin) throws -> Int64 {
        let known = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT id FROM origin
                    WHERE bundle = ? AND source = ? AND ifnull(device, '') = ?
                    """), arguments: [origin.bundle, origin.source, origin.device ?? ""])
        if let known { return known }
        try db.cachedStatement(sql: "INSERT INTO origin (source, bundle, device) VALUES (?, ?, ?)")
            .execute(arguments: [origin.source, origin.bundle, origin.device])
        return db.lastInsertedRowID
    }
}

/// How a sample is known to be deleted; stored as a number.
enum MirrorProof: Sendable {
    /// The health store reported the deletion, or a removal with
    /// ``WriteThrough/remove(_:attachments:)`` was completed.
    case tombstone(type: String, syncIdentifier: String?, syncVersion: Double?)
    /// An own sample is missing while sharing is authorized and samples of the type are readable
    /// (Semantics §8.14).
    case absence
    /// The mirror has stored a sample of the same app and type with a higher version of the sync
    /// identifier (Semantics §9.1).
    case replacement

    var stored: Int64 {
        switch self {
        case .tombstone: 0
        case .absence: 1
        case .replacement: 2
        }
    }
}
