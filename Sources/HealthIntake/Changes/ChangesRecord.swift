import HealthEngine
import HealthStorage

/// A record of this project's own protocol that is understood.
enum ChangesRecord {
    case sample(ReceivedSample, SampleUUID, members: [SampleUUID])
    case deletion(SampleUUID, IntakeDeletion.Reason)

    /// Reads a record. Kinds, types and details of later versions are unknown by their names.
    init(_ record: JSONValue) throws(UnreadableRecord) {
        guard let kind = record["kind"]?.string else { throw .unknown("kind") }
        switch kind {
        case "sample":
            let uuid = try ChangesFields.uuid(record["uuid"], "uuid")
            self = .sample(
                try ChangesRecord.sample(record, uuid), uuid,
                members: try ChangesRecord.members(of: record))
        case "deletion":
            let uuid = try ChangesFields.uuid(record["uuid"], "uuid")
            self = .deletion(uuid, try ChangesRecord.reason(of: record))
        default: throw .unknown(kind)
        }
    }

    /// A deletion is final, so one with another reason isn't one.
    private static func reason(
        of record: JSONValue
    ) throws(UnreadableRecord) -> IntakeDeletion.Reason {
        guard let value = record["reason"] else { return .deleted }
        guard let reason = value.string.flatMap(IntakeDeletion.Reason.init(rawValue:)) else {
            throw .unknown("deletion.reason")
        }
        return reason
    }

    private static func members(
        of record: JSONValue
    ) throws(UnreadableRecord) -> [SampleUUID] {
        guard let value = record["members"] else { return [] }
        guard let elements = value.array else { throw .invalid(.identifier, field: "members") }
        var members: [SampleUUID] = []
        for element in elements { members.append(try ChangesFields.uuid(element, "members")) }
        return members
    }

    // MARK: - Samples

    private static func sample(
        _ record: JSONValue, _ uuid: SampleUUID
    ) throws(UnreadableRecord) -> ReceivedSample {
        guard let identifier = record["type"]?.string else { throw .invalid(.type, field: "type") }
        guard let type = Catalogue.type(identifier: identifier) else { throw .unknown(identifier) }
        let detail = try ChangesDetail.detail(of: record, type)
        let span = try span(of: record, detail)
        var sample = ReceivedSample(
            type: type.code, identity: .healthKit(uuid),
            source: Source(
                name: record["source"]?["name"]?.string ?? "",
                bundleIdentifier: record["source"]?["bundleIdentifier"]?.string ?? ""),
            origin: ChangesFields.origin(record), start: span.start, end: span.end,
            metadata: try ChangesFields.metadata(record["metadata"]), detail: detail)
        if let created = record["created"] {
            sample.created = try ChangesFields.instant(created, "created")
        }
        switch type.kind {
        case .quantity: try addQuantity(of: record, type, to: &sample)
        case .category:
            guard let value = record["value"]?.integer else {
                throw .invalid(.value, field: "value")
            }
            sample.value = Double(value)
        case .correlation:
            guard record["members"]?.array?.isEmpty == false else {
                throw .invalid(.identifier, field: "members")
            }
        case .workout, .activitySummary, .other: break
        }
        return sample
    }

    /// Returns start and end. An activity summary has a date instead.
    private static func span(
        of record: JSONValue, _ detail: SampleDetail?
    ) throws(UnreadableRecord) -> (start: Double, end: Double) {
        if case .activitySummary(let summary)? = detail {
            guard let date = CivilDate(summary.date), date.isInCalendar else {
                throw .invalid(.date, field: "detail.activitySummary.date")
            }
            let start = Double(date.dayNumber) * 86_400
            return (start, start)
        }
        let start = try ChangesFields.instant(record["start"], "start")
        let end = try ChangesFields.instant(record["end"], "end")
        guard end >= start else { throw .invalid(.endBeforeStart, field: "end") }
        return (start, end)
    }

    private static func addQuantity(
        of record: JSONValue, _ type: SampleType, to sample: inout ReceivedSample
    ) throws(UnreadableRecord) {
        guard let value = record["value"]?.number else { throw .invalid(.value, field: "value") }
        guard let unit = record["unit"]?.string, let canonical = type.canonicalUnit,
            IntakeUnit(unit).isCompatible(with: canonical)
        else { throw .invalid(.unit, field: "unit") }
        guard PercentageRange.holds(value, type) else { throw .invalid(.range, field: "value") }
        sample.value = value
        sample.origin.unit = unit
    }
}
