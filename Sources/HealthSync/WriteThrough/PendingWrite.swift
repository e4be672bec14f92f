import Foundation
import GRDB

/// A write or removal that is pending in the mirror's journal.
struct PendingWrite: Sendable {
    /// The last known stage of a pending write or removal.
    enum Stage: String, Sendable {
        /// HealthKit may have been called to save the sample.
        case journalled
        /// HealthKit has reported the sample as saved, but it could not be read back.
        case saved
        /// HealthKit may have been called to delete the sample.
        case removing
    }

    /// The part of a pending write that is stored as JSON.
    struct Payload: Codable, Sendable {
        /// The identifier of the sample's type.
        var type: String
        /// The draft; nil for a removal.
        var draft: Draft?
        /// The attachments to add, including photos that were copied to the mirror, and those of
        /// earlier pending writes with the same identifier. A removal has only the latter.
        var attachments: [Attachment.Content] = []
        /// The UUIDs of the samples that HealthKit was or may have been called to save, one for
        /// each attempt. Attempts of earlier pending writes with the same identifier are included.
        var attempts: [UUID] = []
        /// An archived anchor of the type from before the first attempt, for finding deletions; nil
        /// if no anchor was read.
        var anchor: Data?
        /// For a removal: whether the entry's attachments are kept; nil for a write.
        var leaves: AttachmentDeleteRule?
    }

    /// The sync identifier; the sample's UUID for the removal of a sample without one.
    let identifier: String
    let version: Int
    var payload: Payload
    /// The UUID of the sample that an edit replaces or a removal deletes; nil for a new sample.
    let replaces: UUID?
    var stage: Stage
    let created: Date

    var draft: Draft? { payload.draft }
    var isRemoval: Bool { stage == .removing }
}

// MARK: - Journal

extension PendingWrite {
    private enum Column: Int, RowColumn {
        case syncIdentifier, syncVersion, draft, replaces, stage, created
    }

    /// Returns the pending writes and removals that can be read, the oldest first.
    static func all(_ db: Database) throws -> [PendingWrite] {
        try identifiers(db).compactMap { try? find($0, db) }
    }

    static func identifiers(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT sync_identifier FROM intent ORDER BY id")
    }

    /// Returns the pending write with an identifier; nil if there is none.
    ///
    /// - Throws: ``MirrorError/corrupt(_:)`` if it cannot be read.
    static func find(_ identifier: String, _ db: Database) throws -> PendingWrite? {
        try Row.fetchOne(
            db, sql: "SELECT \(Column.columns) FROM intent WHERE sync_identifier = ?",
            arguments: [identifier]
        ).map { try PendingWrite($0) }
    }

    /// Inserts the write, or replaces the one with its identifier, which keeps its place in the
    /// order.
    func put(_ db: Database) throws {
        let text = try MirrorJSON.stored(payload)
        try db.execute(
            sql: """
                INSERT INTO intent \(Column.inserted)
                ON CONFLICT (sync_identifier) DO UPDATE SET sync_version = excluded.sync_version,
                    draft = excluded.draft, replaces = excluded.replaces, stage = excluded.stage,
                    created = excluded.created
                """,
            arguments: [
                identifier, version, text, replaces, stage.rawValue,
                created.timeIntervalSinceReferenceDate,
            ])
    }

    /// Returns the present record of this write in the journal; nil if it was completed, abandoned
    /// or replaced by another write.
    func journalled(_ db: Database) throws -> PendingWrite? {
        guard let journalled = try PendingWrite.find(identifier, db),
            journalled.version == version, journalled.replaces == replaces,
            journalled.isRemoval == isRemoval
        else { return nil }
        return journalled
    }

    /// Removes the write from the journal, unless another write has replaced it.
    func withdraw(_ db: Database) throws {
        if try journalled(db) != nil { try Self.remove(identifier, db) }
    }

    static func remove(_ identifier: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM intent WHERE sync_identifier = ?", arguments: [identifier])
    }

    private init(_ row: Row) throws {
        let text: String = try row.value(Column.draft)
        guard let payload = try? MirrorJSON.value(Payload.self, stored: text),
            let stage = Stage(rawValue: try row.value(Column.stage))
        else { throw MirrorError.corrupt("intent.draft") }
        self.init(
            identifier: try row.value(Column.syncIdentifier),
            version: try row.value(Column.syncVersion), payload: payload,
            replaces: try row.optional(Column.replaces), stage: stage,
            created: Date(timeIntervalSinceReferenceDate: try row.value(Column.created)))
    }
}

