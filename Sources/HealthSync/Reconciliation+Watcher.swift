import Foundation

extension Watcher {
    /// Keeps a mirror in step, and compares it with HealthKit by itself: the last 90 days at each
    /// start, and everything of a type when its place in the changes was lost, or was left so long that
    /// HealthKit may have forgotten deletions. ``sync()`` notices too where permission to read a type was
    /// taken back or given again, and compares the type.
    ///
    /// ```swift
    /// let watcher = Watcher(store: store, types: types, positions: mirror)
    /// try await watcher.mirror(into: mirror)
    /// await watcher.start()
    /// ```
    /// See ``Configuration/reconciledDays`` and ``Configuration/tombstoneLifetime``. Wishes that a crash
    /// left in the mirror's journal are settled with each comparison.
    ///
    /// - Throws: ``LaneError/nameInUse(_:)`` if there is a mirror already.
    public func mirror(into mirror: Mirror) throws(LaneError) {
        let (store, lifetime, now) = (store, configuration.tombstoneLifetime, now)
        let reconcile = { @Sendable [weak self] (types: [TrackedType], span: ReconciledSpan) in
            // A filter says nothing of samples that another filter of the type lets through.
            let meant = Set(types.map(\.sampleType))
            let tracked = await self?.trackedTypes ?? types
            let report = try await mirror.reconcile(
                tracked.filter { meant.contains($0.sampleType) }, over: span, with: store,
                tombstoneLifetime: lifetime, now: now)
            for failure in report.failures.values { throw failure }
        }
        try self.mirror(
            into: mirror, reconciling: reconcile,
            holdsAny: { type in try await mirror.count(EntryRequest(of: type.sampleType)) > 0 },
            isOutOfStep: { type, since in
                try await mirror.isOutOfStep(type.sampleType, since: since, with: store)
            })
    }
}
