import HealthEngine

/// Reads values of HealthKit's metadata that a sender wrote as text.
enum TextMetadata {
    /// Returns a metadata value.
    ///
    /// Booleans, numbers, dates and quantities of HealthKit's keys are read: "true" gives 1, and
    /// "5 count/min" gives a quantity. Other texts, and texts of other keys, stay as they are.
    ///
    /// - Parameters:
    ///   - value: The value as sent.
    ///   - key: The metadata key, such as "HKWasUserEntered".
    static func value(_ value: JSONValue, of key: String) -> MetadataValue {
        switch Catalogue.metadataKey(key)?.valueKind {
        case .boolean: if let flag = value.bool { return .number(flag ? 1 : 0) }
        case .number, .enumeration: if let number = value.number { return .number(number) }
        case .date: if let instant = date(value) { return .date(instant) }
        case .quantity(let unit): if let read = quantity(value, like: unit) { return read }
        case .string, nil: break
        }
        switch value {
        case .string(let text): return .string(text)
        case .number(let number) where number.isFinite: return .number(number)
        case .bool(let flag): return .number(flag ? 1 : 0)
        default: return .string(value.text)
        }
    }

    /// Reads a date such as "2026-03-01 08:15:00 +0000". Without an offset, the instant is unknown.
    private static func date(_ value: JSONValue) -> Double? {
        guard let text = value.string, let read = IntakeDate.reading(text), read.offset != nil
        else { return nil }
        return read.seconds
    }

    /// Reads a quantity such as "5 count/min".
    private static func quantity(_ value: JSONValue, like wanted: String?) -> MetadataValue? {
        guard let text = value.string, let space = text.firstIndex(of: " "),
            let number = Double(text[..<space]), number.isFinite
        else { return nil }
        let symbol = String(text[text.index(after: space)...])
        guard let unit = try? HealthUnit(symbol) else { return nil }
        if let wanted {
            guard let other = try? HealthUnit(wanted), unit.isCompatible(with: other) else {
                return nil
            }
        }
        return .quantity(number, unit: symbol)
    }
}
