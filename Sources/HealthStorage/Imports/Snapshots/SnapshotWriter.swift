import GRDB
import HealthEngine

/// Imports the batches of one export into a store, inside one transaction.
///
/// ```
/// stream    look up each record by identity. Stored and equal → seen; otherwise → a new row, and
///           the identity is contested if another row has it
/// finish    index (if the store was empty) → IdentityResolution → describe sources → segments
/// ```
/// Rows with sequence numbers up to `mark` existed before; later rows belong to this import. Stored
/// rows aren't changed before the end of the file, because only then it is known whether the file
/// is complete. The exception is that routes without points get them.
public final class SnapshotWriter {
    let db: Database
    let interning: Interning
    let originCache: OriginCache
    let routes: RouteTable
    let importID: Int64
    let mark: Int64
    let isFirst: Bool
    let isLatest: Bool
    let insertion: RowInsertion
    private let findGroup: StoreStatement<GroupRange, StoredRow.Column>
    private let cursor: IdentityCursor
    private let findDetail: StoreStatement<SingleField, SingleField>
    private let insertNested: StoreStatement<NestedColumn, NoFields>
    private let insertContested: StoreStatement<ContestedColumn, NoFields>
    let findRaw: StoreStatement<SingleField, SingleField>
    let insertRaw: StoreStatement<RawColumn, NoFields>
    private let isCancelled: () -> Bool
    private var cancellationChecks = 0
    /// Finds possible duplicates in a first import; nil in others, and after the last record.
    private var arrivalOrder: ArrivalOrder?
    private var kinds: [Int32: SampleType.Kind] = [:]
    /// Types with samples that have or had details.
    private(set) var detailedTypes: Set<Int32>
    /// The stored clinical records by file, once they were looked for.
    var clinicalFiles: ClinicalFiles?
    let chunkRecorder: ChunkRecorder
    /// The chunks that this import may use instead of reading their text.
    var knownChunks = ExportChunkTable()
    /// The ids of the known chunks that this file contains.
    var usedChunks: [Int64] = []
    var next: Int64
    /// The stored rows that this file contains.
    var seen: SequenceSet
    var outcome = SnapshotOutcome()
    /// The number of samples of this file that are in the store, by type.
    var typeCounts: [Int32: Int] = [:]
    /// The number of this file's records and their earliest creation (or else start) time, by
    /// origin.
    var originCounts: [Int64: OriginCount] = [:]
    /// The count of the latest consecutive rows with one origin, not yet in ``originCounts``.
    var originRun = (origin: Int64(0), count: OriginCount())
    /// Types with a sample in this file that lasts half a day or longer.
    var longTypes: Set<Int32> = []
    /// The characteristics in the file, until it is known whether they may replace stored ones.
    var characteristics: [String: String] = [:]
    /// The data that an undo needs, as far as it is known before the end.
    var trace = ImportTrace()
    let settingsBefore: StoreSettings
    /// The highest origin id before this import.
    let lastOrigin: Int64
    /// Whether ``finish(_:)`` has completed. Otherwise the import is rolled back.
    package internal(set) var isFinished = false

    struct OriginCount: Hashable {
        var samples = 0
        var firstSeen = Double.infinity

        init(samples: Int = 0, firstSeen: Double = .infinity) {
            self.samples = samples
            self.firstSeen = firstSeen
        }

        init(_ row: StoredRow) {
            self.init(samples: 1, firstSeen: row.created.isNaN ? row.start : row.created)
        }

        mutating func add(_ other: OriginCount) {
            samples += other.samples
            firstSeen = min(firstSeen, other.firstSeen)
        }
    }

    private enum NestedColumn: Int32, StatementField {
        case parent, type, startTime, key, endTime, created, origin, metadata, value, detail
    }

    enum ContestedColumn: Int32, StatementField { case type, startTime, base }

    enum RawColumn: Int32, StatementField {
        case `import`, position, element, reason, digest, xml
    }

    /// The parameters of a query for the rows of a ``GroupKey``.
    private enum GroupRange: Int32, StatementField {
        case type, start, first, last

        static let condition =
            "type = \(type) AND start_time = \(start) AND key BETWEEN \(first) AND \(last) "
            + "AND uuid IS NULL"
    }

