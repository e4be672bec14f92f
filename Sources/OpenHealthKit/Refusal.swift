import Foundation

/// Ends the process where Apple raises an exception and the signature has no way to report an
/// error: `HKUnit(from:)`, `doubleValue(for:)`, `compare(_:)`, `maximumAllowedDuration`.
///
/// Each caller has a throwing twin. Nothing else of this module traps, unless strictness is asked.
func refuse(_ error: HKError) -> Never { preconditionFailure(error.reason) }

extension StoreConnection {
    /// What Apple answers with an exception: an error, or the end of the process where the store is
    /// strict.
    func misuse(_ error: HKError) -> HKError {
        if options.strictness == .strict { refuse(error) }
        return error
    }
}

/// A class whose initializer may give an instance of a subclass, as Apple's class clusters do.
public protocol _Substitutable {}

extension _Substitutable where Self: NSObject {
    /// - Parameter other: Of a subclass of `Self`: call only where `Self` is exactly the class that
    ///   declares the initializer.
    init(substituting other: NSObject) { self = unsafeDowncast(other, to: Self.self) }
}
