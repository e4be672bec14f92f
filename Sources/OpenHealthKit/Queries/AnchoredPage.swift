import Foundation
import HealthEngine
import HealthStorage

/// A page of an anchored query: the samples saved after an anchor, the tombstones of samples
/// deleted after it, and the new anchor.
struct AnchoredPage: Sendable {
    var added: [HKSample]
    var deleted: [HKDeletedObject]
    var anchor: HKQueryAnchor

    /// The minimum tombstone limit of a page that has a sample limit. If the sample limit is
    /// higher, it is also the tombstone limit (Semantics §6.4). Not used if deletions count towards
    /// the limit (``HealthStoreConfiguration/TombstoneLimit``).
    static let minimumTombstones = 1000
}

extension QueryExecution {
    /// Reads the changes after an anchor, up to a limit of samples; ``HKObjectQueryNoLimit`` for
    /// all. Depending on ``HealthStoreConfiguration/TombstoneLimit``, the limit counts deletions
    /// too.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a negative limit, no descriptors, an unknown
    ///   type, an unsupported predicate, an anchor of another store, or a position that is negative
    ///   or that the store has not reached. In strict mode also for an anchor of a query for other
    ///   types. Another ``HKError`` for a type that was never requested and while the device is
    ///   locked.
    func page(
        of descriptors: [HKQueryDescriptor], after anchor: HKQueryAnchor?, limit: Int
    ) throws -> AnchoredPage {
        guard limit >= 0 else {
            throw HKError(
                .errorInvalidArgument,
                "The limit of a query is \(limit): use HKObjectQueryNoLimit for all samples.")
        }
        let store = try connection.readableStore
        let requests = try requests(descriptors)
        let visibility = try visibility(of: descriptors.map(\.sampleType))
        let fingerprint = QueryFingerprint(requests)
        try check(anchor, of: store)
        try check(anchor, for: fingerprint, descriptors)
        let changes = try changesWithHeartbeats(
            requests, after: anchor?.number ?? 0, limit: limit, visibility)
        if limit == HKObjectQueryNoLimit, anchor == nil,
            descriptors.contains(where: { $0.predicate == nil })
        {
            connection.diagnostics.record(
                .unlimitedQuery(types: descriptors.identifiers, rowsRead: changes.added.count))
        }
        return AnchoredPage(
            added: changes.added, deleted: deletedObjects(changes.deleted, of: descriptors),
            anchor: HKQueryAnchor(
                _number: changes.sequence, store: try store.identifier, fingerprint: fingerprint))
    }

    /// Reads stored changes after a position, up to a limit of samples; ``HKObjectQueryNoLimit`` for
    /// all. Depending on ``HealthStoreConfiguration/TombstoneLimit``, the limit counts deletions
    /// too.
    func storedChanges(
        _ requests: [SampleRequest], after number: Int64, limit: Int, _ visibility: Visibility
    ) throws -> StoredChanges {
        let store = try connection.readableStore
        switch connection.options.tombstoneLimit {
        case _ where limit == HKObjectQueryNoLimit:
            return try store.changes(requests, after: number, visibility: visibility)
        case .samplesOnly:
            return try store.changes(
                requests, after: number, sampleLimit: limit,
                tombstoneLimit: max(limit, AnchoredPage.minimumTombstones),
                visibility: visibility)
        case .samplesAndDeletions:
            return try store.changes(
                requests, after: number, changeLimit: limit, visibility: visibility)
        }
    }

    /// Checks that an anchor is nil or a position of the store. The store of an anchor made from a
    /// value is not known and not checked.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for an anchor of another store, a negative
    ///   position and one beyond the last change (Semantics §6.8).
    func check(_ anchor: HKQueryAnchor?, of store: SampleStore) throws {
        guard let anchor else { return }
        let identifier = try store.identifier
        guard anchor.store == nil || anchor.store == identifier else {
            throw HKError(
                .errorInvalidArgument,
                "The anchor belongs to another store: start again with a nil anchor.")
        }
        guard anchor.number >= 0, anchor.number <= (try store.lastSequence) else {
            throw HKError(
                .errorInvalidArgument,
                "The anchor is beyond the last change of this store: start again with a nil anchor."
            )
        }
    }

    private func check(
        _ anchor: HKQueryAnchor?, for fingerprint: QueryFingerprint,
        _ descriptors: [HKQueryDescriptor]
    ) throws {
        // Only the types are compared. An anchor of a query with another filter is accepted: the
        // query returns the changes after the anchor that match its own filter.
        guard let previous = anchor?.fingerprint, previous.types != fingerprint.types else {
            return
        }
        connection.diagnostics.record(.anchorReused(types: descriptors.identifiers))
        if connection.options.strictness == .strict {
            throw HKError(
                .errorInvalidArgument,
                "The anchor belongs to a query of other types: use one anchor for each query.")
        }
    }

    private func deletedObjects(
        _ deleted: [DeletedSample], of descriptors: [HKQueryDescriptor]
    ) -> [HKDeletedObject] {
        if deleted.isEmpty { return [] }
        let readTracker = DeletionReadTracker(
            types: descriptors.identifiers, count: deleted.count,
            diagnostics: connection.diagnostics)
        return deleted.map {
            HKDeletedObject(
                _uuid: UUID($0.uuid), syncIdentifier: $0.syncIdentifier,
                syncVersion: $0.syncVersion, isWithdrawn: $0.isWithdrawn,
                readTracker: readTracker)
        }
    }
}
