public import HealthEngine

/// Writes samples as an Apple Health export: `export.xml` and its route files, as a stream.
///
/// ```swift
/// var writer = ExportWriter(header: header) { bytes in try zip.write(bytes) }
/// for batch in batches { try writer.write(batch) }
/// let tally = try writer.finish()     // tally.elements["Record"] == 100_000
/// ```
/// Batches may come from any producer and in any order of types; Apple groups by type.
/// `SampleBatch.parents` defines membership, so a correlation or workout must be in the same
/// batch as its members. A correlation's members are written twice, at top level and inside it, as
/// Apple does. A workout's members are written inside it only.
///
/// Numbers have the shortest digits that parse to the same double. Dates are whole seconds at the
/// header's UTC offset. Equal input produces equal bytes. Memory holds the text fragments of one
/// batch and a buffer of 256 KiB. The document type is that of version 14, and the output validates
/// against it (ExportFormat §2).
///
/// `Failure` is the error type of the sinks. Writing itself doesn't fail: data without a form in an
/// export is left out and counted in ``ExportTally``.
public struct ExportWriter<Failure: Error> {
    /// Receives the next bytes of `export.xml`.
    public typealias Sink = (UnsafeRawBufferPointer) throws(Failure) -> Void
    /// Receives a route file: its name, "route_2024-09-03_7.48pm.gpx", and its bytes.
    public typealias RouteSink = (String, UnsafeRawBufferPointer) throws(Failure) -> Void

    let header: ExportHeader
    private let types: (Int32) -> SampleType?
    private let sink: Sink
    let routeSink: RouteSink?
    var text: ExportText
    var tally = ExportTally()
    var usedRouteNames: Set<String> = []
    /// The store's number of each written file's points. Routes with the same points share a file.
    var routeNumbers: [String: Int64] = [:]
    private var isBegun = false

    /// Creates a writer. Nothing is written until the first batch, element or ``finish()``.
    ///
    /// - Parameters:
    ///   - header: The data at the head of the document.
    ///   - types: Returns types that the catalogue lacks, by the store's code.
    ///   - routes: Receives route files. Without it routes are referenced, but their points are
    ///     left out and counted.
    ///   - sink: Receives the document in order, usually in pieces of a few hundred kilobytes.
    public init(
        header: ExportHeader, types: @escaping (Int32) -> SampleType? = { _ in nil },
        routes: RouteSink? = nil, sink: @escaping Sink
    ) {
        self.header = header
        self.types = types
        self.sink = sink
        routeSink = routes
        text = ExportText(offset: header.offset)
    }

    /// Writes every sample of a batch.
    ///
    /// - Parameter batch: The samples, with correlations and workouts in the same batch as their
    ///   members.
    /// - Throws: The errors of the sinks.
    /// - Complexity: O(*n*) in the samples, with one text fragment for each origin and metadata
    ///   set.
    public mutating func write(_ batch: SampleBatch) throws(Failure) {
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
    public mutating func write(rawElement xml: String) throws(Failure) {
        if !isBegun { begin() }
        text.append(" \(xml)\n")
        if text.bytes.count > 1 << 18 { try flush() }
    }

    /// Ends the document. Without any batch it is an empty export.
    ///
    /// - Returns: The counts of what was written and left out.
    /// - Throws: The errors of the sink.
    public mutating func finish() throws(Failure) -> ExportTally {
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
        return switch (type.kind, detail) {
        case (.quantity, _): sample.value.isFinite
        case (.category, _): !sample.value.isInfinite
        case (.correlation, _), (.workout, .workout), (.activitySummary, .activitySummary): true
        case (.workout, _), (.activitySummary, _): false
        // Goals and unknown kinds: written as a record if they have a value.
        case (.other, _): sample.value.isFinite || fragments.unknownValue(of: sample) != nil
        }
    }

    /// Returns whether a sample is a route that is written within its workout.
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

    /// Writes those members that are records. Others are counted as samples of their own.
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
    /// Seconds east of UTC. All dates of the file have this offset, regardless of daylight saving
    /// time.
    public var offset: Int
    /// The attributes of `Me` by name. Attributes that Apple always writes default to "not set".
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

/// The counts of what an ``ExportWriter`` wrote and left out.
public struct ExportTally: Hashable, Sendable {
    /// Elements by name: `["Record": 1_000_000, "Workout": 212]`. `Record` includes those inside
    /// correlations and workouts.
    public var elements: [String: Int] = [:]
    /// The names of the route files, in the order written.
    public var routeFiles: [String] = []
    /// The number of characters that XML can't represent, written as U+FFFD.
    public var replacedCharacters = 0
    /// The number of samples left out by type code, because of an unwritable date or value, or an
    /// invalid index of an origin, source or metadata set.
    public var unwritable: [Int32: Int] = [:]
    /// The number of samples left out because their type is unknown, by type code.
    public var unknownTypes: [Int32: Int] = [:]
    /// The number of category values written as a number because the catalogue has no name for
    /// them.
    public var unnamedValues = 0
    /// The number of routes whose points were left out for lack of a route sink.
    public var routesWithoutFile = 0
    /// The number of routes that reference a file but have no points.
    public var routesWithoutPoints = 0
    /// The number of routes that were separate samples and are written within their workouts.
    public var savedRoutes = 0
    /// The number of route points left out because their time or position can't be written.
    public var routePointsLeftOut = 0
    /// The original names of route files that were renamed because of a duplicate name.
    public var renamedFiles: [String] = []

    /// Creates a tally of zeros.
    public init() {}
}
