import HealthEngine
import HealthStorage

/// What all samples of Open Health Exporter have: a UUID, times, a source and metadata.
struct OpenHealthExporterFrame {
    /// What a record without `end` is.
    enum MissingEnd {
        /// Invalid.
        case invalid
        /// An instant.
        case instant
    }

    let uuid: SampleUUID
    let start: Double
    let end: Double
    private let source: Source
    private let origin: Origin
    private let metadata: Metadata
    private let created: Double

    init(
        _ record: JSONValue, receivedAt: Double, missingEnd: MissingEnd = .invalid
    ) throws(UnreadableRecord) {
        uuid = try OpenHealthExporterFrame.uuid(record, "uuid")
        start = try OpenHealthExporterFrame.instant(record, "start")
        let isInstant = missingEnd == .instant && record["end"] == nil
        end = try isInstant ? start : OpenHealthExporterFrame.instant(record, "end")
        guard end >= start else { throw .invalid(.endBeforeStart, field: "end") }
        source = Source(
            name: record["source"]?["name"]?.string ?? "",
            bundleIdentifier: record["source"]?["bundleId"]?.string ?? "")
        origin = OpenHealthExporterFrame.origin(record)
        metadata = OpenHealthExporterFrame.metadata(record)
        let observed = try? OpenHealthExporterFrame.instant(record, "observedAt")
        created = observed ?? receivedAt
    }

    /// Creates a sample without a value.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - uuid: The UUID of a component; nil for the UUID of the record.
    func sample(_ type: SampleType, uuid: SampleUUID? = nil) -> ReceivedSample {
        ReceivedSample(
            type: type.code, identity: .healthKit(uuid ?? self.uuid), source: source,
            origin: origin, start: start, end: end, created: created, metadata: metadata)
    }

    // MARK: - Fields

    /// Reads a UUID in lower or upper case.
    static func uuid(_ record: JSONValue, _ field: String) throws(UnreadableRecord) -> SampleUUID {
        guard let uuid = SampleUUID(record[field]?.string ?? "") else {
            throw .invalid(.identifier, field: field)
        }
        return uuid
    }

    /// Reads a time of RFC 3339 with up to 9 decimals. One without an offset from UTC is invalid.
    static func instant(_ record: JSONValue, _ field: String) throws(UnreadableRecord) -> Double {
        guard let date = IntakeDate.reading(record[field]?.string ?? ""), date.offset != nil else {
            throw .invalid(.date, field: field)
        }
        return date.seconds
    }

    private static func origin(_ record: JSONValue) -> Origin {
        func text(_ object: String, _ field: String) -> String? {
            record[object]?[field]?.string.flatMap { $0.isEmpty ? nil : $0 }
        }
        let device = Device(
            name: text("device", "name"), manufacturer: text("device", "manufacturer"),
            model: text("device", "model"), hardwareVersion: text("device", "hardwareVersion"),
            softwareVersion: text("device", "softwareVersion"))
        return Origin(
            source: 0, device: device == Device() ? nil : device,
            productType: text("source", "productType"))
    }

    /// Returns HealthKit's metadata of a record.
    ///
    /// The zone of a record is mostly the phone's at the time of sending. Only a zone that comes
    /// from the sample's metadata is kept.
    private static func metadata(_ record: JSONValue) -> Metadata {
        var metadata: Metadata = [:]
        for member in record["metadata"]?.members ?? [] {
            metadata[member.name] = OpenHealthExporterMetadata.value(member.value, of: member.name)
        }
        if let isEntered = record["wasUserEntered"]?.bool {
            metadata["HKWasUserEntered"] = .number(isEntered ? 1 : 0)
        }
        if record["tzSource"]?.string == "sampleMetadata", metadata["HKTimeZone"] == nil,
            let zone = record["tzId"]?.string, !zone.isEmpty
        {
            metadata["HKTimeZone"] = .string(zone)
        }
        return metadata
    }
}
