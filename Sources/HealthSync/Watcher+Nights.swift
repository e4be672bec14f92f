public import Foundation

extension Watcher {
    /// Calls a handler with the nights whose sleep changed, so that it can compute each anew.
    ///
    /// ```swift
    /// try await watcher.onNights(calendar: .current, settling: .seconds(5)) { nights in
    ///     for night in nights { try await summary.compute(night.interval) }
    /// }
    /// ```
    /// A watch sends a night in many small batches; the handler is called once they have settled. A
    /// deletion touches the night that the sample spanned, which the position file remembers. Nights
    /// that were touched survive a crash until the handler has returned.
    ///
    /// - Parameters:
    ///   - calendar: Whose noons part the nights.
    ///   - settling: How long nothing more must come; ten times as long at most.
    ///   - types: What touches a night; sleep analysis if nil.
    ///   - name: What its positions are kept under, the same at each launch.
    /// - Throws: ``LaneError``: a type isn't tracked, the name is in use, or the watcher's positions
    ///   aren't in a ``PositionFile``.
    public func onNights(
        calendar: Calendar, settling: Duration = .seconds(5), of types: [HKSampleType]? = nil,
        named name: String = "nights", _ body: @escaping @Sendable ([Night]) async throws -> Void
    ) throws(LaneError) {
        guard let file = positions as? PositionFile else { throw .noPositionFile }
        let identifiers =
            types?.map(\.identifier) ?? [HKCategoryTypeIdentifier.sleepAnalysis.rawValue]
        for identifier in identifiers { _ = try tracked(identifier) }
        let lane = "handler:" + name
        let holder = Guarded<NightSettling?>(nil)
        let ledger = NightLedger(
            lane: lane, file: file, calendar: calendar, now: now,
            touched: { await holder { $0 }?.touch() })
        let settler = NightSettling(
            ledger, settling: settling, clock: clock, pauses: configuration.pauses,
            tell: { [weak self] error, pause in
                Task { await self?.noteSettling(lane, identifiers, error, pause) }
            }, body)
        holder { $0 = settler }
        try addNights(
            Lane(lane, to: ledger, positions: file, of: .types(Set(identifiers))), settler, holder)
    }

    private func addNights(
        _ lane: Lane, _ settler: NightSettling, _ holder: Guarded<NightSettling?>
    ) throws(LaneError) {
        var lane = lane
        lane.isHandler = true
        lane.settle = { try await settler.settle() }
        lane.launch = { await settler.launch() }
        lane.halt = { await settler.halt() }
        lane.end = {
            holder { $0 = nil }
            Task { await settler.halt() }
        }
        try add(lane)
    }

    private func noteSettling(
        _ lane: String, _ identifiers: [String], _ error: (any Error)?, _ pause: PauseReason?
    ) {
        for type in types where identifiers.contains(type.sampleType.identifier) {
            board.update(type) {
                $0.lanes[lane, default: LaneStatus()].settlingError = error
                $0.lanes[lane, default: LaneStatus()].settlingPause = pause
            }
        }
    }
}
