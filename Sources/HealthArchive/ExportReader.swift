import HealthEngine
import HealthStorage

/// Reads the elements of one export into batches and hands these to a store's writer.
///
/// ```
/// HealthData ─┬─ Me, ExportDate
///             ├─ Record ─── MetadataEntry, HeartRateVariabilityMetadataList
///             ├─ Correlation ─── MetadataEntry, Record
///             ├─ Workout ─── MetadataEntry, WorkoutEvent, WorkoutActivity, WorkoutStatistics, …
///             ├─ ActivitySummary
///             └─ anything else: kept as text, counted
/// ```
/// One batch is held at a time, so that memory doesn't grow with the file.
final class ExportReader {
    typealias Tag = ElementScanner.Tag

    static let batchSize = 16_384

    var scanner: ElementScanner
    let writer: SnapshotWriter
    var batch = SampleBatch()
    var origins = OriginTable()
    var types = TypeTable()
    var metadata = MetadataTable()
    var tally = ReadingTally()
    /// The latest row of each day wins, so they wait until the file ends (apple-health-export §2.3).
    var summaries: [String: ActivitySummary] = [:]
    var characteristics: [String: String] = [:]
    /// Counts of the elements that come by the million.
    var recordElements = 0
    var metadataElements = 0
    private var recordEntries = MetadataEntries()
    private let progress: (Int64) -> Void

    init(
        _ scanner: consuming ElementScanner, writer: SnapshotWriter,
        progress: @escaping (Int64) -> Void
    ) {
        self.scanner = scanner
        self.writer = writer
        self.progress = progress
    }

    /// Reads the whole file.
    ///
    /// - Throws: ``ArchiveError`` for a file that can't be read on, `StoreError` for the store.
    func read() throws -> SnapshotCompleteness {
        while let event = try scanner.next() {
            switch event {
            case .start(let tag): try element(tag)
            case .end, .text: continue
            case .skipped(let fragment): try lose(fragment)
            }
            if batch.samples.count >= ExportReader.batchSize { try flush() }
        }
        try writeSummaries()
        try flush()
        writer.setCharacteristics(characteristics)
        finishTally()
        return tally.lost > 0 || tally.truncatedAt != nil ? .damaged : .whole
    }

    private func element(_ tag: Tag) throws {
        if tag.name.equals("Record") {
            let begin = batch.samples.count
            if try !record(tag, parent: nil) { dropIncomplete(from: begin) }
            return
        }
        count(tag)
        let begin = batch.samples.count
        let isWhole: Bool
        switch tag.nameString {
        case "HealthData": return try noteUnknownAttributes(of: tag)
        case "ExportDate":
            try noteUnknownAttributes(of: tag)
            isWhole = try skipChildren(of: tag)
        case "Me": isWhole = try me(tag)
        case "Correlation": isWhole = try correlation(tag)
        case "Workout": isWhole = try workout(tag)
        case "ActivitySummary": isWhole = try activitySummary(tag)
        case "Audiogram", "ClinicalRecord", "VisionPrescription":
            isWhole = try keepRaw(tag, .untyped)
        default: isWhole = try keepRaw(tag, .unknown)
        }
        if !isWhole { dropIncomplete(from: begin) }
    }

    /// An element that the end of the file cut short is not imported; only whole ones are.
    private func dropIncomplete(from begin: Int) {
        for index in begin..<batch.samples.count {
            batch.details[index] = nil
            batch.parents[index] = nil
        }
        batch.samples.removeSubrange(begin...)
    }

    func flush() throws {
        progress(scanner.offset)
        if !batch.samples.isEmpty {
            batch.sources = origins.sources
            batch.origins = origins.origins
            batch.metadata = metadata.sets
            try writer.write(batch)
        }
        batch.samples.removeAll(keepingCapacity: true)
        batch.details.removeAll(keepingCapacity: true)
        batch.parents.removeAll(keepingCapacity: true)
        metadata.beginBatch()
    }

    // MARK: - Records

    /// Reads a record; false if the file ended inside it.
    func record(_ tag: Tag, parent: Int?) throws -> Bool {
        recordElements += 1
        let attributes = RecordAttributes(tag)
        switch try sample(attributes, tag) {
        case .failure(let reason):
            return try quarantine(tag, reason)
        case .success(let sample):
            let index = batch.samples.count
            batch.samples.append(sample)
            if let parent { batch.parents[index] = parent }
            for attribute in attributes.others {
                note(attribute, of: "Record", keepIn: &recordEntries)
            }
            var isWhole = true
            if !tag.isEmpty {
                var beats: [Heartbeat] = []
                isWhole = try children(of: tag) { child in
                    try recordChild(child, start: sample.start, &beats)
                }
                if !beats.isEmpty { batch.details[index] = .heartbeats(beats) }
            }
            batch.samples[index].metadata = metadata.index(of: &recordEntries)
            return isWhole
        }
    }

