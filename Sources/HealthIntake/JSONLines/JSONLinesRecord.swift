import HealthCalendar
import HealthEngine
import HealthStorage

/// A line of `openhealth export --format jsonl`.
enum JSONLinesRecord {
    case sample(JSONLinesSample)
    case dayNote(DayNote)
    case medication(Medication)

    /// The types of lines that aren't samples and have no UUID.
    static let otherTypes: Set<String> = ["dayNote", "medication"]

    /// Reads a line.
    init(_ record: JSONValue) throws(UnreadableRecord) {
        switch record["type"]?.string {
        case "dayNote": self = .dayNote(try Self.dayNote(record))
        case "medication": self = .medication(try ChangesDetail.medication(record))
        default: self = .sample(try JSONLinesSample(record))
        }
    }

    private static func dayNote(_ record: JSONValue) throws(UnreadableRecord) -> DayNote {
        guard let day = record["day"]?.string.flatMap({ CivilDate($0) }) else {
            throw .invalid(.date, field: "day")
        }
        guard let text = record["text"]?.string else { throw .invalid(.value, field: "text") }
        return DayNote(
            day: day, text: text,
            modified: try ChangesFields.instant(record["modified"], "modified"))
    }
}

/// A sample of a line, with its source and its members by UUID.
struct JSONLinesSample {
    var uuid: SampleUUID
    /// The identifier of the type.
    var type: String
    var source: Source?
    var origin: Origin
    /// The times and the value; its indices and its type's code aren't set.
    var sample: Sample
    var metadata: Metadata
    var detail: SampleDetail?
    var members: [SampleUUID]
    /// The number of attachments that the line lists. Their bytes aren't in the file.
    var attachments: Int

    init(_ record: JSONValue) throws(UnreadableRecord) {
        guard let type = record["type"]?.string, !type.isEmpty else {
            throw .invalid(.type, field: "type")
        }
        let known = Catalogue.type(identifier: type)
        uuid = try ChangesFields.uuid(record["uuid"], "uuid")
        self.type = type
        source = record["source"]?.string.map {
            Source(name: $0, bundleIdentifier: record["bundleIdentifier"]?.string ?? "")
        }
        origin = JSONLinesSample.origin(record)
        metadata = try JSONLinesSample.metadata(record["metadata"])
        detail = try JSONLinesSample.detail(record, known)
        let span = try JSONLinesSample.span(record, detail)
        sample = Sample(
            type: 0, origin: 0, start: span.start, end: span.end,
            created: try ChangesFields.optionalInstant(record["created"], "created") ?? .nan,
            value: try ChangesFields.optionalNumber(record["value"], "value") ?? .nan)
        attachments = try ChangesFields.elements(record["attachments"], "attachments").count
        members = []
        for member in try ChangesFields.elements(record["members"], "members") {
            members.append(try ChangesFields.uuid(member, "members"))
        }
    }

    /// Returns start and end; an end that is missing isn't known. A summary has a day instead.
    private static func span(
        _ record: JSONValue, _ detail: SampleDetail?
    ) throws(UnreadableRecord) -> (start: Double, end: Double) {
        if case .activitySummary(let summary)? = detail {
            guard let day = CivilDate(summary.date) else {
                throw .invalid(.date, field: "detail.activitySummary.date")
            }
            let start = Double(day.dayNumber) * 86_400
            return (start, start)
        }
        let start = try ChangesFields.instant(record["start"], "start")
        let end =
            try ChangesFields.optionalInstant(record["end"], "end") ?? Sample.undeterminedEnd
        return (start, end)
    }

    private static func origin(_ record: JSONValue) -> Origin {
        let device = record["device"].map { device in
            Device(
                name: device["name"]?.string, manufacturer: device["manufacturer"]?.string,
                model: device["model"]?.string, hardwareVersion: device["hardwareVersion"]?.string,
                firmwareVersion: device["firmwareVersion"]?.string,
                softwareVersion: device["softwareVersion"]?.string,
                localIdentifier: device["localIdentifier"]?.string,
                udiDeviceIdentifier: device["udiDeviceIdentifier"]?.string)
        }
        return Origin(
            source: -1, version: record["sourceVersion"]?.string, device: device,
            unit: record["unit"]?.string)
    }

    /// Reads metadata. Dates are texts, so they are recognized by their key.
    private static func metadata(_ value: JSONValue?) throws(UnreadableRecord) -> Metadata {
        var metadata = try ChangesFields.metadata(value)
        for case (let key, .string(let text)) in metadata
        where Catalogue.metadataKey(key)?.valueKind == .date {
            if let seconds = InstantText.seconds(text) { metadata[key] = .date(seconds) }
        }
        return metadata
    }

    /// Reads the details. Those of a type that isn't in the catalogue are numbers.
    private static func detail(
        _ record: JSONValue, _ type: SampleType?
    ) throws(UnreadableRecord) -> SampleDetail? {
        guard let value = record["detail"] else { return nil }
        guard let type else { throw .unknown("detail") }
        let detail = try ChangesDetail.detail(of: record, type)
        guard case .workout(var workout)? = detail else { return detail }
        // Other senders' paths mean nothing here; those of an own export name its files.
        let routes = value["workout"]?["routes"]?.array ?? []
        for (index, route) in routes.enumerated() where index < workout.routes.count {
            workout.routes[index].path = route["path"]?.string
        }
        return .workout(workout)
    }
}
