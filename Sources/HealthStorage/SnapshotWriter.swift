import Foundation
import GRDB
public import HealthEngine

/// Takes the batches of one export into a store, inside one transaction.
///
/// ```
/// stream    each record is looked up by identity: met and equal → seen; else → a new row
/// finish    index (if the store was empty) → renamed sources → nested records and their twins
///           → groups of equal identity → vanished rows → what sources are
/// ```
/// Rows up to `mark` were there before; later ones are this import's. Until the end of the file
/// nothing old is touched, since only then it is known whether the file was whole.
public final class SnapshotWriter {
    let db: Database
    let interning: Interning
    let facts: OriginFacts
    let importID: Int64
    let mark: Int64
    let isFirst: Bool
    let isLatest: Bool
    private let insertRow: RawStatement
    private let insertDetail: RawStatement
    private let findGroup: RawStatement
    private let findDetail: RawStatement
    private let insertNested: RawStatement
    private let isCancelled: () -> Bool
    var next: Int64
    var seen: SequenceSet
    var outcome = SnapshotOutcome()
    /// Places of groups that need settling when all of the file is known.
    var contested: Set<GroupPlace> = []
    /// Live samples of this file by type, and of each origin with the earliest moment it was met.
    var typeCounts: [Int32: Int] = [:]
    var originCounts: [Int64: OriginCount] = [:]
    /// Types of which this file has a sample of half a day or longer.
    var longTypes: Set<Int32> = []
    /// What the file says of the person, until it is known how far the import may go.
    var characteristics: [String: String] = [:]
    /// Types of which some sample has a structured part.
    private var detailedTypes: Set<Int32>

    struct OriginCount {
        var samples = 0
        var firstSeen = Double.infinity

        mutating func add(_ other: OriginCount) {
            samples += other.samples
            firstSeen = min(firstSeen, other.firstSeen)
        }
    }

    /// The samples of one identity but for the occurrence number.
    struct GroupPlace: Hashable {
        var type: Int32
        var start: Double
        var base: Int64
    }

