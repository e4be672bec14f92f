public import Testing

/// Names the symbols of HealthKit that a test holds, for the compatibility ledger:
/// `@Test("§9.10 …", .covers("HKUnit.init(from:)", "HKUnit.unitString"))`.
///
/// A test that covers a symbol fails when the symbol's body is replaced by a wrong value.
public struct Covers: TestTrait, SuiteTrait {
    public let symbols: [String]
}

extension Trait where Self == Covers {
    public static func covers(_ symbols: String...) -> Self { Covers(symbols: symbols) }
}
