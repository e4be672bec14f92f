public import HealthEngine

/// Writes samples as an Apple Health export: `export.xml` and its route files, as a stream.
///
/// ```swift
/// var writer = ExportWriter(header: header) { bytes in try zip.write(bytes) }
/// for batch in batches { try writer.write(batch) }
/// let tally = try writer.finish()     // tally.elements["Record"] == 100_000
/// ```
/// Any batch will do, a simulator's or a store's, in any order of types; Apple groups by type.
/// Membership comes from ``SampleBatch/parents``, so a correlation or workout and its members
/// stand in one batch: a correlation's members are written twice, at top level and inside it, as
/// Apple does; a workout's inside it only.
///
/// Numbers have the shortest digits that read back as the same double, dates whole seconds in the
/// header's one offset, and equal input gives equal bytes. Memory is that of one batch's text
/// fragments and a quarter of a megabyte. The document type is version 14's and validates
/// (ExportFormat §2).
///
/// `Failure` is what the sinks throw; writing itself fails at nothing: what has no form in an
/// export is left out and counted in the ``ExportTally``.
public struct ExportWriter<Failure: Error> {
    /// Takes the next bytes of `export.xml`.
    public typealias Sink = (UnsafeRawBufferPointer) throws(Failure) -> Void
    /// Takes a route file: its name, "route_2024-09-03_7.48pm.gpx", and its bytes.
    public typealias RouteSink = (String, UnsafeRawBufferPointer) throws(Failure) -> Void

    let header: ExportHeader
    private let types: (Int32) -> SampleType?
    private let sink: Sink
    let routeSink: RouteSink?
    var text: ExportText
    var tally = ExportTally()
    var usedRouteNames: Set<String> = []
    /// By route file, the number that its store gave the points: an equal route has the same file.
    var routeNumbers: [String: Int64] = [:]
    private var isBegun = false

    /// - Parameters:
    ///   - types: Finds types the catalogue doesn't know, by the code their store gave them.
    ///   - routes: Where route files go. Without it routes are named, but their points are left
    ///     out and counted.
    ///   - sink: Called with some hundred kilobytes at a time, in order.
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
    /// - Complexity: O(samples), and a fragment of text for each origin and metadata set.
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

    /// Writes an element at top level as it is; whether it is one, nobody checks.
    public mutating func write(rawElement xml: String) throws(Failure) {
        if !isBegun { begin() }
        text.append(" \(xml)\n")
        if text.bytes.count > 1 << 18 { try flush() }
    }

    /// Ends the document and says what was written. Without any batch it is an export of nothing.
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
        // Goals and whatever comes: as a record, if it has the value of one.
        case (.other, _): sample.value.isFinite || fragments.unknownValue(of: sample) != nil
        }
    }

    /// Whether a sample is a route that goes out within its workout.
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

    /// Writes those members that are records; others were counted where they stand themselves.
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
