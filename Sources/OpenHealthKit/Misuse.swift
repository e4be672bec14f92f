public import Foundation

/// Ends the process with the error's reason.
///
/// Used where Apple raises an exception and the signature cannot report an error: in
/// `HKUnit(from:)` and the functions that compose units, `doubleValue(for:)`, `compare(_:)`, the
/// formatter units, `maximumAllowedDuration` and `minimumAllowedDuration`. In strict mode it is
/// also used for misuse that is otherwise reported as an error.
///
/// Parsing, conversion and comparison have throwing alternatives, and the durations have optional
/// ones.
func trap(_ error: HKError) -> Never { preconditionFailure(error.reason) }

extension StoreConnection {
    /// Returns the error for a misuse that raises an exception on Apple's platforms. Ends the
    /// process instead if the store is strict.
    func misuseError(_ error: HKError) -> HKError {
        if options.strictness == .strict { trap(error) }
        return error
    }
}

/// A class with an initializer that can return an instance of a subclass, as the initializers of
/// class clusters do.
public protocol _Substitutable {}

extension NSObject: _Substitutable {}

extension _Substitutable where Self: NSObject {
    /// Replaces `self` with an instance of a subclass.
    ///
    /// - Parameter other: An instance of a subclass of `Self`. Call this only if the type of `self`
    ///   is exactly the class that declares the calling initializer, because the type is not
    ///   checked.
    init(substituting other: NSObject) { self = unsafeDowncast(other, to: Self.self) }
}
