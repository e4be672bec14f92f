import Foundation

/// Ends the process with the error's reason.
/// Used where Apple raises an exception and the signature cannot report an error: `HKUnit(from:)`,
/// `doubleValue(for:)`, `compare(_:)`, `maximumAllowedDuration`.
///
/// Each caller has a throwing alternative. Nothing else in this module traps unless strict mode is
/// on.
func refuse(_ error: HKError) -> Never { preconditionFailure(error.reason) }

extension StoreConnection {
    /// Returns the error for a misuse that raises an exception on Apple's platforms. Ends the
    /// process instead if the store is strict.
    func misuse(_ error: HKError) -> HKError {
        if options.strictness == .strict { refuse(error) }
        return error
    }
}

/// A class whose initializer can return an instance of a subclass, like Apple's class clusters.
public protocol _Substitutable {}

extension _Substitutable where Self: NSObject {
    /// Replaces `self` with an instance of a subclass.
    ///
    /// - Parameter other: An instance of a subclass of `Self`. Call this only where `Self` is
    ///   exactly the class that declares the initializer.
    init(substituting other: NSObject) { self = unsafeDowncast(other, to: Self.self) }
}
