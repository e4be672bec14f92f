package import HealthEngine

/// Writes samples as an Apple Health export: `export.xml` and its route files, as a stream.
///
/// ```swift
/// var xml: [UInt8] = []
/// let header = ExportHeader(locale: "en_US", exportDate: now, offset: 3600)
/// var writer = ExportWriter<Never>(header: header, sink: { xml.append(contentsOf: $0) })
/// for batch in batches { writer.write(batch) }
/// let tally = writer.finish()
/// tally.elements["Record"]   // 100000
/// ```
/// Batches may come from any producer and in any order of types; Apple groups by type.
/// `SampleBatch.parents` defines membership, so a correlation or workout must be in the same batch
/// as its members. A correlation's members are written twice, at top level and inside it, as Apple
/// does. A workout's records and routes are written inside it only.
///
/// Numbers have the shortest digits that parse to the same double. Dates are whole seconds at the
/// header's UTC offset; those of route files are in UTC, with milliseconds. Equal input produces
/// equal bytes. Memory holds the text fragments of one batch, and a buffer of 256 KiB plus one
/// sample. The document type is that of version 14 (ExportFormat §2). A complete export validates
/// against it unless raw elements don't.
///
/// `Failure` is the error type of the sinks. Writing itself doesn't fail: data without a form in an
/// export is left out. ``ExportTally`` has the numbers of such samples, route points and
/// characters.
package struct ExportWriter<Failure: Error> {
    /// Receives the next bytes of `export.xml`, which are valid during the call.
    package typealias Sink = (UnsafeRawBufferPointer) throws(Failure) -> Void
    /// Receives a route file: its name, such as "route_2024-09-03_7.48pm.gpx", and its bytes, which
    /// are valid during the call.
    package typealias RouteSink = (String, UnsafeRawBufferPointer) throws(Failure) -> Void

    let header: ExportHeader
    private let types: (Int32) -> SampleType?
    private let sink: Sink
    let routeSink: RouteSink?
    let recordSink: RouteSink?
    var recordNames = ClinicalRecordNames()
    var text: ExportText
    var tally = ExportTally()
    var usedRouteNames: Set<String> = []
    /// The store's identifier of the points in each written file, by file name. Routes with the
    /// same file name and points share a file.
    var routeNumbers: [String: Int64] = [:]
    private var isBegun = false

    /// Creates a writer. Nothing is written until the first batch, element or ``finish()``.
    ///
    /// - Parameters:
    ///   - header: The data at the head of the document.
    ///   - types: Returns the types that the catalogue lacks, by the store's code; nil for an
    ///     unknown code.
    ///   - routes: Receives route files. Without it, routes with a file name are referenced, but
    ///     their points are left out and the routes counted.
    ///   - records: Receives the resources of clinical records, like route files. Without it,
    ///     clinical records are left out and counted.
    ///   - sink: Receives the document in order: a piece whenever 256 KiB are exceeded, and the
    ///     rest after each batch.
    package init(
        header: ExportHeader, types: @escaping (Int32) -> SampleType? = { _ in nil },
        routes: RouteSink? = nil, records: RouteSink? = nil, sink: @escaping Sink
    ) {
        self.header = header
        self.types = types
        self.sink = sink
        routeSink = routes
        recordSink = records
        text = ExportText(offset: header.offset)
    }

    /// Writes the samples of a batch. Those without a form in an export are left out and counted.
    ///
    /// - Parameter batch: The samples, with correlations and workouts in the same batch as their
    ///   members.
    /// - Throws: The errors of the sinks.
    /// - Complexity: O(*n*) in the samples, plus one text fragment for each origin and metadata set
    ///   that they use.
    package mutating func write(_ batch: SampleBatch) throws(Failure) {
        if !isBegun { begin() }
        var fragments = ExportFragments(batch: batch, offset: header.offset)
        var members: [Int: [Int]] = [:]
        for (member, parent) in batch.parents where batch.samples.indices.contains(member) {
            members[parent, default: []].append(member)
        }
        for index in batch.samples.indices {
            let sample = batch.samples[index]
            guard let type = fragments.type(sample.type, unknown: types) else {
                tally.unknownTypes[sample.type, default: 0] += 1
                continue
            }
            if isRoute(index, in: batch, &fragments) { continue }
            guard isWritable(sample, type, batch.details[index], fragments) else {
                tally.unwritable[sample.type, default: 0] += 1
                continue
            }
            try write(
                sample, at: index, of: type, in: batch, members: members[index]?.sorted() ?? [],
                &fragments)
            if text.bytes.count > 1 << 18 { try flush() }
        }
        try flush()
        tally.replacedCharacters += fragments.replacedCharacters
    }

    /// Writes a top-level element unchanged. The text is not validated.
    ///
    /// - Parameter xml: The element.
    /// - Throws: The errors of the sink.
    package mutating func write(rawElement xml: String) throws(Failure) {
        if !isBegun { begin() }
        text.append(" \(xml)\n")
        if text.bytes.count > 1 << 18 { try flush() }
    }

    /// Ends the document. Call this once, last. Without any batch the document is an empty export.
    ///
    /// - Returns: The counts of what was written and left out.
    /// - Throws: The errors of the sink.
    package mutating func finish() throws(Failure) -> ExportTally {
        if !isBegun { begin() }
        text.append("</HealthData>\n")
        try flush()
        tally.replacedCharacters += text.replacedCharacters
        return tally
    }

    private mutating func begin() {
        isBegun = true
        text.append(ExportDocumentType.text)
        text.append("<HealthData")
        text.attribute("locale", header.locale)
        text.append(">\n")
        if header.extent == .everything {
            text.append(" <ExportDate")
            text.attribute("value", date: header.exportDate)
            text.append("/>\n")
        }
        text.append(" <Me")
        let known = header.extent == .everything ? header.characteristics : [:]
        for (name, notSet) in ExportDocumentType.characteristics {
            text.attribute(name, known[name] ?? notSet)
        }
        text.append("/>\n")
    }

    private mutating func flush() throws(Failure) {
        let bytes = text.bytes
        text.removeAll()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { buffer.deallocate() }
        buffer.copyBytes(from: bytes)
        try sink(UnsafeRawBufferPointer(buffer))
    }
}

