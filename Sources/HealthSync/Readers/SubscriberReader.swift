import Foundation

/// The outcome of one request to read.
enum ReadOutcome: Sendable {
    case caughtUp
    /// A wake that was ignored, because reading is paused for ``PauseReason/handlerFailed`` or
    /// ``PauseReason/handlerStuck``. Reading is retried at the next start or sync, and after the
    /// retry delay unless the handler is stuck.
    case held
    case failed(any Error)
    /// A test's probe simulated a crash of the process.
    case killed(any Error)
    case cancelled
}

/// Reads one type for one subscriber, one pass at a time.
///
/// Requests that arrive during a pass are combined, and served by that pass or by one further
/// pass.
actor SubscriberReader {
    /// The origin of a request to read.
    enum Request {
        /// HealthKit called the observer query's handler, the app called ``Watcher/wake(_:)``, or a
        /// subscriber was added to a running watcher. Such a request is ignored while reading is
        /// paused for ``PauseReason/handlerFailed`` or ``PauseReason/handlerStuck``.
        case wake
        /// The retry delay after a failed attempt has elapsed.
        case timer
        /// The app requested reading, for example with ``Watcher/start()`` or ``Watcher/sync()``.
        /// This also retries a stuck handler.
        case demand
    }

    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<ReadOutcome, Never>
    }

    nonisolated let readPass: ReadPass
    private let clock: any Clock<Duration>
    private let retryDelays: [Duration]
    private let statusRegistry: StatusRegistry
    private let requested: LockedValue<Int>
    private let didRead: @Sendable (TrackedType) -> Void
    private nonisolated let runner = CancellingTask()
    private nonisolated let timer = CancellingTask()
    private nonisolated let isDiscarded = LockedValue(false)
    private var finished = 0
    /// The number of the last request that is carried out even if no caller waits for it.
    private var lastMandatory = 0
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
        _ readPass: ReadPass, wakes: LockedValue<Int>, clock: any Clock<Duration>,
        retryDelays: [Duration],
        statusRegistry: StatusRegistry, didRead: @escaping @Sendable (TrackedType) -> Void
    ) {
        self.readPass = readPass
        requested = wakes
        self.clock = clock
        self.retryDelays = retryDelays
        self.statusRegistry = statusRegistry
        self.didRead = didRead
    }

    /// Starts reading and returns at once. A request during a pass is served by that pass or by one
    /// further pass. Does nothing if the reader is halted or cancelled, or for a wake while reading
    /// is paused for ``PauseReason/handlerFailed`` or ``PauseReason/handlerStuck``.
    func request(_ request: Request) {
        guard let number = accept(request) else { return }
        lastMandatory = number
        run()
    }

    /// Reads until neither existing samples nor changes are left, and returns the outcome:
    /// ``ReadOutcome/held`` for an ignored wake, and ``ReadOutcome/cancelled`` if the reader is
    /// halted or cancelled.
    ///
    /// If the caller's task is cancelled, the call returns at once, and the pass is cancelled
    /// unless another request needs it. A wake's pass is never cancelled for this reason.
    func read(_ request: Request) async -> ReadOutcome {
        guard !isOver, !Task.isCancelled else { return .cancelled }
        guard let number = accept(request) else { return .held }
        if request == .wake { lastMandatory = number }
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

    /// Allows reading again after ``halt()``, and resets the number of failures and the pause.
    /// Reads nothing itself. Does nothing if the reader is not halted.
    func resume() {
        guard isHalted else { return }
        isHalted = false
        failures = 0
        pause = nil
    }

    /// Cancels the reader permanently. It can be called from outside the actor.
    nonisolated func cancel() {
        isDiscarded { $0 = true }
        timer.cancel()
        runner.cancel()
    }

    private var isOver: Bool { isHalted || isDiscarded { $0 } }

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
        guard waiters.isEmpty, lastMandatory <= finished, isRunning else { return }
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
                let seen = try await readPass.run()
                await succeed()
                finished = max(finished, seen)
                outcome = .caughtUp
            } catch {
                outcome = fail(error)
                finished = max(finished, number)
            }
            resumeWaiters(outcome)
        }
        isRunning = false
        guard Task.isCancelled || isOver else { return }
        finished = abandoned ?? requested { $0 }
        abandoned = nil
        resumeWaiters(.cancelled)
        // Reads again if another request arrived after the cancellation.
        if !isOver, finished < requested({ $0 }) { run() }
    }

    private func resumeWaiters(_ outcome: ReadOutcome) {
        for (key, waiter) in waiters where waiter.number <= finished {
            waiters[key] = nil
            waiter.continuation.resume(returning: outcome)
        }
    }
}

