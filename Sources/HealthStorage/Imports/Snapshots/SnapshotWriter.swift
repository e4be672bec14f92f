import GRDB
import HealthEngine

/// Takes the batches of one export into a store, inside one transaction.
///
/// ```
/// stream    each record is looked up by identity: met and equal → seen; else → a new row, and
///           where something stood already, the place is contested
/// finish    index (if the store was empty) → what IdentitySettlement decides → what sources are
/// ```
/// Rows up to `mark` were there before; later ones are this import's. Until the end of the file
/// nothing old is touched, since only then it is known whether the file was whole.
public final class SnapshotWriter {
    let db: Database
    let interning: Interning
    let facts: OriginFacts
    let routes: RouteTable
    let importID: Int64
    let mark: Int64
    let isFirst: Bool
    let isLatest: Bool
    private let insertion: RowInsertion
    private let findGroup: RawStatement
    private let walk: IdentityWalk
    private let findDetail: RawStatement
    private let insertNested: RawStatement
    private let insertContested: RawStatement
    let findRaw: RawStatement
    let insertRaw: RawStatement
    private let isCancelled: () -> Bool
    private var pulses = 0
    /// Finds identities that come twice, in a first import.
    private var sieve: IdentitySieve?
    private var kinds: [Int32: SampleType.Kind] = [:]
    /// Types of which some sample has a structured part.
    private(set) var detailedTypes: Set<Int32>
    var next: Int64
    /// The old rows that this file holds.
    var seen: SequenceSet
    var outcome = SnapshotOutcome()
    /// Live samples of this file by type, and of each origin with the earliest moment it was met.
    var typeCounts: [Int32: Int] = [:]
    var originCounts: [Int64: OriginCount] = [:]
    /// Rows in a row of one origin that are not in there yet.
    var originRun = (origin: Int64(0), count: OriginCount())
    /// Types of which this file has a sample of half a day or longer.
    var longTypes: Set<Int32> = []
    /// What the file says of the person, until it is known how far the import may go.
    var characteristics: [String: String] = [:]
    /// What an undo needs to know, as far as it is known before the end.
    var trace = ImportTrace()
    let settingsBefore: StoreSettings
    /// The last origin that was there before.
    let lastOrigin: Int64
    /// Whether ``finish(_:)`` is through; an import without it is undone.
    public internal(set) var isFinished = false

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
        try interning.meetStoredTypes()
        facts = try OriginFacts(db)
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
        routes = RouteTable(db, importID: importID)
        try db.execute(sql: SnapshotWriter.temporaryTables)
        detailedTypes = try Set(
            Int32.readAll(
                db, sql: "SELECT DISTINCT sample.type FROM detail JOIN sample USING (sequence)"))
        sieve = isFirst ? IdentitySieve(byteCount: description.bytes) : nil
        insertion = try RowInsertion(db)
        findGroup = try RawStatement(
            db,
            "SELECT \(StoredRow.columns) FROM sample WHERE type = ? AND start_time = ? "
                + "AND key BETWEEN ? AND ? AND uuid IS NULL ORDER BY key")
        walk = try IdentityWalk(db)
        findDetail = try RawStatement(db, "SELECT content FROM detail WHERE sequence = ?")
        insertNested = try RawStatement(
            db,
            "INSERT INTO temp.nested (parent, type, start_time, key, end_time, created, origin, "
                + "metadata, value, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        findRaw = try RawStatement(db, "SELECT xml FROM raw_element WHERE digest = ?")
        insertRaw = try RawStatement(
            db,
            "INSERT INTO raw_element (import, position, element, reason, digest, xml) "
                + "VALUES (?, ?, ?, ?, ?, ?)")
        insertContested = try RawStatement(
            db, "INSERT OR IGNORE INTO temp.contested (type, start_time, base) VALUES (?, ?, ?)")
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

    /// Whether an export, if it is whole, may change and delete: it is the first, or later than every
    /// whole one before it and no earlier than a damaged one.
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

    /// The stored number of a type, for the samples of later batches.
    public func type(identifier: String) throws -> Int32 {
        try interning.type(identifier: identifier)
    }

    func kind(_ type: Int32) -> SampleType.Kind {
        if let kind = kinds[type] { return kind }
        let kind = Catalogue.type(code: type)?.kind ?? interning.kind(ofType: type)
        kinds[type] = kind
        return kind
    }

    // MARK: - Being stopped

    /// - Throws: ``StoreError`` of code `cancelled` if somebody asked to stop.
    func stopIfCancelled() throws {
        if isCancelled() { throw StoreError(.cancelled, "Stopped; the store is as it was before.") }
    }

    /// To be called once a row or group: looks after every thousandth whether to stop.
    func pulse() throws {
        pulses += 1
        if pulses % 1000 == 0 { try stopIfCancelled() }
    }

    // MARK: - Rows

    /// Matches a record with the store, or adds it; the sequence of the row that stands for it.
    func take(_ row: StoredRow) throws -> Int64 {
        typeCounts[row.type, default: 0] += 1
        if row.end - row.start >= SampleStore.dayTotalLength { longTypes.insert(row.type) }
        if !isFirst, case .standsAlone(let old) = try match(row) {
            outcome[kind(row.type)].unchanged += 1
            return old
        }
        outcome[kind(row.type)].new += 1
        return try insert(row)
    }

    enum Match {
        /// The one row of its identity is an equal old one, which is seen from now on.
        case standsAlone(Int64)
        case nothingThere
        /// The place was noted for settling when all of the file is known.
        case contested
    }

    func match(_ row: StoredRow) throws -> Match {
        guard let found = try walk.first(at: GroupPlace(row)) else { return .nothingThere }
        var old = found.row
        old.detail = try detail(of: old)
        if found.isAlone, old.sequence <= mark, !seen.contains(old.sequence),
            ImportedIdentity.occurrence(old.key) == 0,
            try facts.sameContent(old, row) || takesPoints(old, from: row)
        {
            seen.insert(old.sequence)
            return .standsAlone(old.sequence)
        }
        try noteContested(row)
        return .contested
    }

    /// To be called when the file's records are all known, before any row is changed.
    func endWalk() { walk.end() }

    /// Ends the search for identities that come twice; whether all of them have been found.
    func endSieve() throws -> Bool {
        try insertion.finish()
        defer { sieve = nil }
        return sieve?.isOfUse ?? true
    }

    private func noteContested(_ row: StoredRow) throws {
        insertContested.bind(row.type, at: 1)
        insertContested.bind(row.start, at: 2)
        insertContested.bind(ImportedIdentity.base(row.key), at: 3)
        try insertContested.run()
    }

    /// Fills in the points of a stored workout that lacks nothing else of what this file says of it:
    /// an import that changes nothing, such as that of the zip after its bare xml, brings them too.
    private func takesPoints(_ old: StoredRow, from row: StoredRow) throws -> Bool {
        guard !isLatest, kind(row.type) == .workout,
            let filled = RouteTable.filling(old.detail, from: row.detail)
        else { return false }
        var known = old
        known.detail = filled
        guard try facts.sameContent(known, row) else { return false }
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
        // Who looks rows up must find this one.
        if sieve == nil { try insertion.finish() }
        walk.forget()
        if sieve?.insert(row) == .maybeSeen, sieve?.isOfUse == true { try noteContested(row) }
        return row.sequence
    }

    /// Writes rows that have waited for others to be written with.
    func finishInsertion() throws { try insertion.finish() }

    /// The rows that share a record's identity but for the occurrence number, in order of it; of this
    /// file's no more than twice as many as one identity can hold.
    func group(at place: GroupPlace) throws -> (rows: [StoredRow], isCut: Bool) {
        try insertion.finish()
        var rows: [StoredRow] = []
        let isCut = try forEachRow(at: place, findGroup) { row in
            rows.append(row)
            return rows.count <= 2 * SnapshotWriter.mostFresh
        }
        if isCut {
            rows.removeAll()
            let range = "type = ? AND start_time = ? AND key BETWEEN ? AND ? AND uuid IS NULL"
            let columns = "SELECT \(StoredRow.columns) FROM sample WHERE \(range)"
            for condition in [
                "AND sequence <= \(mark) ORDER BY key",
                "AND sequence > \(mark) ORDER BY sequence LIMIT \(SnapshotWriter.mostFresh)",
            ] {
                _ = try forEachRow(at: place, RawStatement(db, "\(columns) \(condition)")) { row in
                    rows.append(row)
                    return true
                }
            }
        }
        for index in rows.indices { rows[index].detail = try detail(of: rows[index]) }
        return (rows, isCut)
    }

    /// The rows of this file that ``group(at:)`` has left out.
    func forEachSurplusRow(at place: GroupPlace, _ body: (StoredRow) throws -> Void) throws {
        let rows = try RawStatement(
            db,
            "SELECT \(StoredRow.columns) FROM sample WHERE type = ? AND start_time = ? "
                + "AND key BETWEEN ? AND ? AND uuid IS NULL AND sequence > \(mark) "
                + "ORDER BY sequence LIMIT -1 OFFSET \(SnapshotWriter.mostFresh)")
        _ = try forEachRow(at: place, rows) { row in
            try body(row)
            return true
        }
    }

    /// Twice as many as one identity can hold.
    private static let mostFresh = 2 * (Int(ImportedIdentity.maximumOccurrence) + 1)

    /// Whether `body` has ended it by returning false.
    private func forEachRow(
        at place: GroupPlace, _ rows: borrowing RawStatement,
        _ body: (StoredRow) throws -> Bool
    ) throws -> Bool {
        rows.bind(place.type, at: 1)
        rows.bind(place.start, at: 2)
        rows.bind(place.base, at: 3)
        rows.bind(place.base + ImportedIdentity.maximumOccurrence, at: 4)
        defer { rows.reset() }
        while try rows.step() {
            if try !body(StoredRow(rows)) { return true }
        }
        return false
    }

    /// The text of a stored row's structured part; nil if it has none.
    func detail(of row: StoredRow) throws -> String? {
        guard detailedTypes.contains(row.type) else { return nil }
        findDetail.bind(row.sequence, at: 1)
        defer { findDetail.reset() }
        return try findDetail.step() ? findDetail.text(0) : nil
    }

    /// Keeps a member of something until the file's end, when its twin is known.
    func keepNested(_ row: StoredRow, parent: Int64) throws {
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
            try insertNested.bind(detail, at: 10)
        } else {
            insertNested.bindNull(at: 10)
        }
        try insertNested.run()
    }
}
