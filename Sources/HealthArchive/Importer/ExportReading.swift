import HealthEngine
import HealthStorage

/// The results of reading an export apart from its samples.
struct ExportReading: Sendable {
    var completeness: SnapshotCompleteness
    var tally: ReadingTally
    /// The number of records, correlations and workouts by the text of their `HKTimeZone`, normally
    /// an IANA time zone.
    var zoneCounts: [String: Int]
    var characteristics: [String: String]
    /// The paths of the files that were opened because elements of the XML reference them.
    var usedFiles: Set<String>
    /// The clinical records, whose files aren't read yet.
    var clinicalRecords: [ClinicalRecordElement]

    /// Reads an export into a writer. Inflating and parsing have their own threads; writing uses
    /// the caller's. The rows and their order are the same as with one thread.
    ///
    /// If reading, inflating or writing fails, the others are stopped, and their threads have ended
    /// when this returns.
    ///
    /// - Parameters:
    ///   - source: The export to read.
    ///   - writer: Receives the samples, in the import's transaction.
    ///   - rule: The sizes of chunks; nil to read every record. The seed is the store's.
    ///   - knownText: What happens with text that the store knows.
    ///   - progress: Called after each write with the data that was written.
    /// - Returns: The results other than the samples.
    /// - Throws: ``ArchiveError`` for a file that can't be read to its end, `StoreError` for the
    ///   store.
    static func run(
        _ source: ExportSource, into writer: SnapshotWriter, chunks rule: RecordChunks?,
        knownText: ExportImporter.KnownText = .passed, progress: (ParsedBatch) -> Void
    ) throws -> ExportReading {
        let (numbering, quota) = (try writer.typeNumbering(), try writer.sourceQuota())
        let chunks = try chunkReading(writer, rule, knownText)
        let deliveries = BoundedQueue<Delivery, any Error>(capacity: maximumQueuedBatches)
        deliveries.start("reading") { deliveries in
            let stream = ReadAheadStream { () throws(ArchiveError) in try source.open() }
            let reader = try ExportReader(
                ElementScanner(reading: stream, name: source.name), files: CompanionFiles(source),
                numbering: numbering, quota: quota, chunks: chunks
            ) { parsed in
                if !deliveries.put(.batch(parsed)) { throw Abandoned() }
            }
            if !deliveries.put(.end(try reader.read())) { throw Abandoned() }
        }
        defer { deliveries.stop() }
        while let delivery = try deliveries.take() {
            switch delivery {
            case .batch(let parsed):
                try parsed.write(to: writer)
                progress(parsed)
            case .end(let reading):
                writer.setCharacteristics(reading.characteristics)
                return reading
            }
        }
        throw StoreError(.invalidImport(.unfinished))
    }

    private static func chunkReading(
        _ writer: SnapshotWriter, _ rule: RecordChunks?, _ knownText: ExportImporter.KnownText
    ) throws -> ChunkReading {
        guard var rule else { return ChunkReading(.init(), nil) }
        rule.seed = try writer.chunkSeed()
        return ChunkReading(knownText == .read ? .init() : try writer.loadChunks(), rule)
    }

    /// The maximum number of queued batches (``ParsedBatch``), beside the one being read and the
    /// one being written.
    private static let maximumQueuedBatches = 2

    private enum Delivery: Sendable {
        case batch(ParsedBatch)
        case end(ExportReading)
    }

    /// The error that ends the reader after the writer has stopped. It is never reported.
    private struct Abandoned: Error {}
}

/// Data read from an export that waits to be written, passed from the reading to the writing
/// thread.
struct ParsedBatch: Sendable {
    /// A new type and the code that the batch's samples use for it.
    struct NewType: Sendable {
        var identifier: String
        var code: Int32
    }

    /// An element kept as text.
    struct UnparsedElement: Sendable {
        var xml: String
        var element: String
        var reason: SnapshotWriter.RawReason
        var offset: Int64
        /// The kind under which a quarantined sample is counted, `quantity` for every record; nil
        /// for other elements.
        var sampleKind: SampleType.Kind?
    }

    var types: [NewType] = []
    var elements: [UnparsedElement] = []
    /// The total size of the texts in ``elements`` in bytes.
    var textByteCount = 0
    var batch = SampleBatch()
    /// The chunks in the batch.
    var chunks: [ChunkMark] = []
    /// The indices of the known chunks that were passed, and the number of their records.
    var knownChunks: [Int] = []
    var knownRecords = 0
    /// The number of XML bytes read so far.
    var offset: Int64 = 0

    var isEmpty: Bool {
        types.isEmpty && elements.isEmpty && batch.samples.isEmpty && knownChunks.isEmpty
    }
    /// The number of samples that were read or passed.
    var sampleCount: Int { batch.samples.count + knownRecords }

    /// Writes the new types, then the elements kept as text, then the batch.
    ///
    /// - Throws: `StoreError` if the store can't be written, the import was cancelled, or the store
    ///   gives a type another code.
    func write(to writer: SnapshotWriter) throws {
        for type in types {
            guard try writer.type(identifier: type.identifier) == type.code else {
                throw StoreError(.invalidImport(.otherTypeCode(type: type.identifier)))
            }
        }
        for kept in elements {
            if let kind = kept.sampleKind {
                try writer.quarantine(
                    kept.xml, element: kept.element, kind: kind, at: kept.offset)
            } else {
                try writer.storeRaw(
                    kept.xml, element: kept.element, reason: kept.reason, at: kept.offset)
            }
        }
        if !batch.samples.isEmpty { try writer.write(batch, chunks: chunks) }
        for chunk in knownChunks { try writer.writeKnown(chunk) }
    }
}

extension ExportReader {
    /// Returns the store's code of a type. A new type is delivered with the next batch, so that the
    /// store adds it with this code.
    func type(identifier: String) throws -> Int32 {
        let (code, isNew) = numbering.number(of: identifier)
        if isNew { pending.types.append(.init(identifier: identifier, code: code)) }
        return code
    }

    /// Keeps an element of the file as text. From a limit on their number or size on, the waiting
    /// elements are delivered, even in the middle of an element.
    func keep(
        _ xml: String, element: String, reason: SnapshotWriter.RawReason, at offset: Int64,
        sampleKind: SampleType.Kind? = nil
    ) throws {
        pending.elements.append(
            .init(
                xml: xml, element: element, reason: reason, offset: offset, sampleKind: sampleKind))
        pending.textByteCount += xml.utf8.count
        if pending.elements.count >= ExportLimits.maximumWaitingElements
            || pending.textByteCount >= ExportReader.maximumBatchTextLength
        {
            try deliverElements()
        }
    }
}
