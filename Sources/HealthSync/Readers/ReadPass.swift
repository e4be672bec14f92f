import Foundation
import GRDB

/// Why reading a type for a subscriber failed, by the step that failed.
enum ReadPassFailure: Error {
    /// A test's probe simulated a crash of the process.
    case killed(any Error)
    /// A HealthKit query failed, or its anchor could not be encoded.
    case reading(any Error)
    /// The destination, the check whether it has samples, the position store or the handler for
    /// lost positions failed.
    case storing(any Error)
    /// The comparison of the subscriber's data with HealthKit's failed. It runs at the end of a
    /// pass if the position's ``SyncPosition/caughtUp`` is older than the tombstone lifetime. After
    /// a lost position, that date is the distant past.
    case reconciling(any Error)
}

/// Reads the existing samples and the changes of one type for one subscriber, from the stored
/// position to the end of what is available.
struct ReadPass: Sendable {
    /// An event that a pass reports while reading, for the status of the subscriber.
    enum Progress: Sendable {
        case position(SyncPosition)
        case delivered(added: Int, deleted: Int)
        case caughtUp(SyncPosition)
        case lost(LostPosition)
    }

    let reader: PageReader
    let subscriber: Subscriber
    let firstRun: FirstRun
    let lifetime: TimeInterval
    let now: @Sendable () -> Date
    let probe: SyncProbe
    let onLost: @Sendable (LostPosition) async throws -> Void
    let report: @Sendable (Progress) -> Void
    /// Returns the number of requests that this pass's ``SubscriberReader`` has accepted since it
    /// was created. If the number has grown after a page of history, changes are read before the
    /// next page.
    let wakes: @Sendable () -> Int

    var type: TrackedType { reader.type }
    var key: PositionKey { type.key(subscriber: subscriber.name) }

    /// The age, in seconds, above which the stored ``SyncPosition/caughtUp`` is renewed at the end
    /// of a pass. A younger date is not renewed, which avoids a write for every pass.
    private static let caughtUpGranularity: TimeInterval = 900
    /// The maximum number of times that a pass is repeated because another reader has moved the
    /// position.
    private static let maximumConflictRetries = 64

    /// Reads until neither existing samples nor changes are left. Starts again from the stored
    /// position if another reader has moved it, at most 64 times.
    ///
    /// - Returns: The number of the last request whose changes were read.
    /// - Throws: ``ReadPassFailure``, or `CancellationError`.
    func run() async throws -> Int {
        var conflicts = 0
        while true {
            do {
                return try await pass()
            } catch ReadPassFailure.storing(SyncError.positionMoved)
                where conflicts < Self.maximumConflictRetries
            {
                conflicts += 1
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
            // Changes that were saved meanwhile are delivered before the rest of the history.
            if wakes() != seen || position.phase == .changes {
                seen = wakes()
                end = try await readChanges(from: &position)
            }
        }
        try await recordCaughtUp(position, at: end)
        return seen
    }
}

// MARK: - Start

extension ReadPass {
    private func begin() async throws -> SyncPosition {
        guard let stored = try await storing({ try await subscriber.positions.position(for: key) })
        else {
            if (subscriber.positions as? PositionFile)?.hasLostPositions == true {
                return try await beginAfterLoss(of: nil, .unreadable)
            }
            let isKnown = try await storing { try await subscriber.hasContent(type) }
            // If the destination has samples of the type without a position, deletions may be
            // missing. The distant past as the position's date then causes a comparison.
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

    /// Stores a first position, or a new one in place of an unusable one.
    ///
    /// Takes the anchor before reading, so that every sample saved or deleted afterwards is
    /// delivered as a change.
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
        try await storing { try await onLost(lost) }
        // With the distant past as its date, the position causes comparisons until one has
        // succeeded.
        return try await begin(
            anew: firstPhase(firstRun), caughtUp: reconciled == nil ? now() : .distantPast,
            after: old)
    }

    /// The span to compare when deletions may have been missed; nil if the subscriber's data cannot
    /// be compared, or its first run reads no history.
    private var reconciled: ReconciledSpan? {
        subscriber.reconcile == nil ? nil : firstRun.narrowed(.everything, at: now())
    }
}

// MARK: - Changes

extension ReadPass {
    /// Reads and delivers changes, page by page.
    ///
    /// - Returns: The anchor at the end, where a page was empty or had the same anchor again; nil
    ///   if the position has no valid anchor.
    private func readChanges(from position: inout SyncPosition) async throws -> HKQueryAnchor? {
        while true {
            try Task.checkCancellation()
            guard let anchor = position.queryAnchor else { return nil }
            let page: ChangePage
            do {
                page = try await reading { try await reader.changes(after: anchor) }
            } catch ReadPassFailure.reading(let error) where error.isInvalidArgument {
                // If a query without an anchor fails too, the filter is the invalid argument, and
                // that error is thrown.
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
            position = try await deliver(
                page.added, page.deleted, .changes, from: position, to: next)
        }
    }

    /// Records in the status that nothing is left to read, and stores the date if the stored one is
    /// older than 15 minutes.
    ///
    /// If the position's ``SyncPosition/caughtUp`` is older than the tombstone lifetime, first
    /// compares the subscriber's data with HealthKit's. If the subscriber has no comparison, or its
    /// first run reads no history, reports the position as stale instead.
    private func recordCaughtUp(_ position: SyncPosition, at end: HKQueryAnchor?) async throws {
        let date = now()
        let age = abs(date.timeIntervalSince(position.caughtUp))
        if age > lifetime {
            if let reconcile = subscriber.reconcile, let reconciled {
                do {
                    try await reconcile([type], reconciled)
                } catch let error where !(error is CancellationError) {
                    throw ReadPassFailure.reconciling(error)
                }
            } else {
                let lost = LostPosition(key: key, reason: .stale, caughtUp: position.caughtUp)
                report(.lost(lost))
                try await storing { try await onLost(lost) }
            }
        }
        var reached = position
        if age > Self.caughtUpGranularity {
            if let end {
                reached = try reading {
                    try SyncPosition(end, phase: position.phase, caughtUp: date)
                }
            }
            reached.caughtUp = date
            reached = try await advance(position, to: reached)
        }
        var reported = reached
        reported.caughtUp = date
        report(.caughtUp(reported))
    }
}

// MARK: - History

extension ReadPass {
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
                try await deliver(page.samples, [], .history, from: position, to: next)
            }
    }
}

// MARK: - Delivery

extension ReadPass {
    private func deliver(
        _ added: [HKSample], _ deleted: [HKDeletedObject], _ origin: ChangeBatch.Origin,
        from: SyncPosition, to: SyncPosition
    ) async throws -> SyncPosition {
        let batch = ChangeBatch(
            key: key, sampleType: type.sampleType, origin: origin, added: added,
            deleted: deleted, from: from, to: to)
        try await storing { try await subscriber.destination.receive(batch) }
        if !subscriber.isTransactional {
            try reach(.handlersDone)
            try await storePosition(to, after: from)
        }
        try reach(.positionStored)
        report(.delivered(added: added.count, deleted: deleted.count))
        report(.position(to))
        return to
    }