    init(
        _ db: Database, _ description: SnapshotDescription, isFirst: Bool,
        isCancelled: @escaping () -> Bool
    ) throws {
        self.db = db
        self.isFirst = isFirst
        self.isCancelled = isCancelled
        mark = try SampleStore.lastSequence(db)
        next = mark
        seen = SequenceSet(upTo: mark)
        interning = try Interning(db)
        facts = OriginFacts(db)
        isLatest = try SnapshotWriter.isLatest(description.exportDate, db)
        try db.execute(
            sql:
                "INSERT INTO import (file, export_date, export_offset, locale, bytes, imported_at, "
                + "kind, first_sequence, last_sequence, ledger) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '{}')",
            arguments: [
                description.file, description.exportDate, description.exportOffset,
                description.locale, description.bytes, description.importedAt, "snapshot",
                mark + 1, mark,
            ])
        importID = db.lastInsertedRowID
        try db.execute(sql: SnapshotWriter.temporaryTables)
        detailedTypes = try Set(
            Int32.fetchAll(
                db, sql: "SELECT DISTINCT sample.type FROM detail JOIN sample USING (sequence)"))
        insertRow = try RawStatement(
            db, "INSERT INTO sample (\(StoredRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        insertDetail = try RawStatement(db, "INSERT INTO detail (sequence, content) VALUES (?, ?)")
        findGroup = try RawStatement(
            db,
            "SELECT \(StoredRow.columns) FROM sample WHERE type = ? AND start_time = ? "
                + "AND key BETWEEN ? AND ? AND uuid IS NULL ORDER BY key")
        findDetail = try RawStatement(db, "SELECT content FROM detail WHERE sequence = ?")
        insertNested = try RawStatement(
            db,
            "INSERT INTO temp.nested (parent, type, start_time, key, end_time, created, origin, "
                + "metadata, value, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    }

    static let temporaryTables = """
        DROP TABLE IF EXISTS temp.nested;
        CREATE TEMP TABLE nested (
            parent INTEGER, type INTEGER, start_time REAL, key INTEGER, end_time REAL, created REAL,
            origin INTEGER, metadata INTEGER, value REAL, detail TEXT);
        CREATE INDEX temp.nested_order ON nested (type, start_time);
        DROP TABLE IF EXISTS temp.link;
        CREATE TEMP TABLE link (parent INTEGER, child INTEGER, PRIMARY KEY (parent, child));
        CREATE INDEX temp.link_child ON link (child);
        """

    /// Whether an export, if it is whole, may change and delete: it is the first, or later than every
    /// whole one before it and no earlier than a damaged one.
    private static func isLatest(_ date: Double?, _ db: Database) throws -> Bool {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT count(*) AS imports,
                       max(CASE WHEN kind <> 'partial' THEN export_date END) AS whole,
                       max(CASE WHEN kind = 'partial' THEN export_date END) AS damaged
                FROM import
                """)
        guard let row, row["imports"] != 0 else { return true }
        let (whole, damaged): (Double?, Double?) = (row["whole"], row["damaged"])
        return date.map { $0 > whole ?? -.infinity && $0 >= damaged ?? -.infinity } ?? false
    }

    // MARK: - Streaming

    /// The stored number of a type, for the samples of later batches.
    public func type(identifier: String) throws -> Int32 {
        try interning.type(identifier: identifier)
    }

    /// Takes samples in; members of others, and orphans, may repeat a record that stands elsewhere in
    /// the file.
    ///
    /// - Throws: ``StoreError`` of code `cancelled` when asked to stop; the transaction is then undone.
    public func write(_ batch: SampleBatch) throws {
        if isCancelled() { throw StoreError(.cancelled, "Stopped; the store is as it was before.") }
        let origins = try batch.origins.map { origin -> ResolvedOrigin in
            let source =
                origin.source < 0 ? 0 : try interning.source(batch.sources[Int(origin.source)])
            return ResolvedOrigin(
                id: try interning.origin(origin, source: source),
                number: source == 0 ? 0 : try interning.sourceNumber(source))
        }
        var metadata = [Int64](repeating: -1, count: batch.metadata.count)
        var sequences: [Int: Int64] = [:]
        let isParent = Set(batch.parents.values)
        for index in batch.samples.indices {
            let sample = batch.samples[index]
            let origin = origins[Int(sample.origin)]
            var metadataID: Int64 = 0
            if sample.metadata >= 0 {
                if metadata[Int(sample.metadata)] < 0 {
                    metadata[Int(sample.metadata)] = try interning.metadata(
                        batch.metadata[Int(sample.metadata)])
                }
                metadataID = metadata[Int(sample.metadata)]
            }
            let row = StoredRow(
                sequence: 0, type: sample.type, start: sample.start,
                key: ImportedIdentity.key(
                    end: sample.end, created: sample.created, source: origin.number),
                end: sample.end, created: sample.created, origin: origin.id, metadata: metadataID,
                value: sample.value, detail: try batch.details[index].map(StoredText.detail))
            count(row)
            if let parent = batch.parents[index] {
                try keepNested(row, parent: sequences[parent] ?? 0)
            } else if batch.orphans.contains(index) {
                try keepNested(row, parent: 0)
            } else {
                let sequence = try take(row)
                if isParent.contains(index) { sequences[index] = sequence }
            }
        }
    }

    private struct ResolvedOrigin {
        var id: Int64
        var number: UInt64
    }

    private func count(_ row: StoredRow) {
        let seenAt = row.created.isNaN ? row.start : row.created
        originCounts[row.origin, default: OriginCount()].add(
            OriginCount(samples: 1, firstSeen: seenAt))
    }

    /// Matches a record with the store, or adds it; the sequence of the row that stands for it.
    func take(_ row: StoredRow) throws -> Int64 {
        typeCounts[row.type, default: 0] += 1
        if row.end - row.start >= SampleStore.dayTotalLength { longTypes.insert(row.type) }
        if !isFirst {
            let group = try group(at: GroupPlace(type: row.type, start: row.start, base: row.key))
            if group.count == 1, let old = group.first, old.sequence <= mark,
                !seen.contains(old.sequence), ImportedIdentity.occurrence(old.key) == 0,
                try facts.sameContent(old, row)
            {
                seen.insert(old.sequence)
                outcome[kind(row.type)].unchanged += 1
                return old.sequence
            }
            if !group.isEmpty {
                contested.insert(GroupPlace(type: row.type, start: row.start, base: row.key))
            }
        }
        outcome[kind(row.type)].new += 1
        return try insert(row)
    }

    func insert(_ row: StoredRow) throws -> Int64 {
        next += 1
        var row = row
        row.sequence = next
        row.bind(to: insertRow)
        try insertRow.run()
        if let detail = row.detail {
            detailedTypes.insert(row.type)
            insertDetail.bind(row.sequence, at: 1)
            insertDetail.bind(detail, at: 2)
            try insertDetail.run()
        }
        return row.sequence
    }

    /// The rows that share a record's identity but for the occurrence number, in order of it.
    func group(at place: GroupPlace) throws -> [StoredRow] {
        findGroup.bind(place.type, at: 1)
        findGroup.bind(place.start, at: 2)
        findGroup.bind(place.base, at: 3)
        findGroup.bind(place.base + ImportedIdentity.maximumOccurrence, at: 4)
        var rows: [StoredRow] = []
        while try findGroup.step() { rows.append(StoredRow(findGroup)) }
        findGroup.reset()
        for index in rows.indices where detailedTypes.contains(rows[index].type) {
            rows[index].detail = try detail(rows[index].sequence)
        }
        return rows
    }

    private func detail(_ sequence: Int64) throws -> String? {
        findDetail.bind(sequence, at: 1)
        defer { findDetail.reset() }
        return try findDetail.step() ? findDetail.text(0) : nil
    }

    private func keepNested(_ row: StoredRow, parent: Int64) throws {
        insertNested.bind(parent, at: 1)
        insertNested.bind(row.type, at: 2)
        insertNested.bind(row.start, at: 3)
        insertNested.bind(row.key, at: 4)
        insertNested.bind(row.end, at: 5)
        insertNested.bind(orNull: row.created, at: 6)
        insertNested.bind(row.origin, at: 7)
        insertNested.bind(row.metadata, at: 8)
        insertNested.bind(orNull: row.value, at: 9)
        if let detail = row.detail {
            insertNested.bind(detail, at: 10)
        } else {
            insertNested.bindNull(at: 10)
        }
        try insertNested.run()
    }

    // MARK: - Kinds

    private var kinds: [Int32: SampleType.Kind] = [:]

    func kind(_ type: Int32) -> SampleType.Kind {
        if let kind = kinds[type] { return kind }
        let kind = Catalogue.type(code: type)?.kind ?? interning.kind(ofType: type)
        kinds[type] = kind
        return kind
    }
}
