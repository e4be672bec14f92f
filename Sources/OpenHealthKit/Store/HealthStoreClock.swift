public import Foundation

/// The clock of a store, which also schedules delayed work. Not part of Apple's API.
///
/// It provides the creation dates of samples, the periods of background delivery and the grace
/// period after a lock. ``SystemClock`` is the machine's clock; tests can use a ``ManualClock``.
public protocol HealthStoreClock: Sendable {
    /// The current time.
    var now: Date { get }

    /// Runs a closure once on a background queue when the clock reaches a time, or as soon as
    /// possible if the time has passed.
    ///
    /// - Parameters:
    ///   - date: The time.
    ///   - work: The closure.
    /// - Returns: The scheduled work. Cancelling or releasing it cancels the work.
    func schedule(at date: Date, _ work: @escaping @Sendable () -> Void) -> ScheduledWork
}

/// Work scheduled with a ``HealthStoreClock``. Releasing it cancels the work. Not part of Apple's
/// API.
public final class ScheduledWork: Sendable {
    private let cancelWork: @Sendable () -> Void

    /// Creates scheduled work.
    ///
    /// - Parameter cancel: Cancels the work. It can be called several times, also after the work
    ///   has run, and then must have no effect.
    public init(cancel: @escaping @Sendable () -> Void) { cancelWork = cancel }

    /// Cancels the work if it has not started.
    public func cancel() { cancelWork() }

    deinit { cancelWork() }
}

extension HealthStoreClock where Self == SystemClock {
    /// The machine's clock.
    public static var system: SystemClock { SystemClock() }
}

/// The machine's clock. Not part of Apple's API.
public struct SystemClock: HealthStoreClock {
    /// Creates the clock, which has no settings.
    public init() {}

    /// The current time of the machine.
    public var now: Date { Date() }

    /// Runs a closure on a background queue at a time of the machine's clock, or as soon as
    /// possible if the time has passed.
    ///
    /// - Parameters:
    ///   - date: The time.
    ///   - work: The closure.
    /// - Returns: The scheduled work. Cancelling or releasing it cancels the work.
    public func schedule(
        at date: Date, _ work: @escaping @Sendable () -> Void
    ) -> ScheduledWork {
        // DispatchWorkItem is thread-safe, but is not declared Sendable on Linux.
        nonisolated(unsafe) let item = DispatchWorkItem(block: work)
        DispatchQueue.global(qos: .utility).asyncAfter(
            wallDeadline: .now() + max(0, date.timeIntervalSince(now)), execute: item)
        return ScheduledWork { item.cancel() }
    }
}

/// A clock that moves only when it is advanced. Not part of Apple's API.
///
/// ```swift
/// let clock = ManualClock(Date(timeIntervalSinceReferenceDate: 0))
/// let store = HKHealthStore.inMemory(configuration: .init(clock: clock))
/// clock.advance(by: 3600)   // an hour passes, and everything due in it runs
/// ```
public final class ManualClock: HealthStoreClock {
    private struct State: Sendable {
        var now: Date
        var lastNumber = 0
        var entries: [Int: (date: Date, work: @Sendable () -> Void)] = [:]
        /// The deliveries to observers that the clock waits for.
        var deliveries: [AwaitedDelivery] = []
    }

    private let state: Locked<State>
    private let completionTimeout: TimeInterval

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - now: The time that it shows; 2001-01-01 00:00 UTC by default.
    ///   - completionTimeout: How long ``advance(by:)`` waits for an observer's completion after
    ///     its handler has returned, in seconds of real time; 0.5 by default.
    public init(
        _ now: Date = Date(timeIntervalSinceReferenceDate: 0), completionTimeout: TimeInterval = 0.5
    ) {
        state = Locked(State(now: now))
        self.completionTimeout = completionTimeout
    }

    /// The current time of the clock.
    public var now: Date { state { $0.now } }

