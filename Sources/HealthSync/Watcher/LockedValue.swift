import Foundation

/// A value protected by a lock.
///
/// The closures that access the value run under the lock: keep them short, and call only code of
/// this module in them. OpenHealthKit has a similar type, `Locked`, which is not available where
/// Apple's HealthKit is imported. `Mutex` needs iOS 18.
final class LockedValue<Value>: @unchecked Sendable {
    // Unchecked: `value` is accessed only while `lock` is held.
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) { self.value = value }

    func callAsFunction<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

/// An object that holds at most one task, and cancels it when the object is deallocated.
final class CancellingTask: Sendable {
    private let task = LockedValue<Task<Void, Never>?>(nil)

    /// Replaces the task and cancels the previous one.
    func set(_ new: Task<Void, Never>?) {
        let old = task { task in
            defer { task = new }
            return task
        }
        old?.cancel()
    }

    var current: Task<Void, Never>? { task { $0 } }

    func cancel() { current?.cancel() }

    deinit { task { $0 }?.cancel() }
}
