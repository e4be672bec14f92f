/// A metadata key that HealthKit defines, and the kind of its values.
public struct MetadataKey: Hashable, Sendable {
    /// The kind of a metadata value, with the information to parse it from text.
    public enum ValueKind: Hashable, Sendable {
        /// Text.
        case string
        /// A number.
        case number
        /// A boolean, stored as 0 or 1. Exports contain "0" and "1" or, from some apps, "NO" and
        /// "YES".
        case boolean
        /// A date.
        case date
        /// A quantity in any unit compatible with this one. Nil means the unit of the sample.
        case quantity(unit: String?)
        /// A raw value of an enumeration: "HKWeatherCondition".
        case enumeration(String)
    }

    /// The string in a sample's metadata: "HKTimeZone".
    public let key: String
    /// The name of Apple's constant: "HKMetadataKeyTimeZone".
    public let constant: String
    /// The kind of the key's values.
    public let valueKind: ValueKind

    init(_ key: String, constant: String, _ valueKind: ValueKind) {
        self.key = key
        self.constant = constant
        self.valueKind = valueKind
    }
}