    /// Stores the position after a batch that a destination without transactions has processed,
    /// even on cancellation, so that the batch is not delivered again.
    private func storePosition(_ position: SyncPosition, after old: SyncPosition) async throws {
        let (positions, key) = (subscriber.positions, key)
        let update = Task {
            try await positions.setPosition(position, for: key, expecting: old)
        }
        try await storing { try await update.value }
    }

    /// Stores a position without delivering a batch.
    private func advance(
        _ old: SyncPosition?, to new: SyncPosition
    ) async throws -> SyncPosition {
        try await storing {
            try await subscriber.positions.setPosition(new, for: key, expecting: old)
        }
        try reach(.positionStored)
        return new
    }

    private func reach(_ step: SyncStep) throws {
        do { try probe.reached(step) } catch { throw ReadPassFailure.killed(error) }
    }

    private func reading<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error where !(error is CancellationError) {
            throw ReadPassFailure.reading(error)
        }
    }

    private func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw ReadPassFailure.reading(error) }
    }

    private func storing<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error where !(error is CancellationError && Task.isCancelled) {
            throw ReadPassFailure.storing(error)
        }
    }
}

extension Error {
    /// The pause reason for this error of a HealthKit query; ``PauseReason/queryFailed`` unless a
    /// more specific reason applies.
    var readingPause: PauseReason {
        switch (self as? HKError)?.code {
        case .errorAuthorizationNotDetermined: .notDetermined
        case .errorAuthorizationDenied: .deniedOrEmpty
        case .errorDatabaseInaccessible: .locked
        default: .queryFailed
        }
    }

    /// Whether this is HealthKit's error for a locked device. Errors of files on a locked device
    /// are not recognized.
    var isLock: Bool { (self as? HKError)?.code == .errorDatabaseInaccessible }

    var isInvalidArgument: Bool { (self as? HKError)?.code == .errorInvalidArgument }

    var isNotDetermined: Bool { (self as? HKError)?.code == .errorAuthorizationNotDetermined }

    /// Whether an error of a mirror, SQLite, Foundation or POSIX is caused by a full disk or an
    /// exhausted quota.
    var isFullDisk: Bool {
        switch self {
        case let error as DatabaseError: error.resultCode == .SQLITE_FULL
        case let error as MirrorError: error == .diskFull
        case let error as CocoaError: error.code == .fileWriteOutOfSpace
        case let error as POSIXError: error.code == .ENOSPC || error.code == .EDQUOT
        default: false
        }
    }
}