    /// An identity without its occurrence number, which tells equal records apart. `base` is the
    /// key of occurrence 0.
    struct GroupKey: Hashable {
        var type: Int32
        var start: Double
        var base: Int64

        init(type: Int32, start: Double, base: Int64) {
            self.type = type
            self.start = start
            self.base = base
        }

        init(_ row: StoredRow) {
            self.init(type: row.type, start: row.start, base: ImportedIdentity.base(row.key))
        }
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
        settingsBefore = try StoreSettings(db)
        lastOrigin = try Int64.readOne(db, sql: "SELECT max(id) FROM origin") ?? 0
        trace.removedAfter = try ImportTrace.lastRemoved(db)
        interning = try Interning(db)
        try interning.loadStoredTypes()
        originCache = try OriginCache(db)
        isLatest = try SnapshotWriter.isLatest(description.exportDate, db)
        try db.execute(
            sql:
                "INSERT INTO import (file, export_date, export_offset, locale, bytes, imported_at, "
                + "kind, first_sequence, last_sequence, digest, ledger) "
                + "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '{}')",
            arguments: [
                description.file, description.exportDate, description.exportOffset,
                description.locale, description.bytes, description.importedAt, "snapshot",
                mark + 1, mark, description.digest,
            ])
        importID = db.lastInsertedRowID
        routes = RouteTable(db, importID: importID)
        try db.execute(sql: SnapshotWriter.temporaryTables)
        detailedTypes = try Set(
            Int32.readAll(db, sql: "SELECT code FROM type WHERE has_details"))
        arrivalOrder = isFirst ? try ArrivalOrder(db) : nil
        insertion = try RowInsertion(db)
        chunkRecorder = try ChunkRecorder(db)
        findGroup = try StoreStatement(
            db,
            "SELECT \(StoredRow.Column.columns) FROM sample WHERE \(GroupRange.condition) "
                + "ORDER BY key")
        cursor = try IdentityCursor(db)
        findDetail = try StoreStatement(
            db, "SELECT content FROM detail WHERE sequence = \(SingleField.value)")
        insertNested = try StoreStatement(db, "INSERT INTO temp.nested \(NestedColumn.inserted)")
        findRaw = try StoreStatement(
            db, "SELECT xml FROM raw_element WHERE digest = \(SingleField.value)")
        insertRaw = try StoreStatement(db, "INSERT INTO raw_element \(RawColumn.inserted)")
        insertContested = try StoreStatement(
            db, "INSERT OR IGNORE INTO temp.contested \(ContestedColumn.inserted)")
    }

    private static let temporaryTables = """
        CREATE TEMP TABLE nested (
            parent INTEGER, type INTEGER, start_time REAL, key INTEGER, end_time REAL, created REAL,
            origin INTEGER, metadata INTEGER, value REAL, detail TEXT);
        CREATE INDEX temp.nested_order ON nested (type, start_time, key);
        CREATE TEMP TABLE contested (
            type INTEGER, start_time REAL, base INTEGER, PRIMARY KEY (type, start_time, base)
        ) WITHOUT ROWID;
        """

    func dropTemporaryTables() throws {
        try db.execute(sql: "DROP TABLE temp.nested; DROP TABLE temp.contested;")
    }

    /// Returns whether an export, if it is complete, may change and delete samples.
    ///
    /// It must be the first one, or have a date that is later than that of every complete one and
    /// not earlier than that of any damaged one.
    private static func isLatest(_ date: Double?, _ db: Database) throws -> Bool {
        let row = try CheckedRow.readOne(
            db,
            sql: """
                SELECT count(*) AS imports,
                       max(CASE WHEN kind <> 'partial' THEN export_date END) AS whole,
                       max(CASE WHEN kind = 'partial' THEN export_date END) AS damaged
                FROM import
                """)
        guard let row, try row["imports"] != 0 else { return true }
        let (whole, damaged): (Double?, Double?) = (try row["whole"], try row["damaged"])
        return date.map { $0 > whole ?? -.infinity && $0 >= damaged ?? -.infinity } ?? false
    }

