import GRDB
import HealthEngine

extension SnapshotWriter {
    /// Makes the chunks of earlier exports known, for readers and ``writeKnown(_:)``.
    ///
    /// - Returns: The chunks; empty in a first import.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(chunks).
    package func loadChunks() throws -> ExportChunkTable {
        if !isFirst { knownChunks = try ExportChunkTable(db, upTo: mark) }
        return knownChunks
    }

    /// Returns the seed of this store's digests, from its random identifier.
    ///
    /// - Throws: ``StoreError`` if the file can't be read.
    package func chunkSeed() throws -> ChunkDigest {
        let identifier = try String.readOne(
            db, sql: "SELECT value FROM store WHERE key = 'identifier'")
        let digits = (identifier ?? "").utf8
        return ChunkDigest(
            high: FNV1a.hash(of: Array(digits.prefix(16))),
            low: FNV1a.hash(of: Array(digits.dropFirst(16))))
    }

    /// Imports a chunk whose text is in this file, without its text.
    ///
    /// - Parameter index: The index of the chunk in the table that ``loadChunks()`` returned.
    /// - Throws: ``StoreError``: `cancelled` if the import was cancelled; another code if the file
    ///   can't be read or written.
    /// - Complexity: O(1) for a chunk of which no row was seen in this file before.
    package func writeKnown(_ index: Int) throws {
        try stopIfCancelled()
        let chunk = knownChunks[index]
        usedChunks.append(chunk.id)
        for type in chunk.types {
            typeCounts[type.type, default: 0] += type.samples
            outcome[kind(type.type)].unchanged += type.samples
            if type.isLong { longTypes.insert(type.type) }
        }
        for total in chunk.origins {
            originCounts[total.origin, default: OriginCount()].add(total.count)
        }
        for run in chunk.runs where !seen.insert(run) { try writeKnownRows(run) }
    }

    /// Marks rows as seen. A row that is seen already has the identity of another record of this
    /// file, so it is imported like a record that was read.
    private func writeKnownRows(_ run: ClosedRange<Int64>) throws {
        for sequence in run {
            if !seen.contains(sequence) {
                seen.insert(sequence)
                continue
            }
            guard var row = try storedRow(sequence) else {
                throw StoreError.damaged("export_chunk_run.first")
            }
            row.detail = try detail(of: row)
            typeCounts[row.type, default: 0] -= 1
            outcome[kind(row.type)].unchanged -= 1
            _ = try matchOrInsert(row)
        }
    }

    private func storedRow(_ sequence: Int64) throws -> StoredRow? {
        let rows = try StoreStatement<SingleField, StoredRow.Column>(
            kept: db,
            "SELECT \(StoredRow.Column.columns) FROM sample WHERE sequence = \(SingleField.value)")
        try rows.bind(sequence, to: .value)
        defer { rows.reset() }
        return try rows.step() ? StoredRow(rows) : nil
    }

    /// Keeps the chunks of this file if it is the latest export, otherwise those of before.
    func finishChunks() throws {
        if outcome.kind == .snapshot {
            try chunkRecorder.replaceOthers(keeping: usedChunks)
        } else {
            try chunkRecorder.discard()
        }
    }
}

extension ExportChunkTable {
    /// Reads the chunks of a store. A chunk that can't be read is left out, and so are rows with
    /// numbers above `last`, which no store without damage has.
    init(_ db: Database, upTo last: Int64) throws {
        self.init()
        var runs: [Int64: [ClosedRange<Int64>]] = [:]
        let runRows = try StoreStatement<NoFields, ChunkRunColumn>(
            db,
            "SELECT \(ChunkRunColumn.columns) FROM export_chunk_run ORDER BY chunk, first")
        while try runRows.step() {
            let (first, end) = (runRows.int(.first), runRows.int(.last))
            guard 0 < first, first <= end, end <= last else { continue }
            runs[runRows.int(.chunk), default: []].append(first...end)
        }
        let rows = try StoreStatement<NoFields, ChunkColumn>(
            db, "SELECT \(ChunkColumn.columns) FROM export_chunk ORDER BY id")
        while try rows.step() {
            let id = rows.int(.id)
            guard let digest = try rows.uuid(.digest) else { continue }
            var content: [UInt8] = []
            try rows.withBytes(.content) { content = Array($0) }
            guard var chunk = try? ExportChunk(id: id, content: content) else { continue }
            chunk.runs = runs[id] ?? []
            guard chunk.runs.reduce(0, { $0 + $1.count }) == chunk.records else { continue }
            append(chunk, ChunkDigest(high: digest.high, low: digest.low))
        }
    }
}
