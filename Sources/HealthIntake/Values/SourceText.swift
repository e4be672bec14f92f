import HealthEngine

/// Limits on the texts of sources and devices.
///
/// They are names for people, and every query of a store reads them. Senders can write anything, so
/// a longer text ends at the limit, and NUL, which ends a text in SQLite, is left out.
enum SourceText {
    private static let maximumBytes = 1_000

    static func bounded(_ source: Source) -> Source {
        Source(
            name: bounded(source.name), bundleIdentifier: bounded(source.bundleIdentifier))
    }

    static func bounded(_ origin: Origin) -> Origin {
        var origin = origin
        origin.version = origin.version.map(bounded)
        origin.productType = origin.productType.map(bounded)
        origin.operatingSystemVersion = origin.operatingSystemVersion.map(bounded)
        guard var device = origin.device else { return origin }
        let fields: [WritableKeyPath<Device, String?>] = [
            \.name, \.manufacturer, \.model, \.hardwareVersion, \.firmwareVersion,
            \.softwareVersion, \.localIdentifier, \.udiDeviceIdentifier,
        ]
        for field in fields { device[keyPath: field] = device[keyPath: field].map(bounded) }
        origin.device = device
        return origin
    }

    static func bounded(_ text: String) -> String {
        let isPlain = text.utf8.count <= maximumBytes && !text.utf8.contains(0)
        if isPlain { return text }
        var bounded = ""
        for scalar in text.unicodeScalars where scalar != "\0" {
            if bounded.utf8.count + UTF8.width(scalar) > maximumBytes { break }
            bounded.unicodeScalars.append(scalar)
        }
        return bounded
    }
}
