import HealthEngine

/// Parses metadata values, which are text in an export. The key determines the type.
enum MetadataText {
    /// Returns the value of an entry with the type that the catalogue has for the key, or as text
    /// if the key is unknown or the text doesn't parse.
    static func value(_ text: String, forKey key: String) -> MetadataValue {
        guard let known = Catalogue.metadataKey(key) else { return .string(text) }
        switch known.valueKind {
        case .string: return .string(text)
        case .number, .enumeration: return number(text).map(MetadataValue.number) ?? .string(text)
        case .boolean: return boolean(text) ?? .string(text)
        case .date: return date(text) ?? .string(text)
        case .quantity: return quantity(text) ?? .string(text)
        }
    }

    private static func number(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { ExportNumber.parse($0) }
    }

    private static func boolean(_ text: String) -> MetadataValue? {
        switch text {
        case "1", "YES", "true": .number(1)
        case "0", "NO", "false": .number(0)
        default: number(text).map(MetadataValue.number)
        }
    }

    private static func date(_ text: String) -> MetadataValue? {
        var text = text
        return text.withUTF8 { ExportDate.seconds($0) }.map(MetadataValue.date)
    }

    /// Parses a quantity such as `47.6 degF`: everything after the first space is the unit.
    private static func quantity(_ text: String) -> MetadataValue? {
        guard let space = text.firstIndex(of: " "), let value = number(String(text[..<space]))
        else {
            return nil
        }
        let unit = String(text[text.index(after: space)...])
        return unit.isEmpty ? nil : .quantity(value, unit: unit)
    }
}