// MARK: - Outcomes

extension SubscriberReader {
    /// Updates the status of this reader's subscriber and type.
    private func updateStatus(_ change: (inout SubscriberStatus) -> Void) {
        readPass.updateStatus(in: statusRegistry, change)
    }

    private func succeed() async {
        failures = 0
        pause = nil
        if !hasSeenSample {
            hasSeenSample = statusRegistry.hasAdded(readPass.type, readPass.subscriber.name)
        }
        if !hasSeenSample { hasSeenSample = (try? await readPass.reader.seesAny()) ?? true }
        let isEmpty = !hasSeenSample
        updateStatus {
            $0.readingPause = isEmpty ? .deniedOrEmpty : nil
            $0.readingError = nil
            $0.failures = 0
        }
        didRead(readPass.type)
    }

    private func fail(_ error: any Error) -> ReadOutcome {
        switch error {
        case is CancellationError: return .cancelled
        case ReadPassFailure.killed(let cause): return .killed(cause)
        case ReadPassFailure.reading(let cause): return pause(cause.readingPause, cause)
        case ReadPassFailure.reconciling(let cause):
            return pause(cause.isLock ? .locked : .queryFailed, cause)
        case ReadPassFailure.storing(let cause):
            let reason: PauseReason =
                cause.isLock ? .locked : cause.isFullDisk ? .disk : .handlerFailed
            return pause(reason, cause)
        default: return pause(.queryFailed, error)
        }
    }

    /// Records a failure in the status, and schedules the retry unless the handler is stuck or
    /// there are no retry delays.
    private func pause(_ reason: PauseReason, _ error: any Error) -> ReadOutcome {
        failures += 1
        // Some destinations determine the delay themselves, such as that of a server.
        let ownDelay = (error as? any DelayedRetry)?.retryDelay
        let isStuck =
            reason == .handlerFailed && ownDelay == nil && failures > retryDelays.count
        let reason = isStuck ? PauseReason.handlerStuck : reason
        pause = reason
        let count = failures
        updateStatus {
            $0.readingPause = reason
            $0.readingError = error
            $0.failures = count
            $0.backlog = .unknown
        }
        let delay = ownDelay ?? retryDelays.dropFirst(failures - 1).first ?? retryDelays.last
        if !isStuck, let wait = delay {
            timer.set(
                Task { [weak self, clock] in
                    do { try await clock.sleep(for: wait) } catch { return }
                    await self?.request(.timer)
                })
        }
        return .failed(error)
    }
}

extension ReadPass {
    /// Updates the status of this pass's subscriber and type.
    func updateStatus(in statusRegistry: StatusRegistry, _ change: (inout SubscriberStatus) -> Void)
    {
        statusRegistry.update(type) {
            change(&$0.subscribers[subscriber.name, default: SubscriberStatus()])
        }
    }
}

extension StatusRegistry {
    fileprivate func hasAdded(_ type: TrackedType, _ subscriber: String) -> Bool {
        (status(type)?.subscribers[subscriber]?.added ?? 0) > 0
    }

    /// Updates the status of a subscriber and type with the progress of a pass.
    func note(_ progress: ReadPass.Progress, _ type: TrackedType, _ subscriber: String) {
        update(type) { status in
            var one = status.subscribers[subscriber, default: SubscriberStatus()]
            switch progress {
            case .position(let position):
                one.position = position
                one.backlog = position.phase == .changes ? .unknown : .pages
            case .delivered(let added, let deleted):
                one.batches += 1
                one.added += added
                one.deleted += deleted
            case .caughtUp(let position):
                one.position = position
                one.caughtUp = position.caughtUp
                one.backlog = .none
            case .lost(let lost): one.lost = lost
            }
            status.subscribers[subscriber] = one
        }
    }
}
