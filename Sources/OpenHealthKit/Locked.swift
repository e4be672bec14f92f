import Foundation

/// A value protected by a lock.
///
/// Bodies run while the lock is held: they must be short and must not call code outside this
/// package. Unlike `Mutex`, this type accepts values that are not `Sendable`, such as handlers and
/// objects of apps. Use `Mutex` for `Sendable` values.
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

    /// Replaces the value and returns the old one.
    /// The caller releases the old value outside the lock, because its deinitializer can run code
    /// of the app.
    @discardableResult
    func exchange(_ new: sending Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        let old = value
        value = new
        return old
    }
}
