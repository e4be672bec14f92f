/// A metadata key that HealthKit defines, and what its values are.
public struct MetadataKey: Hashable, Sendable {
    /// The kinds of metadata values, with what an importer needs to read text as one.
    public enum ValueKind: Hashable, Sendable {
        case string
        case number
        /// Stored as 0 and 1; exports write "0", "1" and, from some apps, "YES" and "NO".
        case boolean
        case date
        /// A quantity in any unit compatible with this one; nil where it is the sample's own.
        case quantity(unit: String?)
        /// A number that is one of an enumeration's raw values: "HKWeatherCondition".
        case enumeration(String)
    }

    /// The string that stands in a sample's metadata: "HKTimeZone".
    public let key: String
    /// The constant's name: "HKMetadataKeyTimeZone".
    public let constant: String
    public let valueKind: ValueKind

    init(_ key: String, constant: String, _ valueKind: ValueKind) {
        self.key = key
        self.constant = constant
        self.valueKind = valueKind
    }
}
