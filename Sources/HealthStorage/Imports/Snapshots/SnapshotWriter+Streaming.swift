import GRDB
public import HealthEngine

extension SnapshotWriter {
    /// Writes the samples of a batch.
    ///
    /// Nested records, the batch's members (`parents`) and `orphans`, can repeat records that
    /// appear elsewhere in the file. They are only collected here; ``finish(_:)`` matches or stores
    /// them.
    ///
    /// - Parameter batch: The samples.
    /// - Throws: ``StoreError``: `cancelled` if the import was cancelled; `invalidArgument` if the
    ///   batch violates `SampleBatch.checkInvariants()` or has a time that an imported sample
    ///   can't have; another code if the file can't be written. Rethrow it, so that the
    ///   transaction is rolled back.
    /// - Complexity: O(m log n) for m samples and n stored ones. Only origins and metadata that
    ///   samples refer to are looked up.
    public func write(_ batch: SampleBatch) throws { try write(batch, chunks: []) }

    /// Writes the samples of a batch that has whole chunks of an export.
    ///
    /// - Parameters:
    ///   - batch: The samples.
    ///   - chunks: The chunks, in order of their samples.
    /// - Throws: The errors of ``write(_:)``.
    /// - Complexity: That of ``write(_:)``.
    package func write(_ batch: SampleBatch, chunks: [ChunkMark]) throws {
        try stopIfCancelled()
        try rejectInvalidBatch(of: batch)
        chunkRecorder.begin(chunks)
        var references = BatchReferences(batch, interning)
        var sequences: [Int: Int64] = [:]
        let isParent = Set(batch.parents.values)
        let hasMembers = !batch.parents.isEmpty || !batch.orphans.isEmpty
        for index in batch.samples.indices
        where !hasMembers || batch.parents[index] == nil && !batch.orphans.contains(index) {
            let row = try row(index, of: batch, &references)
            count(row)
            let sequence = try matchOrInsert(row)
            if let chunk = chunkRecorder.add(row, sequence, at: index) {
                // Details that are inserted later would make the chunk unknown.
                if insertion.hasDetails { try insertion.finish() }
                try chunkRecorder.store(chunk)
            }
            if hasMembers, isParent.contains(index) { sequences[index] = sequence }
        }
        if !hasMembers { return }
        for index in batch.samples.indices {
            let parent = batch.parents[index]
            guard parent != nil || batch.orphans.contains(index) else { continue }
            let row = try row(index, of: batch, &references)
            count(row)
            try keepNested(row, parent: parent.flatMap { sequences[$0] } ?? 0)
        }
    }

    private func rejectInvalidBatch(of batch: SampleBatch) throws {
        do {
            try batch.checkInvariants()
        } catch {
            throw StoreError(.invalidBatch(.violation(error)))
        }
        for (index, sample) in batch.samples.enumerated()
        where !ImportedIdentity.canHold(sample) {
            throw StoreError(.invalidBatch(.violation(.times(sample: index))))
        }
    }

    private func row(
        _ index: Int, of batch: SampleBatch, _ references: inout BatchReferences
    ) throws -> StoredRow {
        let sample = batch.samples[index]
        let origin = try references.origin(sample.origin)
        let detail = batch.details.isEmpty ? nil : batch.details[index]
        let text = try detail.map { try StoredText.detail(routes.separatingPoints($0)) }
        return StoredRow(
            sequence: 0, type: sample.type, start: sample.start,
            key: ImportedIdentity.key(
                end: sample.end, created: sample.created, source: origin.number,
                content: detail?.identityNumber ?? 0),
            end: sample.end, created: sample.created, origin: origin.id,
            metadata: try references.metadata(sample.metadata),
            value: sample.value, detail: text)
    }

    private func count(_ row: StoredRow) {
        if originRun.origin != row.origin {
            endOriginRun()
            originRun.origin = row.origin
        }
        originRun.count.add(OriginCount(row))
    }

    /// Adds the count of consecutive rows with one origin to ``originCounts``.
    func endOriginRun() {
        if originRun.count.samples == 0 { return }
        originCounts[originRun.origin, default: OriginCount()].add(originRun.count)
        originRun.count = OriginCount()
    }
}

/// The ids of the values that a batch's samples refer to, looked up on first use.
private struct BatchReferences {
    struct ResolvedOrigin {
        var id: Int64
        var number: UInt64
    }

    private let batch: SampleBatch
    private let interning: Interning
    private var origins: [ResolvedOrigin?]
    /// Metadata ids by index; -1 if not looked up yet.
    private var metadata: [Int64]

    init(_ batch: SampleBatch, _ interning: Interning) {
        self.batch = batch
        self.interning = interning
        origins = Array(repeating: nil, count: batch.origins.count)
        metadata = Array(repeating: -1, count: batch.metadata.count)
    }

    mutating func origin(_ index: Int32) throws -> ResolvedOrigin {
        if let known = origins[Int(index)] { return known }
        let origin = batch.origins[Int(index)]
        let source =
            origin.source < 0 ? 0 : try interning.source(batch.sources[Int(origin.source)])
        let resolved = ResolvedOrigin(
            id: try interning.origin(origin, source: source),
            number: source == 0 ? 0 : try interning.sourceNumber(source))
        origins[Int(index)] = resolved
        return resolved
    }

    mutating func metadata(_ index: Int32) throws -> Int64 {
        if index < 0 { return 0 }
        let known = metadata[Int(index)]
        if known >= 0 { return known }
        let id = try interning.metadata(batch.metadata[Int(index)])
        metadata[Int(index)] = id
        return id
    }
}

/// The codes of types in a store, including those that new types will get. With it, a reader of the
/// file can run in parallel with the writer's thread.
///
/// ```swift
/// var numbering = try writer.typeNumbering()
/// let (code, isNew) = numbering.number(of: "HKQuantityTypeIdentifierStepCount")
/// ```
/// The codes are valid if ``SnapshotWriter/type(identifier:)`` is called for every new type in the
/// same order, and nothing else adds types to the store meanwhile.
package struct TypeNumbering: Sendable {
    private var codes: [String: Int32]
    private var highest: Int32

    init(_ db: Database) throws {
        let rows = try CheckedRow.readAll(db, sql: "SELECT identifier, code FROM type")
        codes = Dictionary(
            try rows.map { (try $0["identifier"], try $0["code"]) },
            uniquingKeysWith: { first, _ in first })
        highest = codes.values.max() ?? 0
        try Interning.checkHighest(highest)
    }

    /// Returns the code of a type, and assigns one to a type without a code.
    ///
    /// - Parameter identifier: The type's identifier.
    /// - Returns: The code, and whether this call has assigned it. A new type gets the catalogue's
    ///   code or the next free one.
    package mutating func number(of identifier: String) -> (code: Int32, isNew: Bool) {
        if let code = codes[identifier] { return (code, false) }
        let code = Interning.code(ofNew: identifier, highest: highest)
        codes[identifier] = code
        highest = max(highest, code)
        return (code, true)
    }
}

extension SnapshotWriter {
    /// Returns the current type codes of the store.
    ///
    /// - Returns: The codes, for use by a parallel reader.
    /// - Throws: An error if the file can't be read.
    /// - Complexity: O(types).
    package func typeNumbering() throws -> TypeNumbering { try TypeNumbering(db) }
}
