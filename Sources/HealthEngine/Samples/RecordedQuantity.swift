/// A number with the unit in which it was recorded: `-1.75` and `"D"`.
public struct RecordedQuantity: Hashable, Sendable, Codable {
    /// The number in ``unit``.
    public var value: Double
    /// The unit's symbol, such as "D", "deg" or "Hz", as recorded.
    public var unit: String

    public init(_ value: Double, _ unit: String) {
        self.value = value
        self.unit = unit
    }

    /// Returns the number in another unit.
    ///
    /// - Parameter symbol: The symbol of the unit.
    /// - Returns: The number, unchanged if the units have the same symbol; nil if a unit is unknown
    ///   or the two are incompatible.
    public func value(in symbol: String) -> Double? {
        if unit == symbol { return value }
        guard let from = try? HealthUnit(unit), let to = try? HealthUnit(symbol),
            let conversion = try? from.conversion(to: to)
        else { return nil }
        return conversion(value)
    }
}
