import HealthCalendar
import HealthEngine
import HealthStorage

/// Reads the fields of records of this project's own protocol.
enum ChangesFields {
    /// Reads a UUID in lower or upper case.
    static func uuid(_ value: JSONValue?, _ field: String) throws(UnreadableRecord) -> SampleUUID {
        guard let uuid = SampleUUID(value?.string ?? "") else {
            throw .invalid(.identifier, field: field)
        }
        return uuid
    }

    /// Reads a time of RFC 3339, exactly. One without an offset from UTC is invalid.
    static func instant(_ value: JSONValue?, _ field: String) throws(UnreadableRecord) -> Double {
        guard let seconds = InstantText.seconds(value?.string ?? "") else {
            throw .invalid(.date, field: field)
        }
        return seconds
    }

    /// Reads a time that can be missing.
    static func optionalInstant(
        _ value: JSONValue?, _ field: String
    ) throws(UnreadableRecord) -> Double? {
        value == nil ? nil : try instant(value, field)
    }

    static func number(_ value: JSONValue?, _ field: String) throws(UnreadableRecord) -> Double {
        guard let number = value?.number else { throw .invalid(.value, field: field) }
        return number
    }

    /// Reads a number that can be missing.
    static func optionalNumber(
        _ value: JSONValue?, _ field: String
    ) throws(UnreadableRecord) -> Double? {
        value == nil ? nil : try number(value, field)
    }

    /// Reads the elements of an array that can be missing.
    static func elements(
        _ value: JSONValue?, _ field: String
    ) throws(UnreadableRecord) -> [JSONValue] {
        guard let value else { return [] }
        guard let elements = value.array else { throw .invalid(.value, field: field) }
        return elements
    }

    static func origin(_ record: JSONValue) -> Origin {
        func text(_ object: String, _ field: String) -> String? {
            record[object]?[field]?.string.flatMap { $0.isEmpty ? nil : $0 }
        }
        let device = Device(
            name: text("device", "name"), manufacturer: text("device", "manufacturer"),
            model: text("device", "model"), hardwareVersion: text("device", "hardwareVersion"),
            firmwareVersion: text("device", "firmwareVersion"),
            softwareVersion: text("device", "softwareVersion"),
            localIdentifier: text("device", "localIdentifier"),
            udiDeviceIdentifier: text("device", "udiDeviceIdentifier"))
        return Origin(
            source: 0, version: text("source", "version"),
            device: device == Device() ? nil : device,
            productType: text("source", "productType"),
            operatingSystemVersion: text("source", "operatingSystemVersion"))
    }

    /// Reads metadata: texts, numbers, booleans, `{"date":…}` and `{"value":…,"unit":…}`.
    static func metadata(_ value: JSONValue?) throws(UnreadableRecord) -> Metadata {
        guard let value else { return [:] }
        guard let members = value.members else { throw .invalid(.value, field: "metadata") }
        var metadata: Metadata = [:]
        for member in members where member.value != .null {
            metadata[member.name] = try entry(member.value)
        }
        return metadata
    }

    private static func entry(_ value: JSONValue) throws(UnreadableRecord) -> MetadataValue {
        switch value {
        case .string(let text): return .string(text)
        case .bool(let flag): return .number(flag ? 1 : 0)
        case .number(let number) where number.isFinite: return .number(number)
        case .object:
            if let date = value["date"] { return .date(try instant(date, "metadata")) }
            if let number = value["value"]?.number, let unit = value["unit"]?.string {
                return .quantity(number, unit: unit)
            }
        default: break
        }
        throw .invalid(.value, field: "metadata")
    }
}
