import HealthEngine
import HealthStorage

extension ExportReader {
    // MARK: - The person

    private static let maximumFactLength = 4096

    /// Reads the person's characteristics from the first `Me` element. Returns false if the file
    /// ends inside it.
    ///
    /// The tag is kept as text, and counted, if it exceeds the limits of ``facts(of:)``, or if it
    /// is a further `Me` with other values than the first.
    func me(_ tag: Tag) throws -> Bool {
        for attribute in tag.attributes {
            let name = attribute.nameString
            if Catalogue.characteristic(identifier: name) == nil {
                tally.unknownAttributes.add("Me." + name)
            }
        }
        let facts = ExportReader.facts(of: tag)
        if facts.leftOut > 0 { try keep(tag, .malformed) }
        if !hasMe {
            hasMe = true
            characteristics = facts.known
        } else if facts.known.contains(where: { characteristics[$0] != $1 }) {
            tally.repairs["contradictingMe", default: 0] += 1
            try keep(tag, .malformed)
        }
        return try skipChildren(of: tag)
    }

    /// Returns the attributes of a `Me` element by name, and the number of those left out: beyond
    /// 2,000 attributes, or with a name or value longer than 4 KiB. The first of several attributes
    /// with the same name counts.
    static func facts(of tag: Tag) -> (known: [String: String], leftOut: Int) {
        var (facts, leftOut) = ([String: String](), 0)
        for attribute in tag.attributes {
            guard facts.count < NameCounts.limit, attribute.value.count <= maximumFactLength,
                attribute.nameCount <= maximumFactLength
            else {
                leftOut += 1
                continue
            }
            let name = attribute.nameString
            if facts[name] == nil { facts[name] = attribute.string }
        }
        return (facts, leftOut)
    }

    // MARK: - Correlations

    func correlation(_ tag: Tag) throws -> Bool {
        let attributes = RecordAttributes(tag)
        guard let typeName = attributes.type, !typeName.value.isEmpty else {
            return try quarantineGroup(tag, kind: .correlation, .noType)
        }
        guard SampleType.kind(ofIdentifier: typeName.string) == .correlation else {
            return try quarantineGroup(tag, kind: .correlation, .wrongElement)
        }
        let times: SampleTimes
        switch SampleTimes.read(attributes, &dates) {
        case .success(let read): times = read
        case .failure(let fault): return try quarantineGroup(tag, kind: .correlation, fault)
        }
        guard let type = try types.number(typeName, register: type(identifier:)) else {
            return try quarantineGroup(tag, kind: .correlation, .tooManyTypes)
        }
        guard let origin = origins.number(attributes) else {
            return try quarantineGroup(tag, kind: .correlation, .tooManySources)
        }
        var entries = MetadataEntries()
        for attribute in attributes.others + [attributes.unit, attributes.value].compactMap({ $0 })
        {
            note(attribute, of: "Correlation", keepIn: &entries)
        }
        let index = append(code: types.entries[type].code, origin, times)
        let isComplete = try children(of: tag) { child in
            if child.name.equals("Record") { return try member(child, of: index) }
            if child.name.equals("MetadataEntry") {
                return try metadataEntry(child, into: &entries)
            }
            count(child)
            return try keepRaw(child, .unknown)
        }
        guard isComplete else { return dropIncomplete("Correlation", from: index) }
        batch.samples[index].metadata = metadata.index(of: &entries)
        return true
    }

    /// Appends the sample of a correlation or workout to the batch. Returns its index.
    func append(code: Int32, _ origin: Int32, _ times: SampleTimes) -> Int {
        batch.samples.append(
            Sample(
                type: code, origin: origin, start: times.start, end: times.end,
                created: times.created))
        return batch.samples.count - 1
    }

    // MARK: - Activity summaries

