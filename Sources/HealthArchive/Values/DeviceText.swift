import HealthEngine

/// Parses the `device` attribute of an export (ExportFormat §2.6):
/// `<<HKDevice: 0x74703ff240>, name:Apple Watch, manufacturer:Apple Inc., hardware:Watch7,11, …>`.
///
/// The number is a memory address that differs in every export, so it is removed before
/// comparisons. Values can contain commas and colons; only a known key after ", " begins the next
/// field.
enum DeviceText {
    private static let keys = [
        "name", "manufacturer", "model", "hardware", "firmware", "software", "localIdentifier",
        "UDIDeviceIdentifier", "FDA UDI", "creation date",
    ]

    /// Returns the bytes after the address, from the first comma on, which are the same in every
    /// export. Returns all bytes of a text in another form.
    static func withoutPointer(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8> {
        guard bytes.count > 12, bytes[0] == UInt8(ascii: "<") || bytes[0] == UInt8(ascii: "&"),
            let comma = bytes.firstIndex(of: UInt8(ascii: ","))
        else { return bytes }
        return UnsafeBufferPointer(rebasing: bytes[comma...])
    }

    /// Returns the device that a decoded attribute describes; nil if the text is empty. A text
    /// without known keys becomes the device's name.
    static func device(_ text: String) -> Device? {
        var body = Substring(text)
        guard !body.isEmpty else { return nil }
        if body.hasPrefix("<<HKDevice:"), let comma = body.firstIndex(of: ",") {
            body = body[body.index(after: comma)...]
            if body.last == ">" { body = body.dropLast() }
            if body.last == ">" { body = body.dropLast() }
        } else if !body.contains(":") {
            return Device(name: text)
        }
        var device = Device()
        var fields: [(key: String, value: String)] = []
        for part in body.split(separator: ", ", omittingEmptySubsequences: false) {
            let trimmed = part.drop { $0 == " " }
            if let key = keys.first(where: { trimmed.hasPrefix($0 + ":") }) {
                fields.append((key, String(trimmed.dropFirst(key.count + 1))))
            } else if !fields.isEmpty {
                fields[fields.count - 1].value += ", " + part
            }
        }
        if fields.isEmpty { return Device(name: text) }
        for (key, value) in fields {
            switch key {
            case "name": device.name = value
            case "manufacturer": device.manufacturer = value
            case "model": device.model = value
            case "hardware": device.hardwareVersion = value
            case "firmware": device.firmwareVersion = value
            case "software": device.softwareVersion = value
            case "localIdentifier": device.localIdentifier = value
            case "UDIDeviceIdentifier", "FDA UDI": device.udiDeviceIdentifier = value
            default: break
            }
        }
        return device
    }
}
