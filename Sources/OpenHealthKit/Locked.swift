import Foundation

/// A value protected by a lock.
///
/// Bodies run while the lock is held: they must not access the same value again, should be short,
/// and must not call code of the app. Unlike those of `Mutex`, bodies can store and return values
/// that are not `Sendable`, such as handlers and objects of an app.
final class Locked<Value>: @unchecked Sendable {
    // Unchecked: `value` is accessed only while `lock` is held.
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) { self.value = value }

    func callAsFunction<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// Replaces the value and returns the old one, which is thereby released outside the lock: its
    /// deinitializer can run code of the app.
    @discardableResult
    func exchange(_ new: sending Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        let old = value
        value = new
        return old
    }
}
