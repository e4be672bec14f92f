import HealthEngine
import HealthStorage

/// Reads the elements of one export into batches and passes these to a closure, which delivers them
/// to the writer.
///
/// ```
/// HealthData ─┬─ Me, ExportDate
///             ├─ Record ─── MetadataEntry, HeartRateVariabilityMetadataList
///             ├─ Correlation ─── MetadataEntry, Record
///             ├─ Workout ─── MetadataEntry, WorkoutEvent, WorkoutActivity, WorkoutStatistics, …
///             ├─ ActivitySummary
///             ├─ Audiogram ─── MetadataEntry, SensitivityPoint
///             ├─ VisionPrescription ─── MetadataEntry, RightEye, LeftEye, Attachment
///             └─ anything else: kept as text, counted
/// ```
/// Memory doesn't grow with the file: one batch is held at a time, and every element and table is
/// bounded. The exceptions are some bytes for each activity summary and each referenced file, and
/// the elements of up to ``ExportLimits/maximumClinicalRecords`` clinical records.
final class ExportReader {
    typealias Tag = ElementScanner.Tag

    static let batchSize = 16_384
    /// The maximum number of parts (heartbeats, points, events …) of one top-level element. Further
    /// parts are left out, and the file then counts as incomplete. Real elements are far below.
    static let maximumParts = 1 << 18
    /// The maximum size of one element's metadata in bytes. Entries beyond it are kept only as
    /// text, and the file then counts as incomplete.
    static let maximumMetadataLength = 1 << 20
    /// A batch is delivered when it has this number of parts or more: some fifty routes, so that
    /// they are written while the next ones are read.
    private static let maximumBatchParts = 1 << 15
    /// A batch is delivered when it has this number of bytes of metadata or more.
    private static let maximumBatchMetadataLength = 4 << 20
    /// Elements kept as text are delivered when they have this number of bytes or more.
    static let maximumBatchTextLength = 4 << 20

    // Exclusivity is unchecked for speed: a check at each access would take as long as scanning.
    // One thread uses the reader, and no closure in it accesses what its caller is modifying.
    @exclusivity(unchecked) var scanner: ElementScanner
    let files: CompanionFiles
    var numbering: TypeNumbering
    @exclusivity(unchecked) var batch = SampleBatch()
    /// The new types, the kept elements and the chunks that are delivered with the batch.
    var pending = ParsedBatch()
    @exclusivity(unchecked) var origins: OriginTable
    @exclusivity(unchecked) var types = TypeTable()
    @exclusivity(unchecked) var metadata = MetadataTable()
    @exclusivity(unchecked) var tally = ReadingTally()
    /// Activity summaries by the text of their day. The last one of a day takes precedence, so they
    /// are written at the end of the file (ExportFormat §2.3).
    var summaries: [String: ActivitySummary] = [:]
    var characteristics: [String: String] = [:]
    var hasMe = false
    /// The clinical records, whose files are read after the XML.
    var clinicalRecords: [ClinicalRecordElement] = []
    /// The size of the texts in ``clinicalRecords``, in bytes.
    var clinicalRecordBytes = 0
    /// The distinct activities of the workout that is being read.
    var seenActivities: Set<WorkoutActivity> = []
    /// A start tag that ended the elements around it, to be read next. Valid until the scanner's
    /// next event.
    var pushedBackTag: Tag?
    /// The depth of the element that ``element(_:)`` reads.
    private(set) var topLevel = 0
    @exclusivity(unchecked) var dates = CachedDateParser()
    @exclusivity(unchecked) private var recordEntries = MetadataEntries()
    private var parts = 0
    private var batchParts = 0
    @exclusivity(unchecked) var chunks: ChunkReading
    private let deliver: (ParsedBatch) throws -> Void

    init(
        _ scanner: consuming ElementScanner, files: CompanionFiles, numbering: TypeNumbering,
        quota: SourceQuota, chunks: ChunkReading = ChunkReading(ExportChunkTable()),
        deliver: @escaping (ParsedBatch) throws -> Void
    ) {
        self.scanner = scanner
        self.files = files
        self.numbering = numbering
        origins = OriginTable(quota)
        self.chunks = chunks
        self.deliver = deliver
        batch.samples.reserveCapacity(ExportReader.batchSize)
    }

    /// Reads the whole file. A truncated XML is read up to its end.
    ///
    /// - Returns: The results other than the samples, which `deliver` has received.
    /// - Throws: ``ArchiveError`` for a file that can't be read to its end, and the errors of
    ///   `deliver`.
    func read() throws -> ExportReading {
        while true {
            try passKnownChunks()
            guard let event = try nextEvent() else { break }
            switch event {
            case .start(let tag): try element(tag)
            case .end(let end): note(end)
            case .text: continue
            case .skipped(let fragment): try recordLoss(of: fragment)
            }
            if isBatchFull { try flush() }
        }
        try writeSummaries()
        try flush()
        tallyTypes()
        finishTally()
        return ExportReading(
            completeness: tally.lost > 0 || tally.truncatedAt != nil ? .damaged : .complete,
            tally: tally, zoneCounts: metadata.zoneCounts, characteristics: characteristics,
            usedFiles: files.used, clinicalRecords: clinicalRecords)
    }

