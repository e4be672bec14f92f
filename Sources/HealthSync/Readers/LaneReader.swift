import Foundation

/// How one request to read ended.
enum DrainOutcome: Sendable {
    case caughtUp
    /// Not now: a pause after a failure goes on.
    case held
    case failed(any Error)
    /// The process would have died.
    case killed(any Error)
    case cancelled
}

/// Reads one type for one lane, one drain at a time.
///
/// Requests that come while it reads are answered together by one more drain, however many they are.
actor LaneReader {
    /// Who wants the lane read.
    enum Request {
        /// HealthKit told of a change; a pause after a failure holds.
        case wake
        /// A pause has passed.
        case timer
        /// The app wants it now.
        case demand
    }

    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<DrainOutcome, Never>
    }

    nonisolated let drain: Drain
    private let clock: any Clock<Duration>
    private let pauses: [Duration]
    private let board: StatusBoard
    private let requested: Guarded<Int>
    private let didRead: @Sendable (TrackedType) -> Void
    private nonisolated let runner = TaskSlot()
    private nonisolated let timer = TaskSlot()
    private nonisolated let isGone = Guarded(false)
    private var finished = 0
    /// The last request that nobody waits for.
    private var wanted = 0
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0
    private var isRunning = false
    /// The last request when the run was cancelled because nobody wanted it.
    private var abandoned: Int?
    private var isHalted = false
    private var failures = 0
    private var pause: PauseReason?
    private var hasSeenSample = false

    init(
        _ drain: Drain, wakes: Guarded<Int>, clock: any Clock<Duration>, pauses: [Duration],
        board: StatusBoard, didRead: @escaping @Sendable (TrackedType) -> Void
    ) {
        self.drain = drain
        requested = wakes
        self.clock = clock
        self.pauses = pauses
        self.board = board
        self.didRead = didRead
    }

    /// Has the lane read, without waiting.
    func request(_ request: Request) {
        guard let number = accept(request) else { return }
        wanted = number
        run()
    }

    /// Has the lane read to the end of what there is now.
    func read(_ request: Request) async -> DrainOutcome {
        guard !isOver, !Task.isCancelled else { return .cancelled }
        guard let number = accept(request) else { return .held }
        if request == .wake { wanted = number }
        run()
        lastWaiter += 1
        let waiter = lastWaiter
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiters[waiter] = Waiter(number: number, continuation: continuation)
                if Task.isCancelled { giveUp(waiter) }
            }
        } onCancel: {
            Task { await self.giveUp(waiter) }
        }
    }

    /// Ends what runs and what waits; nothing begins until ``resume()``.
    func halt() async {
        isHalted = true
        timer.cancel()
        let task = runner.current
        task?.cancel()
        await task?.value
    }

    /// Lets reading begin again after ``halt()``, as if nothing had failed before.
    func resume() {
        guard isHalted else { return }
        isHalted = false
        failures = 0
        pause = nil
    }

    /// Ends what runs, from outside and for good.
    nonisolated func cancel() {
        isGone { $0 = true }
        timer.cancel()
        runner.cancel()
    }

    private var isOver: Bool { isHalted || isGone { $0 } }

    private func accept(_ request: Request) -> Int? {
        if isOver { return nil }
        if request == .wake, pause == .handlerFailed || pause == .handlerStuck { return nil }
        if request == .demand, pause == .handlerStuck { failures = 0 }
        return requested { number in
            number += 1
            return number
        }
    }

    private func giveUp(_ number: Int) {
        guard let waiter = waiters.removeValue(forKey: number) else { return }
        waiter.continuation.resume(returning: .cancelled)
        // Nobody wants it any more.
        guard waiters.isEmpty, wanted <= finished, isRunning else { return }
        abandoned = requested { $0 }
        runner.cancel()
    }

    private func run() {
        guard !isRunning else { return }
        isRunning = true
        abandoned = nil
        timer.set(nil)
        runner.set(Task { await self.readRequested() })
        if isOver { runner.cancel() }
    }

    private func readRequested() async {
        while finished < requested({ $0 }), !Task.isCancelled, !isOver {
            let number = requested { $0 }
            var outcome = DrainOutcome.cancelled
            do {
                let seen = try await drain.run()
                await succeed()
                finished = max(finished, seen)
                outcome = .caughtUp
            } catch {
                outcome = fail(error)
                finished = max(finished, number)
            }
            answer(outcome)
        }
        isRunning = false
        guard Task.isCancelled || isOver else { return }
        finished = abandoned ?? requested { $0 }
        abandoned = nil
        answer(.cancelled)
        // Wanted again meanwhile.
        if !isOver, finished < requested({ $0 }) { run() }
    }

    private func answer(_ outcome: DrainOutcome) {
        for (key, waiter) in waiters where waiter.number <= finished {
            waiters[key] = nil
            waiter.continuation.resume(returning: outcome)
        }
    }
}

