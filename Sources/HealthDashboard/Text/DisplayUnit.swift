/// The unit in which a reader sees values that are stored in another one: miles for kilometres, if
/// the reader's ``PageSettings/units`` are imperial.
///
/// ```swift
/// DisplayUnit("kg").displayed(80)   // 80; 176.37 with imperial units, symbol "lb"
/// ```
package struct DisplayUnit: Hashable, Sendable {
    /// The displayed symbol: "km", "mi".
    package let symbol: String
    /// The factor from the stored unit to the displayed one.
    package let factor: Double
    /// What is added after the multiplication: 32 for degrees Fahrenheit.
    package let offset: Double

    /// Returns the reader's unit for values of a unit.
    ///
    /// - Parameter unit: The unit's HealthKit text. One that has no imperial counterpart here, such as
    ///   "kcal", stays; "%" becomes hundredths.
    package init(_ unit: String) {
        let isImperial = PageSettings.current.units == .imperial
        if isImperial, let imperial = Self.imperial[unit] {
            (symbol, factor, offset) = imperial
        } else {
            (symbol, factor, offset) = (unit, unit == "%" ? 100 : 1, 0)
        }
    }

    // The factors are exact by definition: the international foot and pound, and the US fluid ounce.
    private static let imperial: [String: (String, Double, Double)] = [
        "km": ("mi", 1 / 1.609344, 0), "m": ("ft", 1 / 0.3048, 0), "cm": ("in", 1 / 2.54, 0),
        "kg": ("lb", 1 / 0.45359237, 0), "degC": ("°F", 1.8, 32),
        "m/s": ("mph", 3.6 / 1.609344, 0), "km/hr": ("mph", 1 / 1.609344, 0),
        "mL": ("fl oz", 1 / 29.5735295625, 0), "L": ("fl oz", 1000 / 29.5735295625, 0),
    ]

    /// Converts a value.
    package func displayed(_ value: Double) -> Double { value * factor + offset }
}
