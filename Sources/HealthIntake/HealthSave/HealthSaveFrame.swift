import HealthEngine
import HealthStorage

/// What all samples of HealthSave have: times, a source, and a UUID in version 2.
struct HealthSaveFrame {
    /// HealthKit's UUID; nil if the record has none.
    let uuid: SampleUUID?
    let start: Double
    let end: Double
    private let batch: HealthSaveBatch
    private let source: Source
    private let metadata: Metadata

    init(
        _ record: JSONValue, of batch: HealthSaveBatch, _ type: SampleType
    ) throws(UnreadableRecord) {
        self.batch = batch
        uuid = SampleUUID(record["uuid"]?.string ?? "")
        if uuid == nil, record["uuid"] != nil { throw .invalid(.identifier, field: "uuid") }
        guard let first = try HealthSaveTime(record, HealthSaveTime.starts) else {
            throw .invalid(.date, field: "startDate")
        }
        if first.isDay { throw .invalid(.date, field: first.field) }
        start = first.seconds
        if let last = try HealthSaveTime(record, HealthSaveTime.ends) {
            if last.isDay { throw .invalid(.date, field: last.field) }
            guard last.seconds >= first.seconds else {
                throw .invalid(.endBeforeStart, field: last.field)
            }
            end = last.seconds
        } else {
            // Readings are instants. The duration of an amount or a state isn't guessed.
            guard type.kind == .quantity, type.aggregation != .cumulative else {
                throw .invalid(.date, field: "endDate")
            }
            end = first.seconds
        }
        source = HealthSaveFrame.source(of: record, batch)
        metadata = HealthSaveFrame.metadata(of: record, batch, type)
    }

    /// Creates a sample without a value.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - identity: The identity of a record without a UUID.
    func sample(_ type: SampleType, orElse identity: IntakeIdentity) -> ReceivedSample {
        ReceivedSample(
            type: type.code, identity: uuid.map(IntakeIdentity.healthKit) ?? identity,
            source: source,
            origin: Origin(source: 0, device: batch.device, productType: batch.productType),
            start: start, end: end, created: batch.receivedAt, metadata: metadata)
    }

    /// The name of a record's source; empty if it has none.
    static func sourceName(of record: JSONValue) -> String {
        record["source"]?.string ?? record["source"]?["name"]?.string ?? ""
    }

    /// Returns the source of a record. One batch can have records of several sources, so its bundle
    /// identifier doesn't identify a source that the record names.
    private static func source(of record: JSONValue, _ batch: HealthSaveBatch) -> Source {
        let name = sourceName(of: record)
        return Source(name: name, bundleIdentifier: name.isEmpty ? batch.bundleIdentifier : "")
    }

    private static func metadata(
        of record: JSONValue, _ batch: HealthSaveBatch, _ type: SampleType
    ) -> Metadata {
        var metadata: Metadata = [:]
        if !batch.bundleIdentifier.isEmpty, !sourceName(of: record).isEmpty {
            metadata["healthsave.source_bundle_id"] = .string(batch.bundleIdentifier)
        }
        if let offset = HealthSaveTime.offset(of: record) {
            metadata["healthsave.tzOffsetMinutes"] = .number(Double(offset / 60))
        }
        if type.name == "heartRate", let word = record["motionContext"]?.string,
            let context = Catalogue.value(named: word, of: "HKHeartRateMotionContext")
        {
            metadata["HKMetadataKeyHeartRateMotionContext"] = .number(Double(context.rawValue))
        }
        return metadata
    }
}
