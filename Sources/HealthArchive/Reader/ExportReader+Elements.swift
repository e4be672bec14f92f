import HealthEngine
import HealthStorage

extension ExportReader {
    // MARK: - The person

    private static let longestFact = 4096

    /// Reads who the export is of: the first `Me` of a file says it. Another one that says anything else
    /// is kept as text and counted, and so is a fact that is no description of anybody.
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

    /// What a `Me` says of the person, the first of two attributes of one name; and how many are left
    /// out, since nobody is described by thousands of facts, nor by text of any length.
    static func facts(of tag: Tag) -> (known: [String: String], leftOut: Int) {
        var (facts, leftOut) = ([String: String](), 0)
        for attribute in tag.attributes {
            guard facts.count < NameCounts.limit, attribute.value.count <= longestFact,
                attribute.nameCount <= longestFact
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
        let isWhole = try children(of: tag) { child in
            if child.name.equals("Record") { return try member(child, of: index) }
            if child.name.equals("MetadataEntry") {
                return try metadataEntry(child, into: &entries)
            }
            count(child)
            return try keepRaw(child, .unknown)
        }
        guard isWhole else { return dropIncomplete("Correlation", from: index) }
        batch.samples[index].metadata = metadata.index(of: &entries)
        return true
    }

    /// Adds the sample of an element that groups others; its index in the batch.
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

    // MARK: - At the end

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

    /// Tells from the origins that samples came with which units are unknown or don't fit.
    func tallyTypes() {
        for (place, count) in types.takeCounts() {
            let entry = types.entries[place.type]
            if !entry.isKnown { tally.unknownTypes.add(entry.identifier, count) }
            guard let symbol = origins.origins[Int(place.origin)].unit else {
                if entry.kind == .quantity { tally.unknownUnits.add("(none)", count) }
                continue
            }
            let unit = try? HealthUnit(symbol)
            let fits =
                entry.canonicalUnit.map { unit?.isCompatible(with: $0) ?? false } ?? (unit != nil)
            if !fits { tally.unknownUnits.add(symbol, count) }
        }
    }
}
