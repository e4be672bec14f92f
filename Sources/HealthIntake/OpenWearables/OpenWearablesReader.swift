import HealthEngine
import HealthStorage

/// Reads requests of the SDK of Open Wearables, versions 0.6 and 0.13.
///
/// ```json
/// {"provider": "apple", "sdkVersion": "0.13.0", "syncTimestamp": "2026-03-01T08:20:00Z",
///  "data": {"workouts": [], "records": [], "sleep": []}}
/// ```
/// Each record has HealthKit's UUID. Times are whole seconds in UTC. The SDK sends no deletions, no
/// routes and no correlations: a blood pressure arrives as two records.
struct OpenWearablesReader {
    let request: IntakeRequest
    private let units = IntakeUnit.Cache()
    private let sources = OpenWearablesSources()

    init(_ request: IntakeRequest) { self.request = request }

    func read(into pages: inout IntakePages) throws {
        var reader = JSONReader(request.body)
        guard try reader.nextKind() == .object else { throw OpenWearablesReader.otherShape }
        // The order of members is arbitrary, and nothing may be stored of another provider. So
        // the data are read after all other members.
        var provider = JSONValue.null
        var data: Int?
        var others: [(name: String, offset: Int)] = []
        try reader.readObject { name, reader in
            switch name {
            case "provider":
                provider = try reader.readValue()
                return
            case "data": data = reader.offset
            case "sdkVersion", "syncTimestamp": break
            default:
                if others.count < OpenWearablesReader.maximumOthers {
                    others.append((name, reader.offset))
                }
            }
            try reader.skipValue()
        }
        try reader.requireEnd()
        guard provider == .null || provider.string?.lowercased() == "apple" else {
            throw IntakeError.unsupportedProvider
        }
        guard let data else { throw OpenWearablesReader.otherShape }
        reader.seek(to: data)
        guard try reader.nextKind() == .object else { throw OpenWearablesReader.otherShape }
        try reader.readObject { name, reader in
            try readMember(name, List(rawValue: name), &reader, into: &pages)
        }
        for other in others {
            reader.seek(to: other.offset)
            try readMember(other.name, nil, &reader, into: &pages)
        }
    }

    /// The lists of the data.
    private enum List: String {
        case records, sleep, workouts
    }

    /// The maximum number of unknown members beside the data that are kept.
    private static let maximumOthers = 100

    private static let otherShape = IntakeError.notThisDialect(
        expected: "“data” with “records”, “sleep” or “workouts”")

    /// Reads a list, or keeps a member that isn't known. A member that isn't an array is one
    /// record, and null is none.
    private func readMember(
        _ name: String, _ list: List?, _ reader: inout JSONReader, into pages: inout IntakePages
    ) throws {
        guard try reader.nextKind() == .array else {
            let value = try reader.readValue()
            guard value != .null, try pages.beginRecord() else { return }
            if list == nil {
                pages.keepUnknown(name, value)
            } else {
                pages.reject(.type, field: name, value)
            }
            return
        }
        try reader.readArray { reader in
            guard try pages.beginRecord() else { return try reader.skipValue() }
            let record = try reader.readValue()
            guard let list else { return pages.keepUnknown(name, record) }
            guard record.members != nil else {
                return pages.reject(.type, field: name, record)
            }
            switch list {
            case .records: addRecord(record, to: &pages)
            case .sleep: addSleep(record, to: &pages)
            case .workouts: addWorkout(record, to: &pages)
            }
        }
    }

    // MARK: - Records

