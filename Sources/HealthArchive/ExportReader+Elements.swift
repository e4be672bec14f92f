import HealthEngine
import HealthStorage

extension ExportReader {
    // MARK: - Walking the tree

    /// Visits the children of an element; false if the file ended inside it.
    ///
    /// `visit` reads a child's own children too, and says whether it was whole.
    func children(of tag: Tag, _ visit: (Tag) throws -> Bool) throws -> Bool {
        if tag.isEmpty { return true }
        let depth = tag.depth
        while let event = try scanner.next() {
            switch event {
            case .start(let child):
                if try !visit(child) { return false }
            case .end(let end):
                if end.depth <= depth { return true }
            case .text: continue
            case .skipped(let fragment): try lose(fragment)
            }
        }
        return false
    }

    /// Passes over children that no export has, keeping them.
    func skipChildren(of tag: Tag) throws -> Bool {
        try children(of: tag) { child in
            count(child)
            return try keepRaw(child, .unknown)
        }
    }

    func count(_ tag: Tag) { tally.elements[tag.nameString, default: 0] += 1 }

    // MARK: - Keeping what isn't understood

    /// How much of one element is kept, in bytes.
    static let longestKept = 1 << 20

    /// Keeps an element with all it contains as text; false if the file ended inside it.
    func keepRaw(_ tag: Tag, _ reason: SnapshotWriter.RawReason) throws -> Bool {
        let (name, offset) = (tag.nameString, tag.offset)
        if reason == .unknown {
            tally.unknownElements[name, default: 0] += 1
        } else {
            tally.untyped[name, default: 0] += 1
        }
        guard let xml = try rawSubtree(tag) else { return false }
        try writer.keep(xml, element: name, reason: reason, at: offset)
        return true
    }

    /// Keeps one tag, without what it contains.
    func keep(_ tag: Tag, _ reason: SnapshotWriter.RawReason) throws {
        if reason == .malformed { tally.repairs["keptAsText", default: 0] += 1 }
        try writer.keep(
            String(decoding: tag.raw, as: UTF8.self), element: tag.nameString, reason: reason,
            at: tag.offset)
    }

    /// The text of an element with all it contains, up to a limit; nil if the file ended inside it.
    func rawSubtree(_ tag: Tag) throws -> String? {
        var text = Array(tag.raw)
        if tag.isEmpty { return String(decoding: text, as: UTF8.self) }
        let depth = tag.depth
        func add(_ bytes: some Collection<UInt8>) {
            if text.count < ExportReader.longestKept { text.append(contentsOf: bytes) }
        }
        while let event = try scanner.next() {
            switch event {
            case .start(let child):
                if child.name.equals("Record") { recordElements += 1 } else { count(child) }
                add(child.raw)
            case .end(let end):
                add(Array("</".utf8) + Array(end.name) + Array(">".utf8))
                if end.depth <= depth { return String(decoding: text, as: UTF8.self) }
            case .text(let content): add(content.raw)
            case .skipped(let fragment): try lose(fragment)
            }
        }
        return nil
    }

    /// Bytes that are no element: kept, counted, and the export no longer counts as complete.
    func lose(_ fragment: ElementScanner.Fragment) throws {
        if fragment.reason == .unmatchedEndTag { return }
        tally.lose(at: fragment.offset)
        try writer.keep(
            String(decoding: fragment.raw, as: UTF8.self), element: "", reason: .malformed,
            at: fragment.offset)
    }

    // MARK: - The person

    func me(_ tag: Tag) throws -> Bool {
        for attribute in tag.attributes {
            let name = attribute.nameString
            if Catalogue.characteristic(identifier: name) == nil {
                tally.unknownAttributes["Me." + name, default: 0] += 1
            }
            characteristics[name] = attribute.string
        }
        return try skipChildren(of: tag)
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
        switch SampleTimes.read(attributes) {
        case .success(let read): times = read
        case .failure(let fault): return try quarantineGroup(tag, kind: .correlation, fault)
        }
        var entries = MetadataEntries()
        for attribute in attributes.others + [attributes.unit, attributes.value].compactMap({ $0 })
        {
            note(attribute, of: "Correlation", keepIn: &entries)
        }
        let index = try append(typeName, attributes, times)
        let isWhole = try children(of: tag) { child in
            if child.name.equals("Record") { return try record(child, parent: index) }
            if child.name.equals("MetadataEntry") {
                return try metadataEntry(child, into: &entries)
            }
            count(child)
            return try keepRaw(child, .unknown)
        }
        batch.samples[index].metadata = metadata.index(of: &entries)
        return isWhole
    }

