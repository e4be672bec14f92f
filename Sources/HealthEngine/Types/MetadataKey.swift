/// A metadata key that HealthKit defines, and the kind of its values.
public struct MetadataKey: Hashable, Sendable {
    /// The kinds of metadata values, with what an importer needs to parse them from text.
    public enum ValueKind: Hashable, Sendable {
        /// Text.
        case string
        /// A number.
        case number
        /// Stored as 0 and 1; exports write "0", "1" and, from some apps, "YES" and "NO".
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