    private func addRecord(_ record: JSONValue, to pages: inout IntakePages) {
        guard let frame = Frame(record, sources, &pages) else { return }
        guard let identifier = record["type"]?.string,
            let type = Catalogue.type(identifier: identifier)
        else { return pages.keepUnknown(record["type"]?.string ?? "type", record) }
        var sample = frame.sample(type)
        switch type.kind {
        case .quantity:
            guard let value = record["value"]?.number else {
                return pages.reject(.value, field: "value", id: frame.id, record)
            }
            let text = record["unit"]?.string ?? ""
            // The SDK multiplies oxygen saturation by 100, and no other percentage.
            let percentage: IntakeUnit.Percentage =
                identifier == "HKQuantityTypeIdentifierOxygenSaturation" ? .hundred : .fraction
            guard let unit = units.sent(text, for: type, percentage) else {
                return pages.reject(.unit, field: "unit", id: frame.id, record)
            }
            let converted = unit.converted(value)
            guard PercentageRange.holds(converted, type) else {
                return pages.reject(.range, field: "value", id: frame.id, record)
            }
            sample.value = converted
            sample.origin.unit = unit.symbol
        case .category:
            guard let value = record["value"]?.integer else {
                return pages.reject(.value, field: "value", id: frame.id, record)
            }
            sample.value = Double(value)
        default: return pages.keepUnknown(identifier, record)
        }
        pages.add(sample)
    }

    private func addSleep(_ record: JSONValue, to pages: inout IntakePages) {
        guard let frame = Frame(record, sources, &pages) else { return }
        guard let type = Catalogue.type(named: "sleepAnalysis") else { return }
        guard let stage = record["stage"]?.string, let value = Self.stages[stage.lowercased()]
        else {
            return pages.keepUnknown("sleep stage \(record["stage"]?.string ?? "")", record)
        }
        var sample = frame.sample(type)
        sample.value = value
        pages.add(sample)
    }

    /// HealthKit's values of the SDK's stages. Version 0.6 calls core sleep "light".
    private static let stages: [String: Double] = [
        "in_bed": 0, "sleeping": 1, "awake": 2, "light": 3, "core": 3, "deep": 4, "rem": 5,
    ]

    private func addWorkout(_ record: JSONValue, to pages: inout IntakePages) {
        guard let frame = Frame(record, sources, &pages) else { return }
        guard let type = Catalogue.type(identifier: "HKWorkoutTypeIdentifier") else { return }
        var sample = frame.sample(type)
        let workout = OpenWearablesWorkout(record, start: frame.start, end: frame.end)
        sample.detail = .workout(workout.workout)
        sample.metadata.merge(workout.metadata) { given, _ in given }
        pages.add(sample)
    }
}

/// What every record of the SDK has: its UUID, times and source.
private struct Frame {
    let id: String
    let uuid: SampleUUID
    let start: Double
    let end: Double
    private let source: Source
    private let origin: Origin
    private let metadata: Metadata

    /// Reads the common fields. Rejects a record in which they are invalid, and returns nil.
    init?(
        _ record: JSONValue, _ sources: OpenWearablesSources, _ pages: inout IntakePages
    ) {
        let id = record["id"]?.string
        guard let id, let uuid = SampleUUID(id) else {
            pages.reject(.identifier, field: "id", id: id, record)
            return nil
        }
        guard let start = IntakeDate.reading(record["startDate"]?.string ?? "") else {
            pages.reject(.date, field: "startDate", id: id, record)
            return nil
        }
        guard let end = IntakeDate.reading(record["endDate"]?.string ?? "") else {
            pages.reject(.date, field: "endDate", id: id, record)
            return nil
        }
        guard end.seconds >= start.seconds else {
            pages.reject(.endBeforeStart, field: "endDate", id: id, record)
            return nil
        }
        (self.id, self.uuid, self.start, self.end) = (id, uuid, start.seconds, end.seconds)
        (source, origin) = sources.source(record["source"] ?? .null)
        metadata = Frame.metadata(record)
    }

    func sample(_ type: SampleType) -> ReceivedSample {
        ReceivedSample(
            type: type.code, identity: .healthKit(uuid), source: source, origin: origin,
            start: start, end: end, metadata: metadata)
    }

    /// HealthKit's metadata, which the SDK writes as text, and the sample's offset from UTC.
    private static func metadata(_ record: JSONValue) -> Metadata {
        var metadata: Metadata = [:]
        for member in record["metadata"]?.members ?? [] where member.value != .null {
            metadata[member.name] = TextMetadata.value(member.value, of: member.name)
        }
        if let offset = record["zoneOffset"]?.string {
            metadata["openwearables.zoneOffset"] = .string(offset)
        }
        return metadata
    }
}
