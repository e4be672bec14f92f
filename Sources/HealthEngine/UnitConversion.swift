/// Arithmetic from one unit to another that is exact wherever the definitions are.
///
/// `result = (value + before) * multiplier / divisor + after`. Factors such as 0.01 have no exact
/// double, but 1/100 has: multiplying and dividing by whole numbers keeps 57 cm at 0.57 m.
public struct UnitConversion: Hashable, Sendable {
    public var before: Double
    public var multiplier: Double
    public var divisor: Double
    public var after: Double

    public init(
        before: Double = 0, multiplier: Double = 1, divisor: Double = 1, after: Double = 0
    ) {
        self.before = before
        self.multiplier = multiplier
        self.divisor = divisor
        self.after = after
    }

    public static let identity = UnitConversion()

    /// Whether values pass unchanged.
    @inlinable public var isIdentity: Bool {
        multiplier == divisor && before == 0 && after == 0
    }

    /// The value in the other unit: `UnitConversion(divisor: 100)(57)` is 0.57.
    @inlinable public func callAsFunction(_ value: Double) -> Double {
        if isIdentity { return value }
        return (value + before) * multiplier / divisor + after
    }
}
