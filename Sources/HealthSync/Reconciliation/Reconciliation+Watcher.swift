import Foundation
import GRDB

extension Watcher {
    /// Keeps a mirror up to date and compares it with HealthKit.
    ///
    /// Each start compares the last 90 days by default. All samples of a type are compared after
    /// its position was lost, or if the mirror has entries of the type without a position. The same
    /// applies to a position so old that HealthKit may have removed deletions. Each start and
    /// ``sync()`` also detect that read permission was revoked or granted, and compare the type. If
    /// the watcher's first run is a window, at most that window is compared; with
    /// ``FirstRun/fromNow`` nothing is.
    ///
    /// ```swift
    /// let watcher = Watcher(store: store, types: types, positions: mirror)
    /// try await watcher.mirror(into: mirror)
    /// await watcher.start()
    /// ```
    /// The limits are ``Configuration/reconciledDays`` and ``Configuration/tombstoneLifetime``.
    /// Each comparison first completes all pending writes and removals in the mirror's journal that
    /// can be completed, as ``WriteThrough/recover()`` does.
    ///
    /// - Parameter mirror: The mirror. It also stores the positions.
    /// - Throws: ``SubscriberError/nameInUse(_:)`` if there is a mirror or another subscriber named
    ///   "mirror" already.
    public func mirror(into mirror: Mirror) throws(SubscriberError) {
        let (store, lifetime, now) = (store, configuration.tombstoneLifetime, now)
        let reconcile = { @Sendable [weak self] (types: [TrackedType], span: ReconciledSpan) in
            // All filters of a type are compared together: a sample outside one may match another.
            let requested = Set(types.map(\.sampleType))
            let tracked = await self?.trackedTypes ?? types
            let report = try await mirror.reconcile(
                tracked.filter { requested.contains($0.sampleType) }, over: span, with: store,
                tombstoneLifetime: lifetime, now: now)
            for failure in report.failures.values { throw failure }
        }
        try self.mirror(
            into: mirror, reconciling: reconcile,
            hasContent: { type in try await mirror.count(EntryRequest(of: type.sampleType)) > 0 },
            isOutOfSync: { type, since in
                try await mirror.isOutOfSync(type.sampleType, since: since, with: store)
            })
    }
}

extension Watcher {
    /// Compares the types whose read permission seems to have been revoked or granted, for the
    /// subscribers with ``Subscriber/isOutOfSync``.
    ///
    /// Changes of permission are not part of an anchored query's results. A subscriber whose first
    /// run is ``FirstRun/fromNow`` is skipped.
    ///
    /// - Parameter outcomes: The results of reading. Types that were not read to their end are
    ///   skipped.
    /// - Returns: The errors of the checks and comparisons, by position key.
    /// - Throws: `CancellationError`.
    func compareWhereReadingChanged(
        after outcomes: [PositionKey: ReadOutcome]
    ) async throws -> [PositionKey: any Error] {
        var failures: [PositionKey: any Error] = [:]
        for subscriber in subscribers {
            let span = (subscriber.firstRun ?? firstRun).narrowed(.everything, at: now())
            guard let reconcile = subscriber.reconcile, let isOutOfSync = subscriber.isOutOfSync,
                let span
            else { continue }
            var seen: Set<HKSampleType> = []
            for type in types {
                guard case .caughtUp = outcomes[type.key(subscriber: subscriber.name)] else {
                    continue
                }
                // One comparison covers all filters of a type.
                guard seen.insert(type.sampleType).inserted else { continue }
                do {
                    guard try await isOutOfSync(type, span.start(at: now())) else { continue }
                    try await reconcile([type], span)
                } catch let error where !(error is CancellationError) {
                    failures[type.key(subscriber: subscriber.name)] = error
                }
            }
        }
        return failures
    }
}

extension Mirror {
    /// Returns whether HealthKit hides samples of synced entries, or shows samples of entries that
    /// are marked as not visible.
    ///
    /// Checks only the latest and the earliest entry of each app, by start. It does so among the
    /// synced entries and among those marked as not visible. This suffices, because permission is
    /// granted for a whole type from a day on. Each app is checked, because the app's own samples
    /// need no read permission.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - since: The earliest start of the entries to check; nil for all.
    ///   - store: The health store.
    /// - Complexity: O(*n*) for *n* entries of the type, and one query for a few samples.
    func isOutOfSync(
        _ type: HKSampleType, since: Date?, with store: HKHealthStore
    ) async throws -> Bool {
        let identifier = type.identifier
        let first = since?.timeIntervalSinceReferenceDate ?? -.greatestFiniteMagnitude
        let isShown = try await read { db in
            var isShown: [UUID: Bool] = [:]
            for end in ["max", "min"] {
                // With max() or min(), SQLite takes the other columns from the same row.
                let rows = try Row.fetchAll(
                    db.cachedStatement(
                        sql: """
                            SELECT \(ShownColumn.columns), \(end)(start) FROM entry
                                JOIN origin ON origin.id = entry.origin
                            WHERE type = (SELECT id FROM type WHERE identifier = ?) AND start >= ?
                            GROUP BY bundle, state
                            """), arguments: [identifier, first])
                for row in rows {
                    isShown[try row.value(ShownColumn.uuid)] =
                        try row.value(ShownColumn.state) != MirrorEntry.State.notVisible.stored
                }
            }
            return isShown
        }
        guard !isShown.isEmpty else { return false }
        let query = HKSampleQueryDescriptor<HKSample>(
            predicates: [
                .sample(
                    type: type, predicate: HKQuery.predicateForObjects(with: Set(isShown.keys)))
            ], sortDescriptors: [])
        let found = Set(try await query.result(for: store).map(\.uuid))
        return isShown.contains { uuid, isShown in found.contains(uuid) != isShown }
    }
}

private enum ShownColumn: Int, RowColumn { case uuid, state }
