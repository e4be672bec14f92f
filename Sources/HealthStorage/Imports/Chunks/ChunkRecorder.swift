import GRDB
import HealthEngine

/// Records the chunks that an import reads, with the rows of their records.
final class ChunkRecorder {
    /// Records of a chunk that earlier imports stored are often in a few runs. A chunk with more
    /// runs isn't recorded.
    private static let maximumRuns = 16

    private let db: Database
    private let insertChunk: StoreStatement<ChunkColumn, NoFields>
    private let insertRun: StoreStatement<ChunkRunColumn, NoFields>
    /// The highest id before this import.
    let mark: Int64
    private var next: Int64
    private var marks: ArraySlice<ChunkMark> = []
    private var chunk = ExportChunk(id: 0)

    init(_ db: Database) throws {
        self.db = db
        insertChunk = try StoreStatement(db, "INSERT INTO export_chunk \(ChunkColumn.inserted)")
        insertRun = try StoreStatement(
            db, "INSERT INTO export_chunk_run \(ChunkRunColumn.inserted)")
        // A program that deletes samples without foreign keys leaves runs without a chunk, so their
        // numbers aren't used again.
        mark =
            try Int64.readOne(
                db,
                sql: "SELECT max(ifnull((SELECT max(id) FROM export_chunk), 0), "
                    + "ifnull((SELECT max(chunk) FROM export_chunk_run), 0))") ?? 0
        next = mark
    }

    /// Begins a batch with these chunks, in order of their samples.
    func begin(_ marks: [ChunkMark]) { self.marks = marks[...] }

    /// Adds a record's row. Call it for the samples of a batch in order, except members.
    ///
    /// - Returns: The chunk that ends with the record, for ``store(_:)``; nil if none ends.
    @inline(__always)
    func add(_ row: StoredRow, _ sequence: Int64, at index: Int) -> ChunkMark? {
        guard let mark = marks.first, mark.samples.contains(index) else { return nil }
        chunk.add(row, sequence)
        return index + 1 == mark.samples.upperBound ? marks.removeFirst() : nil
    }

    /// Stores a chunk with the added rows, which must have been inserted.
    func store(_ mark: ChunkMark) throws {
        defer { chunk = ExportChunk(id: 0) }
        guard chunk.runs.count <= Self.maximumRuns, chunk.records == mark.samples.count else {
            return
        }
        next += 1
        chunk.metadataEntries = mark.metadataEntries
        chunk.parts = mark.parts
        chunk.zoneCounts = mark.zoneCounts
        try insertChunk.bind(next, to: .id)
        try insertChunk.bind(mark.digest.bytes, to: .digest)
        try insertChunk.bind(chunk.content, to: .content)
        try insertChunk.run()
        for run in chunk.runs {
            try insertRun.bind(next, to: .chunk)
            try insertRun.bind(run.lowerBound, to: .first)
            try insertRun.bind(run.upperBound, to: .last)
            try insertRun.run()
        }
    }

    /// Keeps only the chunks of this export: the recorded ones, and the `used` ones of before.
    func replaceOthers(keeping used: [Int64]) throws {
        try db.execute(sql: "CREATE TEMP TABLE used_chunk (id INTEGER PRIMARY KEY)")
        let insert = try StoreStatement<SingleField, NoFields>(
            db, "INSERT OR IGNORE INTO temp.used_chunk (id) VALUES (\(SingleField.value))")
        for id in used {
            try insert.bind(id, to: .value)
            try insert.run()
        }
        try db.execute(
            sql: "DELETE FROM export_chunk WHERE id <= ? AND id NOT IN (SELECT id FROM used_chunk)",
            arguments: [mark])
        try db.execute(sql: "DROP TABLE temp.used_chunk")
    }

    /// Forgets the chunks that this import recorded.
    func discard() throws {
        try db.execute(sql: "DELETE FROM export_chunk WHERE id > ?", arguments: [mark])
    }
}

enum ChunkColumn: Int32, StatementField { case id, digest, content }
enum ChunkRunColumn: Int32, StatementField { case chunk, first, last }

extension ExportChunk {
    /// Adds a record and the number of its row.
    fileprivate mutating func add(_ row: StoredRow, _ sequence: Int64) {
        let isLong = row.end - row.start >= SampleStore.dayTotalLength
        if let index = types.firstIndex(where: { $0.type == row.type }) {
            types[index].samples += 1
            if isLong { types[index].isLong = true }
        } else {
            types.append(TypeCount(type: row.type, samples: 1, isLong: isLong))
        }
        let count = SnapshotWriter.OriginCount(row)
        if let index = origins.lastIndex(where: { $0.origin == row.origin }) {
            origins[index].count.add(count)
        } else {
            origins.append(OriginTotal(origin: row.origin, count: count))
        }
        if let last = runs.last, last.upperBound + 1 == sequence {
            runs[runs.count - 1] = last.lowerBound...sequence
        } else {
            runs.append(sequence...sequence)
        }
    }
}

extension ChunkDigest {
    fileprivate var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }
}
