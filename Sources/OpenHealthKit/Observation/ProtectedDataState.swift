public import Foundation

/// The lock state of a simulated device. Not part of Apple's API.
///
/// While the device is locked and the grace period has passed, reads fail with
/// `HKError.errorDatabaseInaccessible`. Saves succeed, and observers are notified of these saves
/// after the unlock (Semantics §8.7).
///
/// ```swift
/// store.protectedData.lock()
/// try await store.save(sample)        // stored
/// store.protectedData.unlock()        // observers are notified now
/// ```
/// A new state is unlocked. Safe to use from any thread.
public final class ProtectedDataState: Sendable {
    private struct State: Sendable {
        var lockedAt: Date?
        var lastNumber = 0
        var listeners: [Int: @Sendable () -> Void] = [:]
    }

    private let clock: any HealthStoreClock
    /// How long data stays readable after a lock, in seconds. Apple's devices use 600.
    public let gracePeriod: TimeInterval
    private let state = Locked(State())

    /// Creates an unlocked state.
    ///
    /// - Parameters:
    ///   - clock: The clock that measures the grace period.
    ///   - gracePeriod: How long data stays readable after a lock, in seconds. Apple's devices use
    ///     ten minutes. The default of 0 makes `lock()` take effect at once.
    public init(clock: any HealthStoreClock = .system, gracePeriod: TimeInterval = 0) {
        self.clock = clock
        self.gracePeriod = gracePeriod
    }

    /// Whether the device is locked; during the grace period, data is still readable.
    public var isLocked: Bool { state { $0.lockedAt != nil } }

    /// Whether data can be read: the device is unlocked, or the grace period has not passed.
    public var isAccessible: Bool {
        guard let lockedAt = state({ $0.lockedAt }) else { return true }
        return clock.now < lockedAt.addingTimeInterval(gracePeriod)
    }

    /// Locks the device. Has no effect if it is already locked.
    public func lock() {
        let now = clock.now
        state { $0.lockedAt = $0.lockedAt ?? now }
    }

    /// Unlocks the device. Changes that could not be delivered while it was locked are then
    /// delivered on background queues. Has no effect if the device is not locked.
    public func unlock() {
        let listeners = state { state -> [@Sendable () -> Void] in
            guard state.lockedAt != nil else { return [] }
            state.lockedAt = nil
            return Array(state.listeners.values)
        }
        for listener in listeners { listener() }
    }

    /// Calls `body` at every unlock, on the unlocking thread, until ``removeUnlockListener(_:)`` is
    /// called with the returned number.
    func addUnlockListener(_ body: @escaping @Sendable () -> Void) -> Int {
        state { state in
            state.lastNumber += 1
            state.listeners[state.lastNumber] = body
            return state.lastNumber
        }
    }

    func removeUnlockListener(_ number: Int) {
        state { $0.listeners[number] = nil }
    }
}
