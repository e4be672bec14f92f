import Foundation

/// How reading a type for a lane failed, by where the trouble was.
enum DrainFailure: Error {
    /// The process would have died here.
    case killed(any Error)
    /// HealthKit would not answer.
    case reading(any Error)
    /// The destination or the position store would not keep it.
    case keeping(any Error)
    /// The comparison with HealthKit did not end.
    case reconciling(any Error)
}

/// One reader's way through one type: from its position to the end of what there is.
struct Drain: Sendable {
    /// What a drain tells while it goes on.
    enum Progress: Sendable {
        case position(SyncPosition)
        case kept(added: Int, deleted: Int)
        case caughtUp(SyncPosition)
        case lost(LostPosition)
    }

    let reader: PageReader
    let lane: Lane
    let firstRun: FirstRun
    let lifetime: TimeInterval
    let now: @Sendable () -> Date
    let probe: SyncProbe
    let onLost: @Sendable (LostPosition) async throws -> Void
    let report: @Sendable (Progress) -> Void
    /// How many wakes there were.
    let wakes: @Sendable () -> Int

    var type: TrackedType { reader.type }
    var key: PositionKey { type.key(lane: lane.name) }

    /// A position that is only older by so much is not written again for its date alone.
    private static let grain: TimeInterval = 900
    private static let mostMoves = 64

    /// Reads until nothing is left.
    ///
    /// - Returns: The number of the last wake whose changes were read.
    func run() async throws -> Int {
        var moves = 0
        while true {
            do {
                return try await pass()
            } catch DrainFailure.keeping(SyncError.positionMoved) where moves < Self.mostMoves {
                moves += 1
            }
        }
    }

    private func pass() async throws -> Int {
        var position = try await begin()
        report(.position(position))
        var seen = wakes()
        var end = try await readChanges(from: &position)
        while case .history(let before) = position.phase {
            try Task.checkCancellation()
            try await readHistory(before: before, from: &position)
            // What was saved meanwhile doesn't wait for the end of the history.
            if wakes() != seen || position.phase == .changes {
                seen = wakes()
                end = try await readChanges(from: &position)
            }
        }
        try await settle(position, at: end)
        return seen
    }
}

// MARK: - Beginning

extension Drain {
    private func begin() async throws -> SyncPosition {
        guard let stored = try await keeping({ try await lane.positions.position(for: key) }) else {
            if (lane.positions as? PositionFile)?.hasLostPositions == true {
                return try await beginAfterLoss(of: nil, .unreadable)
            }
            let isKnown = try await keeping { try await lane.holdsAny(type) }
            // Of a destination that knows the type already, nobody knows which deletions it missed.
            return try await begin(
                anew: firstPhase(firstRun),
                caughtUp: isKnown && reconciled != nil ? .distantPast : now(), after: nil)
        }
        guard stored.queryAnchor != nil else {
            return try await beginAfterLoss(of: stored, .unreadable)
        }
        guard case .history = stored.phase, firstRun == .fromNow else { return stored }
        var position = stored
        position.phase = .changes
        return try await advance(stored, to: position)
    }

    private func firstPhase(_ policy: FirstRun) -> SyncPosition.Phase {
        policy == .fromNow ? .changes : .history(before: .distantFuture)
    }

    /// Takes the anchor before anything is read: what is saved or deleted from here on comes as a
    /// change.
    private func begin(
        anew phase: SyncPosition.Phase, caughtUp: Date, after old: SyncPosition?
    ) async throws -> SyncPosition {
        let anchor = try await reading { try await reader.currentAnchor() }
        try reach(.anchorTaken)
        let position = try reading { try SyncPosition(anchor, phase: phase, caughtUp: caughtUp) }
        return try await advance(old, to: position)
    }

    private func beginAfterLoss(
        of old: SyncPosition?, _ reason: LostPosition.Reason
    ) async throws -> SyncPosition {
        let lost = LostPosition(
            key: key, reason: reason, caughtUp: old?.caughtUp ?? .distantPast)
        report(.lost(lost))
        try await keeping { try await onLost(lost) }
        // The distant past lasts until a comparison has found what was deleted.
        return try await begin(
            anew: firstPhase(firstRun), caughtUp: reconciled == nil ? now() : .distantPast,
            after: old)
    }

    /// What is compared when deletions may have been missed; nil if nothing can be.
    private var reconciled: ReconciledSpan? {
        lane.reconcile == nil ? nil : firstRun.narrowed(.everything, at: now())
    }
}

