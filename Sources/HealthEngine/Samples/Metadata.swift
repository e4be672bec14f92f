/// The metadata of a sample, by key: `["HKTimeZone": .string("Europe/Paris")]`.
public typealias Metadata = [String: MetadataValue]

/// A metadata value: text, number, date or quantity, the four kinds HealthKit allows.
public enum MetadataValue: Hashable, Sendable {
    /// Text.
    case string(String)
    /// A number. Booleans are the numbers 0 and 1 (Semantics §2.9).
    case number(Double)
    /// A date in seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    /// A value with the string of its unit: `.quantity(47.6, unit: "degF")`.
    case quantity(Double, unit: String)
}

extension MetadataValue: Codable {
    private enum Field: String, CodingKey { case date, quantity, unit }

    /// Decodes a value. Text is a JSON string, a number a JSON number, a date `{"date":…}`, a
    /// quantity `{"quantity":…,"unit":…}`.
    public init(from decoder: any Decoder) throws {
        if let fields = try? decoder.container(keyedBy: Field.self) {
            if let date = try fields.decodeIfPresent(Double.self, forKey: .date) {
                self = .date(date)
            } else {
                self = .quantity(
                    try fields.decode(Double.self, forKey: .quantity),
                    unit: try fields.decode(String.self, forKey: .unit))
            }
            return
        }
        let single = try decoder.singleValueContainer()
        if let number = try? single.decode(Double.self) {
            self = .number(number)
        } else {
            self = .string(try single.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .string(let text):
            var single = encoder.singleValueContainer()
            try single.encode(text)
        case .number(let number):
            var single = encoder.singleValueContainer()
            try single.encode(number)
        case .date(let seconds):
            var fields = encoder.container(keyedBy: Field.self)
            try fields.encode(seconds, forKey: .date)
        case .quantity(let value, let unit):
            var fields = encoder.container(keyedBy: Field.self)
            try fields.encode(value, forKey: .quantity)
            try fields.encode(unit, forKey: .unit)
        }
    }
}