    private func nextEvent() throws -> ElementScanner.Event? {
        guard let tag = pushedBackTag else { return try scanner.next() }
        pushedBackTag = nil
        return .start(tag)
    }

    private func element(_ tag: Tag) throws {
        topLevel = tag.depth
        parts = 0
        if tag.raw.count > ExportLimits.maximumTagLength, try quarantineLong(tag) { return }
        if tag.name.equals("Record") {
            let begin = batch.samples.count
            if try !record(tag, .topLevel) { dropIncomplete("Record", from: begin) }
            return
        }
        count(tag)
        switch tag.nameString {
        case "HealthData": try noteUnknownAttributes(of: tag)
        case "ExportDate":
            try noteUnknownAttributes(of: tag)
            _ = try skipChildren(of: tag)
        case "Me": _ = try me(tag)
        case "Correlation": _ = try correlation(tag)
        case "Workout": _ = try workout(tag)
        case "ActivitySummary": _ = try activitySummary(tag)
        case "ClinicalRecord": _ = try clinicalRecord(tag)
        case "Audiogram": _ = try audiogram(tag)
        case "VisionPrescription": _ = try visionPrescription(tag)
        default: _ = try keepRaw(tag, .unknown)
        }
    }

    /// Removes an element that is truncated by the end of the file. Only complete elements are
    /// imported.
    ///
    /// - Parameters:
    ///   - element: The name of the element.
    ///   - begin: The index in the batch of the element's own sample, which its members follow.
    /// - Returns: false, for the caller to return.
    @discardableResult
    func dropIncomplete(_ element: String, from begin: Int) -> Bool {
        let count = batch.samples.count - begin
        if count > 0 { tally.countTruncated(element, records: count - 1) }
        for index in begin..<batch.samples.count {
            batch.details[index] = nil
            batch.parents[index] = nil
            batch.orphans.remove(index)
        }
        batch.samples.removeSubrange(begin...)
        return false
    }

    var isBatchFull: Bool {
        batch.samples.count >= ExportReader.batchSize
            || batchParts >= ExportReader.maximumBatchParts
            || metadata.byteCount >= ExportReader.maximumBatchMetadataLength
    }

    /// Counts one more part of the top-level element. Returns whether the number of parts is within
    /// the limit; if not, records a loss.
    func countPart(_ tag: Tag) -> Bool {
        parts += 1
        batchParts += 1
        if parts > ExportReader.maximumParts { tally.recordLoss(at: tag.offset) }
        return parts <= ExportReader.maximumParts
    }

    /// Counts points from a route file, which has a limit of its own, as parts of the batch only.
    func countParts(_ count: Int) { batchParts += count }

    /// Delivers the elements kept as text, and new types, without the batch, which may contain an
    /// incomplete element.
    func deliverElements() throws {
        var part = ParsedBatch()
        swap(&part.types, &pending.types)
        swap(&part.elements, &pending.elements)
        pending.textByteCount = 0
        chunks.open = nil
        part.offset = scanner.offset
        try deliver(part)
    }

    /// Delivers the batch. A chunk that is being read isn't recorded, since a batch has whole ones.
    func flush() throws {
        chunks.open = nil
        batchParts = 0
        if !batch.samples.isEmpty {
            batch.sources = origins.sources
            batch.origins = origins.origins
            batch.metadata = metadata.sets
        }
        pending.batch = batch
        pending.offset = scanner.offset
        if !pending.isEmpty { try deliver(pending) }
        pending = ParsedBatch()
        batch = SampleBatch()
        batch.samples.reserveCapacity(ExportReader.batchSize)
        metadata.beginBatch()
        if types.pairCount > ExportLimits.maximumTypeOriginPairs { tallyTypes() }
    }

    // MARK: - Records

    /// Where a record is in the document. It decides whether the sample is a member of another.
    enum RecordNesting {
        case topLevel
        /// In the correlation or workout whose sample has this index in the batch.
        case member(of: Int)
        /// In a correlation, workout or unknown element that isn't stored.
        case orphan
    }

