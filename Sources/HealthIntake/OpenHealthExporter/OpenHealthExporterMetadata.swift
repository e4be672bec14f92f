import HealthEngine

/// Reads the values of metadata.
enum OpenHealthExporterMetadata {
    /// Returns a value in the kind that the catalogue has for the key, if it can be read so; as
    /// the kind of JSON otherwise. Nil for null.
    static func value(_ value: JSONValue, of key: String) -> MetadataValue? {
        if value == .null { return nil }
        switch Catalogue.metadataKey(key)?.valueKind {
        case .string: return .string(value.string ?? value.text)
        case .boolean:
            if let flag = value.bool { return .number(flag ? 1 : 0) }
        case .number, .enumeration:
            if let number = value.number { return .number(number) }
        case .date:
            let date = IntakeDate.reading(value.string ?? "")
            if let date, date.offset != nil { return .date(date.seconds) }
        default: break
        }
        switch value {
        case .bool(let flag): return .number(flag ? 1 : 0)
        case .number(let number) where number.isFinite: return .number(number)
        case .string(let text): return .string(text)
        default: return quantity(value) ?? .string(value.text)
        }
    }

    /// Reads `{"value": 12, "unit": "m"}` with a unit in HealthKit's notation.
    private static func quantity(_ value: JSONValue) -> MetadataValue? {
        guard let number = value["value"]?.number, let unit = value["unit"]?.string,
            !unit.isEmpty, (try? HealthUnit(unit)) != nil
        else { return nil }
        return .quantity(number, unit: unit)
    }
}
