import Dispatch
public import Foundation
public import OpenHealthKit
import Synchronization

/// A clock that can be put on and back, as a person can with a phone's.
///
/// Work that is put off never comes: a schedule says itself when something happens.
public final class ScheduledClock: HealthStoreClock {
    private let state: Mutex<(now: Date, passed: TimeInterval)>

    /// A clock that shows a date.
    public init(_ now: Date) { state = Mutex((now, 0)) }

    /// What it shows.
    public var now: Date { state.withLock { $0.now } }

    /// How many seconds have really passed.
    var passed: TimeInterval { state.withLock { $0.passed } }

    /// Lets time pass.
    public func pass(_ interval: TimeInterval) {
        state.withLock {
            $0.now += interval
            $0.passed += interval
        }
    }

    /// Puts the clock on, or back, while no time passes.
    public func put(by interval: TimeInterval) { state.withLock { $0.now += interval } }

    /// Runs what is due, on a background queue; anything later never.
    public func schedule(
        at date: Date, _ work: @escaping @Sendable () -> Void
    ) -> ScheduledWork {
        if date <= now { DispatchQueue.global(qos: .utility).async(execute: work) }
        return ScheduledWork {}
    }
}
