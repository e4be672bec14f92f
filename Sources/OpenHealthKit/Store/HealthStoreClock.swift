public import Foundation

/// What time it is for a store, and when what was put off is due. Not Apple's.
///
/// Stores use it for the moments samples are created at, background delivery's windows and the
/// time after a lock. ``SystemClock`` is the machine's own; a test hands in a ``ManualClock``.
public protocol HealthStoreClock: Sendable {
    /// The present.
    var now: Date { get }

    /// Runs `work` once, on a background queue, when `date` has come; at once if it has passed.
    ///
    /// The work is dropped when the answer is cancelled or let go.
    func schedule(at date: Date, _ work: @escaping @Sendable () -> Void) -> ScheduledWork
}

/// Work that a ``HealthStoreClock`` holds until its time. Not Apple's.
///
/// Letting go of it cancels it.
public final class ScheduledWork: Sendable {
    private let cancelWork: @Sendable () -> Void

    /// Work that `cancel` takes back. Called again, also after the work ran, it must do nothing.
    public init(cancel: @escaping @Sendable () -> Void) { cancelWork = cancel }

    /// Takes the work back if it hasn't begun.
    public func cancel() { cancelWork() }

    deinit { cancelWork() }
}

extension HealthStoreClock where Self == SystemClock {
    /// The machine's clock.
    public static var system: SystemClock { SystemClock() }
}

/// The machine's clock. Not Apple's.
public struct SystemClock: HealthStoreClock {
    /// The machine's clock, which has no settings.
    public init() {}

    /// The machine's time.
    public var now: Date { Date() }

    /// Runs work when the time has come by the wall clock.
    public func schedule(
        at date: Date, _ work: @escaping @Sendable () -> Void
    ) -> ScheduledWork {
        // A work item is thread-safe in Dispatch, but Swift on Linux doesn't know it to be Sendable.
        nonisolated(unsafe) let item = DispatchWorkItem(block: work)
        DispatchQueue.global(qos: .utility).asyncAfter(
            wallDeadline: .now() + max(0, date.timeIntervalSince(now)), execute: item)
        return ScheduledWork { item.cancel() }
    }
}

/// A clock that stands still until it is told to move. Not Apple's.
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
        /// Wakes whose answers the clock stands still for.
        var holds: [ClockHold] = []
    }

    private let state: Locked<State>
    private let patience: TimeInterval

    /// A clock that shows `now`; 2001-01-01 00:00 UTC unless said otherwise.
    ///
    /// - Parameter patience: Seconds of real time that ``advance(by:)`` gives an observer's handler
    ///   that has returned to call its completion handler.
    public init(
        _ now: Date = Date(timeIntervalSinceReferenceDate: 0), patience: TimeInterval = 0.5
    ) {
        state = Locked(State(now: now))
        self.patience = patience
    }

    /// The time it was set to, and has been moved on to.
    public var now: Date { state { $0.now } }

    /// Moves the clock on, running what falls due in order of its time.
    ///
    /// When it returns all that work has run, each piece with the clock at its own time. Work that
    /// was scheduled meanwhile runs too, if it is due. A negative interval moves nothing.
    ///
    /// Observers' handlers run in real time, so the clock stands still while one that was woken runs,
    /// for ten seconds at most, and until it has called its completion handler, for the clock's
    /// patience at most: however far the clock jumps, only a handler that doesn't answer is late.
    /// Called by such a handler itself, it waits in vain.
    public func advance(by interval: TimeInterval) {
        let end = now.addingTimeInterval(max(0, interval))
        while true {
            awaitAnswers()
            guard let work = takeWork(until: end) else { break }
            // Not `sync`, which would run the work on the caller's thread.
            let isDone = DispatchSemaphore(value: 0)
            DispatchQueue.global(qos: .utility).async {
                work()
                isDone.signal()
            }
            isDone.wait()
        }
        state { $0.now = max($0.now, end) }
    }

    /// Keeps the clock from moving while a handler runs and answers.
    func hold() -> ClockHold {
        let hold = ClockHold(patience: patience)
        state { state in
            state.holds.removeAll(where: \.isOver)
            state.holds.append(hold)
        }
        return hold
    }

    /// Waits for every wake once: one that isn't answered in real time is on the clock's time.
    private func awaitAnswers() {
        while let hold = state({ $0.holds.first }) {
            hold.wait()
            state { state in state.holds.removeAll { $0 === hold } }
        }
    }

    private func takeWork(until end: Date) -> (@Sendable () -> Void)? {
        state { state in
            let due = state.entries.filter { $0.value.date <= end }
            let next = due.min { ($0.value.date, $0.key) < ($1.value.date, $1.key) }
            guard let next else { return nil }
            state.entries[next.key] = nil
            state.now = max(state.now, next.value.date)
            return next.value.work
        }
    }

    /// Runs work when the clock is moved to its time.
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
            // It goes outside the lock: with it may go other work of this clock.
            let dropped = self?.state { $0.entries.removeValue(forKey: number) }
            withExtendedLifetime(dropped) {}
        }
    }
}
