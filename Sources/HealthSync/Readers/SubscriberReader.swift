import Foundation

/// The outcome of one request to read.
enum ReadOutcome: Sendable {
    case caughtUp
    /// Not read: a delivery has failed, and the pause before its retry continues.
    case held
    case failed(any Error)
    /// A test's probe simulated the death of the process.
    case killed(any Error)
    case cancelled
}

/// Reads one type for one subscriber, one pass at a time.
///
/// Requests that arrive during a pass are combined, and answered by that pass or by one further
/// pass.
actor SubscriberReader {
    /// The origin of a request to read.
    enum Request {
        /// HealthKit reported a change. Such a request is ignored during the pause after a failed
        /// delivery.
        case wake
        /// The pause after a failure has elapsed.
        case timer
        /// The app requested it.
        case demand
    }

    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<ReadOutcome, Never>
    }

    nonisolated let drain: Drain
    private let clock: any Clock<Duration>
    private let pauses: [Duration]
    private let board: StatusRegistry
    private let requested: Guarded<Int>
    private let didRead: @Sendable (TrackedType) -> Void
    private nonisolated let runner = CancellingTask()
    private nonisolated let timer = CancellingTask()
    private nonisolated let isGone = Guarded(false)
    private var finished = 0
    /// The number of the last request that is carried out even if no caller waits for it.
    private var wanted = 0
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0
    private var isRunning = false
    /// The number of the last request at the time when the pass was cancelled because all callers
    /// had been cancelled; nil otherwise.
    private var abandoned: Int?
    private var isHalted = false
    private var failures = 0
    private var pause: PauseReason?
    private var hasSeenSample = false

    init(
        _ drain: Drain, wakes: Guarded<Int>, clock: any Clock<Duration>, pauses: [Duration],
        board: StatusRegistry, didRead: @escaping @Sendable (TrackedType) -> Void
    ) {
        self.drain = drain
        requested = wakes
        self.clock = clock
        self.pauses = pauses
        self.board = board
        self.didRead = didRead
    }

    /// Starts reading and returns at once. Does nothing if the reader is stopped, or for a wake
    /// during the pause after a failed delivery.
    func request(_ request: Request) {
        guard let number = accept(request) else { return }
        wanted = number
        run()
    }

    /// Reads to the end of the available changes and returns the outcome. If the caller's task is
    /// cancelled, it returns at once, and the pass is cancelled unless another request needs it.
    func read(_ request: Request) async -> ReadOutcome {
        guard !isOver, !Task.isCancelled else { return .cancelled }
        guard let number = accept(request) else { return .held }
        if request == .wake { wanted = number }
        run()
        lastWaiter += 1
        let waiter = lastWaiter
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiters[waiter] = Waiter(number: number, continuation: continuation)
                if Task.isCancelled { cancelRequest(waiter) }
            }
        } onCancel: {
            Task { await self.cancelRequest(waiter) }
        }
    }

    /// Cancels the current pass and the scheduled retry, and waits until the pass has ended.
    /// Nothing starts until ``resume()``.
    func halt() async {
        isHalted = true
        timer.cancel()
        let task = runner.current
        task?.cancel()
        await task?.value
    }

    /// Allows reading again after ``halt()``, with failures reset.
    func resume() {
        guard isHalted else { return }
        isHalted = false
        failures = 0
        pause = nil
    }

    /// Cancels the reader permanently. It can be called from outside the actor.
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

    private func cancelRequest(_ number: Int) {
        guard let waiter = waiters.removeValue(forKey: number) else { return }
        waiter.continuation.resume(returning: .cancelled)
        // Cancels the pass if no caller waits for it any more, and no request must be carried out
        // without a waiting caller.
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
            var outcome = ReadOutcome.cancelled
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
        // Another request arrived after the cancellation.
        if !isOver, finished < requested({ $0 }) { run() }
    }

    private func answer(_ outcome: ReadOutcome) {
        for (key, waiter) in waiters where waiter.number <= finished {
            waiters[key] = nil
            waiter.continuation.resume(returning: outcome)
        }
    }
}

// MARK: - Outcomes

extension SubscriberReader {
    /// Updates the status of this subscriber and type.
    private func tell(_ change: (inout SubscriberStatus) -> Void) {
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

    private func fail(_ error: any Error) -> ReadOutcome {
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

    /// Records a failure, and schedules the retry unless the handler is stuck.
    private func pause(_ reason: PauseReason, _ error: any Error) -> ReadOutcome {
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
    /// Updates the status of this subscriber and type.
    func tell(_ board: StatusRegistry, _ change: (inout SubscriberStatus) -> Void) {
        board.update(type) { change(&$0.lanes[lane.name, default: SubscriberStatus()]) }
    }
}

extension StatusRegistry {
    fileprivate func hasAdded(_ type: TrackedType, _ lane: String) -> Bool {
        (status(type)?.lanes[lane]?.added ?? 0) > 0
    }

    /// Updates the status of a subscriber and type with the progress of a pass.
    func note(_ progress: Drain.Progress, _ type: TrackedType, _ lane: String) {
        update(type) { status in
            var one = status.lanes[lane, default: SubscriberStatus()]
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