    /// Adds the sample of an element that groups others; its index in the batch.
    func append(
        _ typeName: ElementScanner.Attribute, _ attributes: RecordAttributes, _ times: SampleTimes
    ) throws -> Int {
        let type = try types.number(typeName) { try writer.type(identifier: $0) }
        return append(code: types.entries[type].code, attributes, times)
    }

    func append(code: Int32, _ attributes: RecordAttributes, _ times: SampleTimes) -> Int {
        batch.samples.append(
            Sample(
                type: code, origin: origins.number(attributes), start: times.start, end: times.end,
                created: times.created))
        return batch.samples.count - 1
    }

    /// An element that is wrong by itself: kept as text; the records in it are read all the same, and
    /// may repeat others just as if it were right.
    func quarantineGroup(
        _ tag: Tag, kind: SampleType.Kind, _ fault: RecordFault
    ) throws -> Bool {
        tally.quarantined[fault.rawValue, default: 0] += 1
        let (name, offset) = (tag.nameString, tag.offset)
        var text = String(decoding: tag.raw, as: UTF8.self)
        let isWhole = try children(of: tag) { child in
            if child.name.equals("Record") {
                text += String(decoding: child.raw, as: UTF8.self)
                return try record(child, parent: -1)
            }
            count(child)
            return try rawSubtree(child).map { text += $0 } != nil
        }
        try writer.quarantine(text, element: name, kind: kind, at: offset)
        return isWhole
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
                tally.unknownAttributes["ActivitySummary." + attribute.nameString, default: 0] += 1
                try keep(tag, .unknown)
            }
        }
        if summaries[date] != nil { tally.repairs["activitySummaryReplaced", default: 0] += 1 }
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
        let code = try writer.type(identifier: ExportReader.activitySummaryType)
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
        tally.elements["Record"] = recordElements == 0 ? nil : recordElements
        tally.elements["MetadataEntry"] = metadataElements == 0 ? nil : metadataElements
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
        for entry in types.entries {
            let samples = entry.originCounts.reduce(0, +)
            if !entry.isKnown { tally.unknownTypes[entry.identifier] = samples }
            let canonical = Catalogue.type(identifier: entry.identifier)?.canonicalUnit
                .flatMap { try? HealthUnit($0) }
            for (origin, count) in entry.originCounts.enumerated() where count > 0 {
                guard let symbol = origins.origins[origin].unit else {
                    if entry.kind == .quantity { tally.unknownUnits["(none)", default: 0] += count }
                    continue
                }
                let unit = try? HealthUnit(symbol)
                let fits = canonical.map { unit?.isCompatible(with: $0) ?? false } ?? (unit != nil)
                if !fits { tally.unknownUnits[symbol, default: 0] += count }
            }
        }
    }
}

/// The bare wall-clock times of heartbeats: "08:33:44,67", "6:14:48.94 PM".
enum WallClock {
    /// Seconds from `start` to a time of the same reading, known modulo a quarter of an hour, since
    /// neither date nor zone stand with it: all offsets from UTC are quarters of hours, and so are
    /// the twelve hours between AM and PM.
    static func offset(of time: String, from start: Double) -> Double? {
        var numbers: [Double] = [0]
        var scale = 0.0
        for character in time.unicodeScalars {
            if let digit = character.properties.numericValue, (0...9).contains(digit) {
                if scale > 0 {
                    numbers[numbers.count - 1] += digit * scale
                    scale /= 10
                } else {
                    numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + digit
                }
            } else if character == ":" || (character == "." && numbers.count < 3) {
                numbers.append(0)
            } else if (character == "." || character == ",") && numbers.count == 3 {
                scale = 0.1
            }
        }
        guard numbers.count == 3 else { return nil }
        let clock = numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
        let difference = (clock - start).truncatingRemainder(dividingBy: 900)
        let positive = difference < 0 ? difference + 900 : difference
        let rounded = (positive * 1000).rounded() / 1000
        return rounded > 870 ? rounded - 900 : rounded
    }
}