    /// Returns the stored code of a type, for the samples of later batches. A new type is added.
    ///
    /// - Parameter identifier: The type's identifier.
    /// - Returns: The code. A new type gets the catalogue's code or the next free one.
    /// - Throws: An error if the file can't be written.
    public func type(identifier: String) throws -> Int32 {
        try interning.type(identifier: identifier)
    }

    func kind(_ type: Int32) -> SampleType.Kind {
        if let kind = kinds[type] { return kind }
        let kind = Catalogue.type(code: type)?.kind ?? interning.kind(ofType: type)
        kinds[type] = kind
        return kind
    }

    // MARK: - Cancellation

    /// Throws if the import was cancelled.
    ///
    /// - Throws: ``StoreError`` of code `cancelled`.
    func stopIfCancelled() throws {
        if isCancelled() { throw StoreError(.cancelled) }
    }

    /// Checks for cancellation at every thousandth call. Call it for each row or group.
    func checkCancellation() throws {
        cancellationChecks += 1
        if cancellationChecks % 1000 == 0 { try stopIfCancelled() }
    }

    // MARK: - Rows

    /// Matches a record with the store, or inserts it. Returns the sequence number of its row.
    func matchOrInsert(_ row: StoredRow) throws -> Int64 {
        typeCounts[row.type, default: 0] += 1
        if row.end - row.start >= SampleStore.dayTotalLength { longTypes.insert(row.type) }
        if !isFirst, case .equal(let old) = try match(row) {
            outcome[kind(row.type)].unchanged += 1
            return old
        }
        outcome[kind(row.type)].new += 1
        return try insert(row)
    }

    enum Match {
        /// The only row of the identity is an equal stored one, which is now marked as seen.
        case equal(Int64)
        case noMatch
        /// The identity is recorded, to be resolved at the end of the file.
        case contested
    }

    func match(_ row: StoredRow) throws -> Match {
        guard let found = try cursor.first(at: GroupKey(row)) else { return .noMatch }
        var old = found.row
        old.detail = try detail(of: old)
        if found.isUnique, old.sequence <= mark, !seen.contains(old.sequence),
            ImportedIdentity.occurrence(old.key) == 0,
            try originCache.sameContent(old, row) || addPoints(to: old, from: row)
        {
            seen.insert(old.sequence)
            return .equal(old.sequence)
        }
        try noteContested(row)
        return .contested
    }

    /// Stops caching the index cursor. Call it after the last record, before any row is changed.
    func endCursor() { cursor.end() }

    /// Ends the arrival of rows in a first import: writes the segments that were built of them.
    /// From now on, triggers delete segments whose rows change.
    ///
    /// Returns whether all possible duplicates were found.
    func endArrivals() throws -> Bool {
        try insertion.finish()
        guard let arrivalOrder else { return true }
        self.arrivalOrder = nil
        try arrivalOrder.finish()
        try db.execute(sql: Schema.editTriggers)
        return arrivalOrder.isEffective
    }

    private func noteContested(_ row: StoredRow) throws {
        try insertContested.bind(row.type, to: .type)
        try insertContested.bind(row.start, to: .startTime)
        try insertContested.bind(ImportedIdentity.base(row.key), to: .base)
        try insertContested.run()
    }

    /// Adds route points to a stored workout that is otherwise equal, in an import that may not
    /// change samples. So points aren't lost, for example when the zip is imported after its bare
    /// XML.
    ///
    /// - Returns: Whether points were added.
    private func addPoints(to old: StoredRow, from row: StoredRow) throws -> Bool {
        guard !isLatest, kind(row.type) == .workout,
            let filled = RouteTable.filling(old.detail, from: row.detail)
        else { return false }
        var known = old
        known.detail = filled
        guard try originCache.sameContent(known, row) else { return false }
        try db.execute(
            sql: "UPDATE detail SET content = ? WHERE sequence = ?",
            arguments: [filled, old.sequence])
        return true
    }

    func insert(_ row: StoredRow) throws -> Int64 {
        next += 1
        var row = row
        row.sequence = next
        if row.detail != nil { detailedTypes.insert(row.type) }
        try insertion.add(row)
        // Lookups must find this row.
        guard let arrivalOrder else {
            try insertion.finish()
            cursor.invalidate()
            return row.sequence
        }
        if try arrivalOrder.add(row) == .possibleDuplicate, arrivalOrder.isEffective {
            try noteContested(row)
        }
        return row.sequence
    }

