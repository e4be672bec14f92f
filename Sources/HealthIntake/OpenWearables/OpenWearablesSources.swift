import HealthEngine

/// The sources of a body's records. Each record repeats its source, and a body has few of them.
final class OpenWearablesSources {
    private var known: [(sent: JSONValue, source: Source, origin: Origin)] = []
    /// The number of sources that are kept.
    private static let limit = 8

    /// Returns the source of a record, and its device and system.
    ///
    /// - Parameter sent: The record's member “source”; null for none.
    func source(_ sent: JSONValue) -> (Source, Origin) {
        if let found = known.first(where: { $0.sent == sent }) {
            return (found.source, found.origin)
        }
        let source = Source(
            name: sent["name"]?.string ?? "", bundleIdentifier: sent["appId"]?.string ?? "")
        let origin = OpenWearablesSources.origin(sent)
        // A description can have any size, so that keeping every one would use much memory.
        if sent.text.utf8.count <= 2_000 {
            if known.count == OpenWearablesSources.limit { known.removeFirst() }
            known.append((sent, source, origin))
        }
        return (source, origin)
    }

    private static func origin(_ source: JSONValue) -> Origin {
        func text(_ name: String) -> String? {
            source[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
        }
        let device = Device(
            name: text("deviceName"), manufacturer: text("deviceManufacturer"), model: nil,
            hardwareVersion: text("deviceHardwareVersion"),
            softwareVersion: text("deviceSoftwareVersion"))
        let hasDevice = device != Device()
        let version = source["operatingSystemVersion"]
        let numbers = ["majorVersion", "minorVersion", "patchVersion"]
            .compactMap { version?[$0]?.integer }
        return Origin(
            source: 0, version: nil, device: hasDevice ? device : nil,
            productType: text("deviceModel"),
            operatingSystemVersion: numbers.count == 3
                ? numbers.map(String.init).joined(separator: ".") : nil)
    }
}