    func activitySummary(_ tag: Tag) throws -> Bool {
        guard let date = tag.string("dateComponents"), let day = ExportReader.day(date) else {
            return try quarantineGroup(tag, kind: .activitySummary, .badDate)
        }
        guard abs(day) < SampleTimes.limit else {
            return try quarantineGroup(tag, kind: .activitySummary, .impossibleDate)
        }
        var summary = ActivitySummary(date: date)
        for attribute in tag.attributes {
            let number = ExportNumber.parse(attribute.value)
            if number == nil, ExportReader.ringNumbers.contains(attribute.nameString) {
                try keep(tag, .malformed)
            }
            switch attribute.nameString {
            case "dateComponents": continue
            case "activeEnergyBurned": summary.activeEnergyBurned = number
            case "activeEnergyBurnedGoal": summary.activeEnergyBurnedGoal = number
            case "activeEnergyBurnedUnit": summary.activeEnergyBurnedUnit = attribute.string
            case "appleMoveTime", "appleMoveMinutes": summary.appleMoveTime = number
            case "appleMoveTimeGoal", "appleMoveMinutesGoal": summary.appleMoveTimeGoal = number
            case "appleExerciseTime": summary.appleExerciseTime = number
            case "appleExerciseTimeGoal": summary.appleExerciseTimeGoal = number
            case "appleStandHours": summary.appleStandHours = number
            case "appleStandHoursGoal": summary.appleStandHoursGoal = number
            default:
                tally.unknownAttributes.add("ActivitySummary." + attribute.nameString)
                try keep(tag, .unknown)
            }
        }
        if summaries[date] != nil {
            tally.repairs["activitySummaryReplaced", default: 0] += 1
            tally.superseded += 1
        }
        summaries[date] = summary
        return try skipChildren(of: tag)
    }

    private static let ringNumbers = Set(
        [
            "activeEnergyBurned", "appleMoveTime", "appleMoveMinutes", "appleExerciseTime",
            "appleStandHours",
        ].flatMap { [$0, $0 + "Goal"] })

    static func day(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { ExportDate.day($0) }
    }

    func writeSummaries() throws {
        if summaries.isEmpty { return }
        let code = try type(identifier: ExportReader.activitySummaryType)
        let origin = origins.sourceless()
        for (date, summary) in summaries.sorted(by: { $0.key < $1.key }) {
            guard let start = ExportReader.day(date) else { continue }
            batch.details[batch.samples.count] = .activitySummary(summary)
            batch.samples.append(Sample(type: code, origin: origin, start: start, end: start))
        }
    }

    static let activitySummaryType =
        Catalogue.types.first { $0.kind == .activitySummary }?.identifier
        ?? "HKActivitySummaryTypeIdentifier"

    // MARK: - Final counts

    func finishTally() {
        for (repair, count) in scanner.repairs where count > 0 {
            tally.repairs[repair.rawValue, default: 0] += count
        }
        switch scanner.ending {
        case .truncated(let offset)?: tally.truncatedAt = offset
        case .noElement?: tally.truncatedAt = scanner.offset
        case .complete?, nil: break
        }
        if metadata.repeatedKeys > 0 {
            tally.repairs["repeatedMetadataKey"] = metadata.repeatedKeys
        }
    }

    /// Counts samples of unknown types, and units that are unknown or incompatible with their type;
    /// for a quantity also a missing unit. Covers the samples since the last call.
    func tallyTypes() {
        for (pair, count) in types.takeCounts() {
            let entry = types.entries[pair.type]
            if !entry.isKnown { tally.unknownTypes.add(entry.identifier, count) }
            if let unit = unknownUnit(of: entry, origin: pair.origin) {
                tally.unknownUnits.add(unit, count)
            }
        }
    }

    /// Returns the unit of an origin if it is unknown or doesn't fit a type; nil if it does.
    func unknownUnit(of entry: TypeTable.Entry, origin: Int32) -> String? {
        guard let symbol = origins.origins[Int(origin)].unit else {
            return entry.kind == .quantity ? "(none)" : nil
        }
        let unit = try? HealthUnit(symbol)
        let fits =
            entry.canonicalUnit.map { unit?.isCompatible(with: $0) ?? false } ?? (unit != nil)
        return fits ? nil : symbol
    }
}

extension ExportReader {
    /// The known attributes of elements other than samples. For samples see ``RecordAttributes``.
    private static let knownAttributes: [String: Set<String>] = [
        ClinicalRecordElement.name: ClinicalRecordElement.attributes,
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
        "SensitivityPoint": sensitivityPointAttributes,
        "RightEye": eyeAttributes, "LeftEye": eyeAttributes, "Attachment": ["identifier"],
    ]

    /// Counts the unknown attributes of an element in ``knownAttributes`` and keeps its tag if
    /// there are any.
    func noteUnknownAttributes(of tag: Tag) throws {
        let element = tag.nameString
        guard let known = ExportReader.knownAttributes[element] else { return }
        let unknown = tag.attributes.map(\.nameString).filter { !known.contains($0) }
        if unknown.isEmpty { return }
        for name in unknown { tally.unknownAttributes.add(element + "." + name) }
        try keep(tag, .unknown)
    }

    /// Returns an element's `duration` in seconds; without `durationUnit` it is in minutes. Returns
    /// nil if it is missing or not a number. An unknown unit, or one that isn't a time, and an
    /// infinite result also give nil; then the tag is kept as text and counted.
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