// MARK: - Changes

extension Drain {
    /// Hands over page after page.
    ///
    /// - Returns: The anchor after the last page, which held nothing.
    private func readChanges(from position: inout SyncPosition) async throws -> HKQueryAnchor? {
        while true {
            try Task.checkCancellation()
            guard let anchor = position.queryAnchor else { return nil }
            let page: ChangePage
            do {
                page = try await reading { try await reader.changes(after: anchor) }
            } catch DrainFailure.reading(let error) where error.isInvalidArgument {
                // The filter's fault if no anchor at all is accepted.
                _ = try await reading { try await reader.currentAnchor() }
                position = try await beginAfterLoss(of: position, .refused)
                report(.position(position))
                continue
            }
            try reach(.pageRead)
            if page.isEmpty || page.anchor == anchor { return page.anchor }
            let next = try reading {
                try SyncPosition(page.anchor, phase: position.phase, caughtUp: position.caughtUp)
            }
            position = try await hand(
                page.added, page.deleted, .changes, from: position, to: next)
        }
    }

    /// Notes that everything was read, and compares where deletions may have been missed.
    private func settle(_ position: SyncPosition, at end: HKQueryAnchor?) async throws {
        let date = now()
        let age = abs(date.timeIntervalSince(position.caughtUp))
        if age > lifetime {
            if let reconcile = lane.reconcile, let reconciled {
                do {
                    try await reconcile([type], reconciled)
                } catch let error where !(error is CancellationError) {
                    throw DrainFailure.reconciling(error)
                }
            } else {
                let lost = LostPosition(key: key, reason: .stale, caughtUp: position.caughtUp)
                report(.lost(lost))
                try await keeping { try await onLost(lost) }
            }
        }
        var settled = position
        if age > Self.grain {
            if let end {
                settled = try reading {
                    try SyncPosition(end, phase: position.phase, caughtUp: date)
                }
            }
            settled.caughtUp = date
            settled = try await advance(position, to: settled)
        }
        var told = settled
        told.caughtUp = date
        report(.caughtUp(told))
    }
}

// MARK: - History

extension Drain {
    private func readHistory(before: Date, from position: inout SyncPosition) async throws {
        let page = try await reading {
            try await reader.history(before: before, since: firstRun.earliest)
        }
        try reach(.pageRead)
        var next = position
        next.phase = page.next
        position =
            if page.samples.isEmpty {
                try await advance(position, to: next)
            } else {
                try await hand(page.samples, [], .history, from: position, to: next)
            }
    }
}

// MARK: - Keeping

extension Drain {
    private func hand(
        _ added: [HKSample], _ deleted: [HKDeletedObject], _ origin: ChangeBatch.Origin,
        from: SyncPosition, to: SyncPosition
    ) async throws -> SyncPosition {
        let batch = ChangeBatch(
            key: key, sampleType: type.sampleType, origin: origin, added: added,
            deleted: deleted, from: from, to: to)
        try await keeping { try await lane.destination.take(batch) }
        if !lane.isTransactional {
            try reach(.handlersDone)
            try await note(to, after: from)
        }
        try reach(.positionStored)
        report(.kept(added: added.count, deleted: deleted.count))
        report(.position(to))
        return to
    }

    /// Notes that a batch was taken, also when reading is being ended: else it would come again.
    private func note(_ position: SyncPosition, after old: SyncPosition) async throws {
        let (positions, key) = (lane.positions, key)
        let noting = Task {
            try await positions.setPosition(position, for: key, expecting: old)
        }
        try await keeping { try await noting.value }
    }

    /// Moves the position where there is nothing to hand over.
    private func advance(
        _ old: SyncPosition?, to new: SyncPosition
    ) async throws -> SyncPosition {
        try await keeping {
            try await lane.positions.setPosition(new, for: key, expecting: old)
        }
        try reach(.positionStored)
        return new
    }

    private func reach(_ step: SyncStep) throws {
        do { try probe.reached(step) } catch { throw DrainFailure.killed(error) }
    }

    private func reading<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error where !(error is CancellationError) {
            throw DrainFailure.reading(error)
        }
    }

    private func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw DrainFailure.reading(error) }
    }

    private func keeping<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error where !(error is CancellationError && Task.isCancelled) {
            throw DrainFailure.keeping(error)
        }
    }
}