    /// Reads a record into the batch, or quarantines it if it is invalid. Returns false if the file
    /// ends inside it.
    func record(_ tag: Tag, _ nesting: RecordNesting) throws -> Bool {
        tally.records += 1
        if tag.raw.count > ExportLimits.maximumTagLength { return try quarantine(tag, .tooLong) }
        let attributes = RecordAttributes(tag)
        switch try sample(attributes, tag) {
        case .failure(let reason):
            return try quarantine(tag, reason)
        case .success(let sample):
            let index = batch.samples.count
            batch.samples.append(sample)
            switch nesting {
            case .topLevel: break
            case .member(let parent): batch.parents[index] = parent
            case .orphan: batch.orphans.insert(index)
            }
            for attribute in attributes.others {
                note(attribute, of: "Record", keepIn: &recordEntries)
            }
            var isComplete = true
            if !tag.isEmpty {
                var beats: [Heartbeat] = []
                isComplete = try children(of: tag) { child in
                    try recordChild(child, start: sample.start, &beats)
                }
                if !beats.isEmpty { batch.details[index] = .heartbeats(beats) }
            }
            batch.samples[index].metadata = metadata.index(of: &recordEntries)
            return isComplete
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
            if !countPart(beat) { return try skipChildren(of: beat) }
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
        tally.metadataEntries += 1
        if tag.attributes.count > 2 { try noteUnknownAttributes(of: tag) }
        if entries.bytes.count + tag.raw.count > ExportReader.maximumMetadataLength {
            tally.recordLoss(at: tag.offset)
            try keep(tag, .malformed)
        } else if !entries.add(tag) {
            try keep(tag, .malformed)
        }
        return tag.isEmpty ? true : try skipChildren(of: tag)
    }

    enum RecordFault: String, Error {
        case noType = "no type"
        case tooManyTypes = "one type too many"
        case tooManySources = "one source too many"
        case tooLong = "a text too long"
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
        switch SampleTimes.read(attributes, &dates) {
        case .success(let read): times = read
        case .failure(let fault): return .failure(fault)
        }
        guard let type = try types.number(typeName, register: type(identifier:)) else {
            return .failure(.tooManyTypes)
        }
        var value = Double.nan
        switch types.entries[type].kind {
        case .category: value = categoryValue(attributes.value, of: types.entries[type])
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
        guard let origin = origins.number(attributes) else { return .failure(.tooManySources) }
        types.count(type, origin: origin)
        return .success(
            Sample(
                type: types.entries[type].code, origin: origin, start: times.start, end: times.end,
                created: times.created, value: value))
    }

    /// Returns the raw value of a category. An unknown name gives NaN, and is counted and kept.
    ///
    /// A missing value gives 0 for a type without values of its own, such as an event, and
    /// otherwise NaN. "Not applicable" also gives NaN for a known type with its own values: 0 would
    /// turn a night without a sleep stage into one in bed.
    private func categoryValue(
        _ attribute: ElementScanner.Attribute?, of entry: TypeTable.Entry
    ) -> Double {
        let isEvent = entry.enumeration == TypeTable.plainEnumeration
        guard let attribute else {
            if isEvent { return 0 }
            tally.unknownValues.add("(none)")
            return .nan
        }
        if !entry.isKnown || isEvent || !attribute.value.equals(TypeTable.notApplicable) {
            let value = types.categoryValue(attribute)
            if !value.isNaN { return value }
        }
        tally.unknownValues.add(attribute.string)
        recordEntries.add(ExportReader.unknownValueKey, attribute.string)
        return .nan
    }

    /// The metadata key that holds the name of an unknown value.
    static let unknownValueKey = "openhealth.value"

    /// Counts an unknown attribute and adds it to the sample's metadata.
    func note(
        _ attribute: ElementScanner.Attribute, of element: String,
        keepIn entries: inout MetadataEntries
    ) {
        tally.unknownAttributes.add(element + "." + attribute.nameString)
        entries.add(attribute: attribute)
    }

    private func quarantine(_ tag: Tag, _ reason: RecordFault) throws -> Bool {
        recordEntries.removeAll()
        let offset = tag.offset
        guard let xml = try rawSubtree(tag) else {
            tally.countTruncated("Record")
            return false
        }
        tally.quarantine(reason.rawValue, "Record", at: offset)
        try keep(
            xml, element: "Record", reason: .quarantined, at: offset, sampleKind: .quantity)
        return true
    }
}

/// The validated start, end and creation time of an element, in seconds since 2001-01-01T00:00:00Z.
struct SampleTimes {
    var start: Double
    var end: Double
    var created: Double

    /// The limit (exclusive) of the magnitude of start and end: 1861 to 2140, the range of the
    /// UUIDs of imported samples. An end may also be ``Sample/undeterminedEnd``.
    static let limit = Double(1 << 42) / 1000 - 1

    static func read(
        _ attributes: borrowing RecordAttributes, _ dates: inout CachedDateParser
    ) -> Result<SampleTimes, ExportReader.RecordFault> {
        guard let start = attributes.startDate.flatMap({ dates.seconds($0.value) }),
            let end = attributes.endDate.map({ dates.seconds($0.value) }) ?? start
        else { return .failure(.badDate) }
        var created = Double.nan
        if let text = attributes.creationDate {
            guard let date = dates.seconds(text.value) else { return .failure(.badDate) }
            created = date
        }
        guard abs(start) < limit, abs(end) < limit || end == Sample.undeterminedEnd else {
            return .failure(.impossibleDate)
        }
        guard start <= end else { return .failure(.endBeforeStart) }
        return .success(SampleTimes(start: start, end: end, created: created))
    }
}