    /// Advances the clock and runs the work that becomes due, in order of time.
    ///
    /// All work that becomes due has run when this method returns, each piece with the clock at the
    /// time it was scheduled for. That includes work that other work schedules for a later time
    /// within the interval. Work that is scheduled for the clock's current time or earlier runs at
    /// once and is not waited for.
    ///
    /// Handlers of observers run in real time. Before each step, the clock therefore waits while
    /// such a handler runs, for at most ten seconds. It then waits until the handler's completion
    /// is called, for at most the `completionTimeout` of the clock. So a handler that completes
    /// within these limits does not exceed ``BackgroundDelivery/completionTimeout``, however far
    /// the clock advances. Do not call this method inside such a handler: the call would wait for
    /// itself, for up to ten seconds.
    ///
    /// - Parameter interval: Seconds; a negative interval does not move the clock.
    public func advance(by interval: TimeInterval) {
        let end = now.addingTimeInterval(max(0, interval))
        while true {
            awaitDeliveries()
            guard let work = removeNextWork(until: end) else { break }
            // Not `sync`, which would run the work on the calling thread.
            let isDone = DispatchSemaphore(value: 0)
            DispatchQueue.global(qos: .utility).async {
                work()
                isDone.signal()
            }
            isDone.wait()
        }
        state { $0.now = max($0.now, end) }
    }

    /// Makes ``advance(by:)`` wait for a delivery that begins now.
    ///
    /// - Returns: An object whose methods report that the handler has returned and that the
    ///   delivery is over.
    func beginDelivery() -> AwaitedDelivery {
        let delivery = AwaitedDelivery(completionTimeout: completionTimeout)
        state { state in
            state.deliveries.removeAll(where: \.isFinished)
            state.deliveries.append(delivery)
        }
        return delivery
    }

    /// Waits once for each delivery in progress, up to the time limit of that delivery.
    private func awaitDeliveries() {
        while let delivery = state({ $0.deliveries.first }) {
            delivery.wait()
            state { state in state.deliveries.removeAll { $0 === delivery } }
        }
    }

    private func removeNextWork(until end: Date) -> (@Sendable () -> Void)? {
        state { state in
            let due = state.entries.filter { $0.value.date <= end }
            let next = due.min { ($0.value.date, $0.key) < ($1.value.date, $1.key) }
            guard let next else { return nil }
            state.entries[next.key] = nil
            state.now = max(state.now, next.value.date)
            return next.value.work
        }
    }

    /// Runs a closure on a background queue when ``advance(by:)`` reaches a time, or as soon as
    /// possible if the clock has reached the time already.
    ///
    /// - Parameters:
    ///   - date: The time.
    ///   - work: The closure.
    /// - Returns: The scheduled work. Cancelling or releasing it cancels the work.
    public func schedule(
        at date: Date, _ work: @escaping @Sendable () -> Void
    ) -> ScheduledWork {
        let number = state { state -> Int? in
            guard date > state.now else { return nil }
            state.lastNumber += 1
            state.entries[state.lastNumber] = (date, work)
            return state.lastNumber
        }
        guard let number else {
            DispatchQueue.global(qos: .utility).async(execute: work)
            return ScheduledWork {}
        }
        return ScheduledWork { [weak self] in
            // The closure is released outside the lock, because it can own other work of this
            // clock.
            let dropped = self?.state { $0.entries.removeValue(forKey: number) }
            withExtendedLifetime(dropped) {}
        }
    }
}

/// A delivery to an observer that a ``ManualClock`` waits for, from the call of its handler to its
/// completion.
final class AwaitedDelivery: @unchecked Sendable {  // its variables are accessed under `condition`
    /// The maximum time for a handler, in seconds of real time.
    private static let maximumHandlerTime: TimeInterval = 10

    // A condition, because ``Locked`` does not support waiting.
    private let condition = NSCondition()
    private let completionTimeout: TimeInterval
    private var end = Date(timeIntervalSinceNow: maximumHandlerTime)
    private var hasFinished = false

    init(completionTimeout: TimeInterval) { self.completionTimeout = completionTimeout }

    /// Whether the delivery has been completed or dropped.
    var isFinished: Bool { condition.withLock { hasFinished } }

    /// Reports that the handler has returned; the completion may follow.
    func handlerReturned() {
        condition.withLock {
            end = min(end, Date(timeIntervalSinceNow: completionTimeout))
            condition.broadcast()
        }
    }

    /// Reports that the delivery has been completed or dropped.
    func finish() {
        condition.withLock {
            hasFinished = true
            condition.broadcast()
        }
    }

    /// Waits until the delivery has been completed or dropped, up to the time limit.
    func wait() {
        condition.withLock {
            while !hasFinished, Date() < end { _ = condition.wait(until: end) }
        }
    }
}