extension ExportWriter {
    private func isWritable(
        _ sample: Sample, _ type: SampleType, _ detail: SampleDetail?,
        _ fragments: borrowing ExportFragments
    ) -> Bool {
        guard ExportText.isWritable(sample.start), ExportText.isWritable(sample.end),
            type.kind == .activitySummary || fragments.describes(sample)
        else { return false }
        if detail?.isMeasurement(ofType: type.name) == true { return true }
        return switch (type.kind, detail) {
        case (.quantity, _): sample.value.isFinite
        case (.category, _): !sample.value.isInfinite
        case (.correlation, _), (.workout, .workout), (.activitySummary, .activitySummary): true
        case (.workout, _), (.activitySummary, _): false
        case (.other, .clinicalRecord): type.isClinicalRecord && recordSink != nil
        // Goals and unknown kinds are written as a record if they have a number or the name of an
        // unknown value.
        case (.other, _): sample.value.isFinite || fragments.unknownValue(of: sample) != nil
        }
    }

    /// Returns whether a sample is a route that belongs to a workout of the batch. It is written
    /// within that workout.
    private func isRoute(
        _ index: Int, in batch: SampleBatch, _ fragments: inout ExportFragments
    ) -> Bool {
        guard case .route = batch.details[index], let parent = batch.parents[index],
            batch.samples.indices.contains(parent), fragments.describes(batch.samples[index])
        else { return false }
        return fragments.type(batch.samples[parent].type, unknown: types)?.kind == .workout
    }

    private mutating func write(
        _ sample: Sample, at index: Int, of type: SampleType, in batch: SampleBatch,
        members: [Int], _ fragments: inout ExportFragments
    ) throws(Failure) {
        switch batch.details[index] {
        case .workout(let workout) where type.kind == .workout:
            try write(workout, of: sample, members: members, in: batch, &fragments)
            return
        case .activitySummary(let summary) where type.kind == .activitySummary:
            write(summary)
            return
        case .clinicalRecord(let record) where type.isClinicalRecord:
            try write(record, of: sample, type, fragments)
            return
        case let detail?:
            if writeMeasurement(detail, of: sample, type, &fragments) { return }
        default: break
        }
        if type.kind == .correlation {
            writeCorrelation(sample, type, members: members, in: batch, &fragments)
            return
        }
        if let parent = batch.parents[index], batch.samples.indices.contains(parent),
            fragments.type(batch.samples[parent].type, unknown: types)?.kind == .workout
        {
            return
        }
        writeRecord(sample, type, batch.details[index], indent: 1, &fragments)
    }

