import HealthEngine
import HealthStorage

extension ExportReader {
    /// What elements other than samples may carry; those of a sample are ``RecordAttributes``.
    private static let knownAttributes: [String: Set<String>] = [
        "HealthData": ["locale"],
        "ExportDate": ["value"],
        "MetadataEntry": ["key", "value"],
        "HeartRateVariabilityMetadataList": [],
        "InstantaneousBeatsPerMinute": ["bpm", "time"],
        "WorkoutEvent": ["type", "date", "duration", "durationUnit"],
        "WorkoutStatistics": [
            "type", "startDate", "endDate", "average", "minimum", "maximum", "sum", "unit",
        ],
        "WorkoutActivity": ["uuid", "startDate", "endDate", "duration", "durationUnit"],
        "WorkoutRoute": [
            "sourceName", "sourceVersion", "device", "creationDate", "startDate", "endDate",
        ],
        "FileReference": ["path"],
        "Location": [
            "date", "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy",
            "course", "speed",
        ],
        "WorkoutZoneGroup": ["type", "source", "unit"],
        "WorkoutZone": ["minimum", "maximum", "duration", "durationUnit"],
    ]

    /// Counts the attributes of an element that nobody knows, and keeps its tag for their sake.
    func noteUnknownAttributes(of tag: Tag) throws {
        let element = tag.nameString
        guard let known = ExportReader.knownAttributes[element] else { return }
        let unknown = tag.attributes.map(\.nameString).filter { !known.contains($0) }
        if unknown.isEmpty { return }
        for name in unknown { tally.unknownAttributes.add(element + "." + name) }
        try keep(tag, .unknown)
    }

    /// An element's `duration` in seconds; nil where it has none, or one that is no number of them:
    /// in a unit that is no time's, or too large; that is counted and kept.
    func seconds(_ tag: Tag) throws -> Double? {
        guard let value = tag.number("duration") else { return nil }
        let symbol = tag.string("durationUnit") ?? "min"
        guard let conversion = ExportReader.toSeconds(symbol) else {
            tally.unknownUnits.add(symbol)
            try keep(tag, .unknown)
            return nil
        }
        let seconds = conversion(value)
        if seconds.isFinite { return seconds }
        try keep(tag, .malformed)
        return nil
    }

    private static func toSeconds(_ symbol: String) -> ((Double) -> Double)? {
        if symbol == "min" { return { $0 * 60 } }
        guard let unit = try? HealthUnit(symbol),
            let conversion = try? unit.conversion(to: HealthUnit("s"))
        else { return nil }
        return { conversion($0) }
    }
}