// How completed writes change the mirror; each function runs within one transaction.
extension PendingWrite {
    /// Creates or updates the entry of a sample that HealthKit has stored, and adds the write's
    /// attachments to the entry. Removes the write from the journal.
    ///
    /// If the mirror has recorded the sample as deleted, the entry with the highest version of its
    /// sync identifier gets the attachments instead. If the write has left the journal meanwhile,
    /// an existing entry gets no attachments.
    ///
    /// - Returns: The entry; nil if the sample is proven to be deleted and has no successor.
    ///   Entries, attachments and the journal are unchanged then.
    func acknowledge(_ sample: HKSample, _ mirror: Mirror, _ db: Database) throws -> MirrorEntry? {
        let rows = try mirror.rows(db)
        let bundle = sample.sourceRevision.source.bundleIdentifier
        try mirror.rememberOwnBundle(bundle, db)
        guard let journalled = try journalled(db) else {
            // Another process has completed the write, or the app has abandoned or replaced it. An
            // existing entry then stays as it is. A missing one is created with the attachments,
            // unless the sample was deleted.
            if let entry = try mirror.entry(sample.uuid, db) { return entry }
            if try mirror.isDeleted(sample.uuid, db) {
                return try mirror.ownEntry(under: identifier, type: payload.type, bundle, db)
            }
            try rows.upsert(sample)
            try attach(payload.attachments, on: sample.uuid, mirror, db)
            return try mirror.entry(sample.uuid, db)
        }
        var kept = sample.uuid
        if try mirror.isDeleted(sample.uuid, db) {
            // The mirror has recorded the sample as deleted: it was replaced or deleted meanwhile.
            // If it has a successor, that gets the attachments.
            guard
                let successor = try mirror.ownEntry(
                    under: identifier, type: payload.type, bundle, db)
            else { return nil }
            kept = successor.id
        } else {
            try rows.upsert(sample)
        }
        try attach(journalled.payload.attachments, on: kept, mirror, db)
        try PendingWrite.remove(identifier, db)
        return try mirror.entry(kept, db)
    }

    /// Ends a write whose saved sample, or the sample that it was to replace, was deleted. Removes
    /// the write from the journal, and stores its attachments as unattached ones. Does nothing if
    /// the write has left the journal.
    func endDeleted(_ mirror: Mirror, _ db: Database) throws {
        guard let journalled = try journalled(db) else { return }
        let target = Attachment.Target(
            entry: payload.attempts.last ?? replaces ?? UUID(), type: payload.type,
            start: draft?.start, syncIdentifier: identifier,
            bundleIdentifier: try mirror.ownBundle(db))
        try put(journalled.payload.attachments, at: target, isAttached: false, mirror, db)
        try PendingWrite.remove(identifier, db)
    }

    /// Completes a removal: removes the entry of the deleted sample and the removal's record in the
    /// journal. The entry's attachments, and those of an earlier pending write, are removed or
    /// kept, as requested.
    func endRemoval(_ mirror: Mirror, _ db: Database) throws {
        guard let uuid = replaces else { return try withdraw(db) }
        let attachments = AttachmentRows(db)
        if payload.leaves == .removed {
            for one in try attachments.all("WHERE uuid = ? AND is_attached = 1", [uuid]) {
                let next = Date(
                    timeIntervalSinceReferenceDate: one.modified.timeIntervalSinceReferenceDate
                        .nextUp)
                try attachments.remove(one.id, at: max(mirror.configuration.now(), next))
            }
        } else if let entry = try mirror.entry(uuid, db) {
            try attach(payload.attachments, on: entry.id, mirror, db)
        }
        try mirror.remove(
            uuid,
            provenBy: .tombstone(
                type: payload.type, syncIdentifier: nil, syncVersion: nil), db)
        try withdraw(db)
    }

    private func attach(
        _ contents: [Attachment.Content], on uuid: UUID, _ mirror: Mirror, _ db: Database
    ) throws {
        guard !contents.isEmpty, let entry = try mirror.entry(uuid, db) else { return }
        let target = Attachment.Target(
            entry: entry.id, type: entry.type, start: entry.start,
            syncIdentifier: entry.syncIdentifier, bundleIdentifier: entry.bundleIdentifier)
        try put(contents, at: target, isAttached: true, mirror, db)
    }

    private func put(
        _ contents: [Attachment.Content], at target: Attachment.Target, isAttached: Bool,
        _ mirror: Mirror, _ db: Database
    ) throws {
        let attachments = AttachmentRows(db)
        let attached = try attachments.all("WHERE uuid = ? AND is_attached = 1", [target.entry])
        var tags = Set(attached.map(\.content))
        let now = mirror.configuration.now()
        for content in contents {
            if case .tag = content, !tags.insert(content).inserted { continue }
            try attachments.put(
                Attachment(
                    id: UUID(), content: content, created: now, modified: now, target: target,
                    isAttached: isAttached))
        }
    }
}

extension Mirror {
    /// Returns the bundle identifier of the app's own samples; nil if no own sample has been
    /// written through this mirror and read back yet.
    ///
    /// The identifier is stored under a key that contains the bundle identifier of
    /// `HKSource.default()`, so that the apps of a group can share a file.
    func ownBundle(_ db: Database) throws -> String? {
        try String.fetchOne(
            db, sql: "SELECT value FROM meta WHERE key = ?", arguments: [Self.ownBundleKey])
    }

    func rememberOwnBundle(_ bundle: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO meta (key, value) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET value = excluded.value
                """, arguments: [Self.ownBundleKey, bundle])
    }

    private static var ownBundleKey: String { "own:" + HKSource.default().bundleIdentifier }

    /// Returns the entry with the highest version of a sync identifier, of one type and app; nil if
    /// there is none.
    func ownEntry(
        under identifier: String, type: String, _ bundle: String, _ db: Database
    ) throws -> MirrorEntry? {
        var reading = EntryReader(db)
        return try reading.all(
            """
            WHERE sync_identifier = ? AND type = (SELECT id FROM type WHERE identifier = ?)
                AND origin IN (SELECT id FROM origin WHERE bundle = ?)
            ORDER BY sync_version DESC, uuid LIMIT 1
            """, [identifier, type, bundle]
        ).first
    }
}
