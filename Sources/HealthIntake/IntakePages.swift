import HealthEngine
import HealthStorage

/// Collects the records of a body into pages of bounded size, and passes each full page on.
///
/// A dialect calls ``beginRecord()`` for each record of the body, then adds what the record
/// contains. A resent body is read again from its beginning, and the records that are stored
/// already are skipped: ``beginRecord()`` returns false for them.
struct IntakePages {
    /// The maximum number of records of a page.
    static let maximumRecords = 10_000
    /// The bytes of records kept as they were sent, from which on a page ends. It bounds memory.
    private static let maximumKeptBytes = 8 << 20

    private let firstRecord: Int
    private let limit: Int
    private let sink: (IntakeBatch) throws -> Void
    private var page = IntakeBatch()
    /// The bytes of the page's records that are kept as they were sent.
    private var keptBytes = 0
    private var sources: [String: Int32] = [:]
    private var origins: [Origin: Int32] = [:]
    /// The last sample's origin, which the next one often has too.
    private var last: (source: Source, origin: Origin, place: Int32)?
    private var metadata: [Metadata: Int32] = [:]
    /// The places of the page's medications by identifier.
    private var medications: [String: Int] = [:]
    /// The number of records of the body so far.
    private(set) var recordCount = 0
    /// The number of pages that were passed on. Indices of samples are valid within one page.
    private(set) var pageNumber = 0
    /// The sender's positions. They are passed on with the last page, also with one without
    /// records; nil for formats without positions.
    var cursor: IntakeCursor?
    /// The sender's time zone, passed on with the last page.
    var timeZone: String?
    /// The types that are complete with the request. They are passed on with the last page.
    var completions: [IntakeCompletion] = []
    /// The place of the current record in the body.
    var index: Int { recordCount - 1 }

    /// - Parameters:
    ///   - firstRecord: The number of records to skip.
    ///   - limit: The maximum number of records of a page.
    ///   - sink: Receives each page.
    init(
        after firstRecord: Int, limit: Int = IntakePages.maximumRecords,
        _ sink: @escaping (IntakeBatch) throws -> Void
    ) {
        self.firstRecord = firstRecord
        self.limit = limit
        self.sink = sink
    }

    /// Begins the next record. Passes a full page on before it.
    ///
    /// - Returns: Whether to read the record; false for one that is stored already.
    mutating func beginRecord() throws -> Bool {
        if page.recordCount >= limit || keptBytes >= IntakePages.maximumKeptBytes { try flush() }
        recordCount += 1
        if recordCount <= firstRecord { return false }
        if page.recordCount == 0 { page.firstRecord = index }
        page.recordCount += 1
        return true
    }

    /// Passes the last page on. Called once, at the end of the body.
    mutating func finish() throws {
        page.cursor = cursor
        page.timeZone = timeZone
        page.completions = completions
        if page.recordCount > 0 || cursor != nil || !completions.isEmpty { try flush() }
    }

    private mutating func flush() throws {
        try sink(page)
        pageNumber += 1
        page = IntakeBatch()
        keptBytes = 0
        sources.removeAll(keepingCapacity: true)
        origins.removeAll(keepingCapacity: true)
        last = nil
        metadata.removeAll(keepingCapacity: true)
        medications.removeAll(keepingCapacity: true)
    }

    // MARK: - Contents of the current record

    /// Adds a sample of the current record.
    ///
    /// - Parameters:
    ///   - received: The sample.
    ///   - parent: The index of the correlation or workout in this page that it is a member of.
    /// - Returns: The sample's index in the page.
    @discardableResult
    mutating func add(_ received: ReceivedSample, memberOf parent: Int? = nil) -> Int {
        let sample = Sample(
            type: received.type, origin: origin(received.origin, of: received.source),
            metadata: metadata(received.metadata), start: received.start, end: received.end,
            created: received.created, value: received.value)
        let place = page.samples.samples.count
        page.samples.samples.append(sample)
        if let detail = received.detail { page.samples.details[place] = detail }
        if let parent { page.samples.parents[place] = parent }
        page.identities.append(received.identity)
        page.indices.append(index)
        return place
    }