    /// Writes those members that are records and can be written. ``write(_:)`` handles the others,
    /// and counts those that can't be written.
    mutating func writeMembers(
        _ members: [Int], in batch: SampleBatch, _ fragments: inout ExportFragments
    ) {
        for member in members {
            let sample = batch.samples[member]
            guard let type = fragments.type(sample.type, unknown: types),
                type.kind == .quantity || type.kind == .category || type.kind == .other,
                isWritable(sample, type, batch.details[member], fragments)
            else { continue }
            writeRecord(sample, type, batch.details[member], indent: 2, &fragments)
        }
    }

    mutating func count(_ element: String) { tally.elements[element, default: 0] += 1 }
}

/// The data at the head of an export, before its records.
public struct ExportHeader: Hashable, Sendable {
    /// The language and region of the phone, for example "en_US".
    public var locale: String
    /// The time of the export, in seconds since 2001-01-01T00:00:00Z.
    public var exportDate: Double
    /// The offset of all dates in the file, in seconds east of UTC, regardless of daylight saving
    /// time.
    public var offset: Int
    /// The attributes of `Me` by name. Only the five that Apple writes are used: date of birth,
    /// biological sex, blood type, skin type and use of cardio fitness medications. A missing one
    /// is written as not set.
    public var characteristics: [String: String]
    /// Whether the file holds everything or a selection.
    public var extent: Extent

    /// Whether an export is complete. A partial one has neither a date nor characteristics: with a
    /// date, an import would treat everything missing as deleted.
    public enum Extent: Hashable, Sendable {
        case everything, part
    }

    public init(
        locale: String, exportDate: Double, offset: Int, characteristics: [String: String] = [:],
        extent: Extent = .everything
    ) {
        self.locale = locale
        self.exportDate = exportDate
        self.offset = offset
        self.characteristics = characteristics
        self.extent = extent
    }
}

/// The counts of what an ``ExportArchive`` contains and what was left out.
public struct ExportTally: Hashable, Sendable {
    /// The number of elements written, by name: `["Record": 1_000_000, "Workout": 212]`. `Record`
    /// includes those inside correlations and workouts. Metadata, heartbeats, points and raw
    /// elements are not counted.
    public var elements: [String: Int] = [:]
    /// The names of the route files, in the order written.
    public var routeFiles: [String] = []
    /// The number of characters that XML can't represent, written as U+FFFD. A source, device or
    /// metadata set that several samples of a batch share is counted once. Route files are not
    /// counted.
    public var replacedCharacters = 0
    /// The number of samples left out, by type code: the start or end can't be written, a quantity
    /// has no finite value, a category has an infinite one, another type has neither a number nor
    /// the name of an unknown value, a workout or activity summary has no details, or an index of
    /// an origin, source or metadata set is invalid.
    public var unwritable: [Int32: Int] = [:]
    /// The number of samples left out because their type is unknown, by type code.
    public var unknownTypes: [Int32: Int] = [:]
    /// The number of category values written as a number because the catalogue has no name for
    /// them. A member of a correlation counts twice.
    public var unnamedValues = 0
    /// The number of routes with a file name whose points were left out for lack of a route sink.
    public var routesWithoutFile = 0
    /// The number of routes that reference a file but have no points.
    public var routesWithoutPoints = 0
    /// The number of routes that were separate samples and belong to a workout, within which they
    /// are written.
    public var savedRoutes = 0
    /// The number of points left out of route files because their time or position can't be
    /// written.
    public var routePointsLeftOut = 0
    /// The original names of route files and of clinical records' files that were renamed because
    /// of a duplicate or unsafe name.
    public var renamedFiles: [String] = []

    /// Creates a tally of zeros.
    package init() {}
}
