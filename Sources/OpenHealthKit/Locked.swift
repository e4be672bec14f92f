import Foundation

/// A value that threads take turns with.
///
/// Bodies run under the lock: they must be short and call nothing that isn't ours.
final class Locked<Value>: @unchecked Sendable {
    // Unchecked: `value` is touched only while `lock` is held.
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

    /// Puts a value in the place of another, which goes outside the lock: an app's object that goes
    /// with it may do as it likes.
    @discardableResult
    func exchange(_ new: sending Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        let old = value
        value = new
        return old
    }
}