    /// Makes a sample of this page a member of a correlation or workout of this page, by indices.
    mutating func link(_ sample: Int, memberOf parent: Int) {
        page.samples.parents[sample] = parent
    }

    mutating func delete(_ uuid: SampleUUID, _ reason: IntakeDeletion.Reason) {
        page.deletions.append(IntakeDeletion(uuid: uuid, reason: reason, index: index))
    }

    mutating func add(_ total: ExternalTotal) {
        var total = total
        total.source = SourceText.bounded(total.source)
        total.index = index
        page.totals.append(total)
    }

    /// Adds a medication that the current record states. Of several statements of a page, the last
    /// one counts, and a schedule of any of them.
    mutating func add(_ medication: Medication) {
        guard let place = medications[medication.identifier] else {
            medications[medication.identifier] = page.medications.count
            return page.medications.append(medication)
        }
        var medication = medication
        if page.medications[place].hasSchedule { medication.hasSchedule = true }
        page.medications[place] = medication
    }

    /// Adds locations of a workout that an earlier request may have brought.
    mutating func add(_ route: LateRoute, _ record: JSONValue) {
        var route = route
        route.json = record.text
        route.index = index
        keptBytes += route.json.utf8.count
        page.routes.append(route)
    }

    /// Keeps the current record as one that isn't understood.
    ///
    /// - Parameters:
    ///   - name: What isn't known: a metric, kind or type. Never a value.
    ///   - record: The record.
    mutating func keepUnknown(_ name: String, _ record: JSONValue) {
        let text = record.text
        keptBytes += text.utf8.count
        page.unknown.append(
            UnknownRecord(name: String(name.prefix(200)), json: text, index: index))
    }

    mutating func reject(
        _ reason: IntakeRejection.Reason, field: String? = nil, id: String? = nil,
        _ record: JSONValue
    ) {
        let text = record.text
        keptBytes += text.utf8.count
        page.rejections.append(
            IntakeRejection(
                index: index, identifier: id.map { String($0.prefix(200)) }, reason: reason,
                field: field, json: text))
    }

    // MARK: - Shared values

    private mutating func origin(_ origin: Origin, of source: Source) -> Int32 {
        // Sources compare by bundle identifier alone, and some formats have only names.
        if let last, last.source == source, last.source.name == source.name, last.origin == origin {
            return last.place
        }
        let place = place(of: origin, source)
        last = (source, origin, place)
        return place
    }

    private mutating func place(of origin: Origin, _ source: Source) -> Int32 {
        let source = SourceText.bounded(source)
        // A bundle identifier identifies a source; without one, its name does.
        let key =
            source.bundleIdentifier.isEmpty
            ? "name \(source.name)" : "bundle \(source.bundleIdentifier)"
        let number =
            sources[key]
            ?? {
                let number = Int32(page.samples.sources.count)
                page.samples.sources.append(source)
                sources[key] = number
                return number
            }()
        // A sender can leave the name out of some records.
        if page.samples.sources[Int(number)].name.isEmpty {
            page.samples.sources[Int(number)].name = source.name
        }
        var origin = SourceText.bounded(origin)
        origin.source = number
        if let known = origins[origin] { return known }
        let place = Int32(page.samples.origins.count)
        page.samples.origins.append(origin)
        origins[origin] = place
        return place
    }

    private mutating func metadata(_ entries: Metadata) -> Int32 {
        if entries.isEmpty { return -1 }
        if let known = metadata[entries] { return known }
        let place = Int32(page.samples.metadata.count)
        page.samples.metadata.append(entries)
        metadata[entries] = place
        return place
    }
}

/// A sample of a record, before its source, unit and metadata are shared with others of the page.
struct ReceivedSample {
    var type: Int32
    var identity: IntakeIdentity
    /// Name and bundle identifier; one of them can be empty.
    var source: Source
    /// Version, device, unit and system; its `source` is ignored.
    var origin: Origin
    /// In reference seconds.
    var start: Double
    /// In reference seconds.
    var end: Double
    /// When it was saved on the phone, in reference seconds; NaN if the sender doesn't say.
    var created = Double.nan
    /// In the unit of `origin`, or a category's raw value; NaN for none.
    var value = Double.nan
    var metadata: Metadata = [:]
    var detail: SampleDetail?
}