    private func recordChild(_ child: Tag, start: Double, _ beats: inout [Heartbeat]) throws -> Bool
    {
        if child.name.equals("MetadataEntry") {
            return try metadataEntry(child, into: &recordEntries)
        }
        guard child.name.equals("HeartRateVariabilityMetadataList") else {
            count(child)
            return try keepRaw(child, .unknown)
        }
        count(child)
        try noteUnknownAttributes(of: child)
        return try children(of: child) { beat in
            count(beat)
            guard beat.name.equals("InstantaneousBeatsPerMinute") else {
                return try keepRaw(beat, .unknown)
            }
            if beat.attributes.count > 2 { try noteUnknownAttributes(of: beat) }
            let time = beat.string("time") ?? ""
            if let bpm = beat.number("bpm") {
                beats.append(
                    Heartbeat(bpm: bpm, time: time, offset: WallClock.offset(of: time, from: start))
                )
            } else {
                try keep(beat, .malformed)
            }
            return try skipChildren(of: beat)
        }
    }

    func metadataEntry(_ tag: Tag, into entries: inout MetadataEntries) throws -> Bool {
        metadataElements += 1
        if tag.attributes.count > 2 { try noteUnknownAttributes(of: tag) }
        if !entries.add(tag) { try keep(tag, .malformed) }
        return tag.isEmpty ? true : try skipChildren(of: tag)
    }

    enum RecordFault: String, Error {
        case noType = "no type"
        case badDate = "a date that is none"
        case endBeforeStart = "an end before its start"
        case badValue = "a value that is no number"
        case impossibleDate = "a date no device could have"
        case wrongElement = "a type that this element can't have"
    }

    private func sample(_ attributes: RecordAttributes, _ tag: Tag) throws -> Result<
        Sample, RecordFault
    > {
        guard let typeName = attributes.type, !typeName.value.isEmpty else {
            return .failure(.noType)
        }
        let times: SampleTimes
        switch SampleTimes.read(attributes) {
        case .success(let read): times = read
        case .failure(let fault): return .failure(fault)
        }
        let type = try types.number(typeName) { try writer.type(identifier: $0) }
        var value = Double.nan
        switch types.entries[type].kind {
        case .category:
            value = attributes.value.map { types.categoryValue($0) } ?? 0
            if value.isNaN, let name = attributes.value?.string {
                tally.unknownValues[name, default: 0] += 1
                recordEntries.add(ExportReader.unknownValueKey, name)
            }
        case .quantity:
            guard let number = attributes.value.flatMap({ ExportNumber.parse($0.value) }) else {
                return .failure(.badValue)
            }
            value = number
        case .correlation, .workout, .activitySummary: return .failure(.wrongElement)
        case .other:
            if let text = attributes.value {
                value = ExportNumber.parse(text.value) ?? .nan
                if value.isNaN { recordEntries.add(ExportReader.unknownValueKey, text.string) }
            }
        }
        let origin = origins.number(attributes)
        types.count(type, origin: origin)
        return .success(
            Sample(
                type: types.entries[type].code, origin: origin, start: times.start, end: times.end,
                created: times.created, value: value))
    }

    /// The metadata key under which a value's name is kept that nobody knows.
    static let unknownValueKey = "openhealth.value"

    /// Counts an attribute nobody knows and keeps it with the sample's metadata.
    func note(
        _ attribute: ElementScanner.Attribute, of element: String,
        keepIn entries: inout MetadataEntries
    ) {
        tally.unknownAttributes[element + "." + attribute.nameString, default: 0] += 1
        entries.add(attribute: attribute)
    }

    private func quarantine(_ tag: Tag, _ reason: RecordFault) throws -> Bool {
        recordEntries.removeAll()
        tally.quarantined[reason.rawValue, default: 0] += 1
        let offset = tag.offset
        guard let xml = try rawSubtree(tag) else { return false }
        try writer.quarantine(xml, element: "Record", kind: .quantity, at: offset)
        return true
    }
}

/// Start, end and creation of an element, checked.
struct SampleTimes {
    var start: Double
    var end: Double
    var created: Double

    /// 1861 to 2140, what a UUID of an imported sample can hold.
    static let limit = Double(1 << 42) / 1000 - 1

    static func read(_ attributes: RecordAttributes) -> Result<
        SampleTimes, ExportReader.RecordFault
    > {
        guard let start = attributes.startDate.flatMap({ ExportDate.seconds($0.value) }),
            let end = attributes.endDate.map({ ExportDate.seconds($0.value) }) ?? start
        else { return .failure(.badDate) }
        var created = Double.nan
        if let text = attributes.creationDate {
            guard let date = ExportDate.seconds(text.value) else { return .failure(.badDate) }
            created = date
        }
        guard abs(start) < limit, abs(end) < limit || end == Sample.undeterminedEnd else {
            return .failure(.impossibleDate)
        }
        guard start <= end else { return .failure(.endBeforeStart) }
        return .success(SampleTimes(start: start, end: end, created: created))
    }
}
