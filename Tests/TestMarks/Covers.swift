public import Testing

/// A trait with the HealthKit symbols that a test checks, for the compatibility ledger:
/// `@Test("§9.10 …", .covers("HKUnit.init(from:)", "HKUnit.unitString"))`.
///
/// A test that covers a symbol fails when the symbol's body is replaced by a wrong value.
public struct Covers: TestTrait, SuiteTrait {
    /// The symbols, in the form "HKUnit.init(from:)".
    public let symbols: [String]
}

extension Trait where Self == Covers {
    /// Returns a trait for symbols.
    ///
    /// - Parameter symbols: The symbols in the form "HKUnit.init(from:)".
    /// - Returns: The trait.
    public static func covers(_ symbols: String...) -> Self { Covers(symbols: symbols) }
}
