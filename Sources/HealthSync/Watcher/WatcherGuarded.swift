import Foundation

/// A value that threads take turns with.
///
/// Bodies run under the lock: they must be short and call nothing that isn't ours.
final class Guarded<Value>: @unchecked Sendable {
    // Unchecked: `value` is touched only while `lock` is held.
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) { self.value = value }

    func callAsFunction<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

/// A task that ends with whoever holds this.
final class TaskSlot: Sendable {
    private let task = Guarded<Task<Void, Never>?>(nil)

    /// Cancels the task before, if there is one.
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