// MARK: - How it went

extension LaneReader {
    /// A change in what is told of this lane.
    private func tell(_ change: (inout LaneStatus) -> Void) {
        drain.tell(board, change)
    }

    private func succeed() async {
        failures = 0
        pause = nil
        if !hasSeenSample { hasSeenSample = board.hasAdded(drain.type, drain.lane.name) }
        if !hasSeenSample { hasSeenSample = (try? await drain.reader.seesAny()) ?? true }
        let isEmpty = !hasSeenSample
        tell {
            $0.readingPause = isEmpty ? .deniedOrEmpty : nil
            $0.readingError = nil
            $0.failures = 0
        }
        didRead(drain.type)
    }

    private func fail(_ error: any Error) -> DrainOutcome {
        switch error {
        case is CancellationError: return .cancelled
        case DrainFailure.killed(let cause): return .killed(cause)
        case DrainFailure.reading(let cause): return pause(cause.readingPause, cause)
        case DrainFailure.reconciling(let cause):
            return pause(cause.isLock ? .locked : .unanswered, cause)
        case DrainFailure.keeping(let cause):
            let reason: PauseReason =
                cause.isLock ? .locked : cause.isFullDisk ? .disk : .handlerFailed
            return pause(reason, cause)
        default: return pause(.unanswered, error)
        }
    }

    /// Notes a failure, and when to try again.
    private func pause(_ reason: PauseReason, _ error: any Error) -> DrainOutcome {
        failures += 1
        let isStuck = reason == .handlerFailed && failures > pauses.count
        let reason = isStuck ? PauseReason.handlerStuck : reason
        pause = reason
        let count = failures
        tell {
            $0.readingPause = reason
            $0.readingError = error
            $0.failures = count
            $0.backlog = .unknown
        }
        if !isStuck, let wait = pauses.dropFirst(failures - 1).first ?? pauses.last {
            timer.set(
                Task { [weak self, clock] in
                    do { try await clock.sleep(for: wait) } catch { return }
                    await self?.request(.timer)
                })
        }
        return .failed(error)
    }
}

extension Drain {
    /// A change in what is told of this lane.
    func tell(_ board: StatusBoard, _ change: (inout LaneStatus) -> Void) {
        board.update(type) { change(&$0.lanes[lane.name, default: LaneStatus()]) }
    }
}

extension StatusBoard {
    fileprivate func hasAdded(_ type: TrackedType, _ lane: String) -> Bool {
        (status(type)?.lanes[lane]?.added ?? 0) > 0
    }

    /// Notes how a drain goes on.
    func note(_ progress: Drain.Progress, _ type: TrackedType, _ lane: String) {
        update(type) { status in
            var one = status.lanes[lane, default: LaneStatus()]
            switch progress {
            case .position(let position):
                one.position = position
                one.backlog = position.phase == .changes ? .unknown : .pages
            case .kept(let added, let deleted):
                one.batches += 1
                one.added += added
                one.deleted += deleted
            case .caughtUp(let position):
                one.position = position
                one.caughtUp = position.caughtUp
                one.backlog = .none
            case .lost(let lost): one.lost = lost
            }
            status.lanes[lane] = one
        }
    }
}
