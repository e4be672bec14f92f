public import Foundation

/// Whether the device is locked, as far as a store is concerned. Not Apple's.
///
/// While it is, reads fail with `HKError.errorDatabaseInaccessible`; what is saved is kept, and
/// whoever watches hears of it after the unlock (Semantics §8.7).
///
/// ```swift
/// store.protectedData.lock()
/// try await store.save(sample)        // kept
/// store.protectedData.unlock()        // observers wake now
/// ```
/// Begins unlocked. Safe to use from any thread.
public final class ProtectedDataState: Sendable {
    private struct State: Sendable {
        var lockedAt: Date?
        var lastNumber = 0
        var listeners: [Int: @Sendable () -> Void] = [:]
    }

    private let clock: any HealthStoreClock
    /// How many seconds after a lock data stay readable; 600 on Apple's devices.
    public let gracePeriod: TimeInterval
    private let state = Locked(State())

    /// An unlocked device.
    ///
    /// - Parameter gracePeriod: Seconds that reading goes on after a lock. Apple's devices take ten
    ///   minutes; the default is none, so that `lock()` shows at once.
    public init(clock: any HealthStoreClock = .system, gracePeriod: TimeInterval = 0) {
        self.clock = clock
        self.gracePeriod = gracePeriod
    }

    /// Whether the device is locked, whatever may still be read.
    public var isLocked: Bool { state { $0.lockedAt != nil } }

    /// Whether data can be read: the device is unlocked, or its grace period hasn't passed.
    public var isAccessible: Bool {
        guard let lockedAt = state({ $0.lockedAt }) else { return true }
        return clock.now < lockedAt.addingTimeInterval(gracePeriod)
    }

    /// Locks the device; nothing happens if it is locked.
    public func lock() {
        let now = clock.now
        state { $0.lockedAt = $0.lockedAt ?? now }
    }

    /// Unlocks the device, and tells watchers what they missed.
    public func unlock() {
        let listeners = state { state -> [@Sendable () -> Void] in
            guard state.lockedAt != nil else { return [] }
            state.lockedAt = nil
            return Array(state.listeners.values)
        }
        for listener in listeners { listener() }
    }

    /// Calls `body` at every unlock, on the unlocking thread, until the number is given back.
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