    /// Writes the buffered rows.
    func finishInsertion() throws { try insertion.finish() }

    /// Returns the rows of an identity with their details, in order of key.
    ///
    /// If there are more than 16,384, `isCut` is true. Then the stored rows come first, followed by
    /// only the first 8,192 rows of this file, in order of sequence number.
    func group(at group: GroupKey) throws -> (rows: [StoredRow], isCut: Bool) {
        try insertion.finish()
        var rows: [StoredRow] = []
        let isCut = try forEachRow(at: group, findGroup) { row in
            rows.append(row)
            return rows.count <= 2 * SnapshotWriter.maximumNewRows
        }
        if isCut {
            rows.removeAll()
            let columns =
                "SELECT \(StoredRow.Column.columns) FROM sample WHERE \(GroupRange.condition)"
            for condition in [
                "AND sequence <= \(mark) ORDER BY key",
                "AND sequence > \(mark) ORDER BY sequence LIMIT \(SnapshotWriter.maximumNewRows)",
            ] {
                let some = try StoreStatement<GroupRange, StoredRow.Column>(
                    db, "\(columns) \(condition)")
                _ = try forEachRow(at: group, some) { row in
                    rows.append(row)
                    return true
                }
            }
        }
        for index in rows.indices { rows[index].detail = try detail(of: rows[index]) }
        return (rows, isCut)
    }

    /// Calls `body` with the rows of this file that ``group(at:)`` leaves out if it cuts its
    /// result.
    func forEachSurplusRow(at group: GroupKey, _ body: (StoredRow) throws -> Void) throws {
        let rows = try StoreStatement<GroupRange, StoredRow.Column>(
            db,
            "SELECT \(StoredRow.Column.columns) FROM sample WHERE \(GroupRange.condition) "
                + "AND sequence > \(mark) "
                + "ORDER BY sequence LIMIT -1 OFFSET \(SnapshotWriter.maximumNewRows)")
        _ = try forEachRow(at: group, rows) { row in
            try body(row)
            return true
        }
    }

    /// Twice the maximum number of occurrences.
    private static let maximumNewRows = 2 * (Int(ImportedIdentity.maximumOccurrence) + 1)

    /// Calls `body` with each row of an identity until it returns false. Returns whether it did.
    private func forEachRow(
        at group: GroupKey, _ rows: borrowing StoreStatement<GroupRange, StoredRow.Column>,
        _ body: (StoredRow) throws -> Bool
    ) throws -> Bool {
        try rows.bind(group.type, to: .type)
        try rows.bind(group.start, to: .start)
        try rows.bind(group.base, to: .first)
        try rows.bind(group.base + ImportedIdentity.maximumOccurrence, to: .last)
        defer { rows.reset() }
        while try rows.step() {
            if try !body(StoredRow(rows)) { return true }
        }
        return false
    }

    /// Returns the encoded details of a stored row; nil if it has none.
    func detail(of row: StoredRow) throws -> String? {
        guard detailedTypes.contains(row.type) else { return nil }
        try findDetail.bind(row.sequence, to: .value)
        defer { findDetail.reset() }
        return try findDetail.step() ? findDetail.text(.value) : nil
    }

    /// Stores a nested record temporarily, until its top-level copy can be looked for at the end of
    /// the file. `parent` is the sequence number of its correlation or workout; 0 for none.
    func keepNested(_ row: StoredRow, parent: Int64) throws {
        try insertNested.bind(parent, to: .parent)
        try insertNested.bind(row.type, to: .type)
        try insertNested.bind(row.start, to: .startTime)
        try insertNested.bind(row.key, to: .key)
        try insertNested.bind(row.end, to: .endTime)
        try insertNested.bind(orNull: row.created, to: .created)
        try insertNested.bind(row.origin, to: .origin)
        try insertNested.bind(row.metadata, to: .metadata)
        try insertNested.bind(orNull: row.value, to: .value)
        try insertNested.bind(orNull: row.detail, to: .detail)
        try insertNested.run()
    }
}
