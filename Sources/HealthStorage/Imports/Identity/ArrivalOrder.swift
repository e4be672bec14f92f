import GRDB
import HealthEngine

/// Finds possible duplicates among the rows of a first import by the order in which they arrive,
/// and builds column segments of them on the way.
///
/// Exports list the samples of a type nearly in order of time. The latest rows of each type are
/// kept in order of start and key, so a row that comes after the rows before them is compared with
/// all that could have its identity. A row that comes earlier is a possible duplicate, which the
/// caller must verify.
final class ArrivalOrder {
    enum Placement { case new, possibleDuplicate }

    /// The number of kept rows of a type. Twice as many are kept for a while, and four times as many
    /// if they have one start.
    private let window: Int

    private struct Latest {
        var rows = PendingSegment()
        /// The position from which on all rows are kept.
        var floor = SegmentPosition.first
        /// Whether segments are built of the type.
        var hasSegments: Bool
    }

    private let db: Database
    private let insertion: SegmentInsertion
    private let deleteSegment: StoreStatement<Position, NoFields>
    /// The rows of all types but the current one.
    private var others: [Int32: Latest] = [:]
    @exclusivity(unchecked) private var latest = Latest(hasSegments: false)
    private var type: Int32 = -1
    private var rowCount = 0
    private var possibleDuplicates = 0

    private enum Position: Int32, StatementField { case type, start, key }

    /// Creates an order without rows.
    ///
    /// - Parameter sizes: The sizes of segments. Placements are correct for all sizes.
    init(_ db: Database, _ sizes: SegmentWriter.Sizes = .standard) throws {
        self.db = db
        window = sizes.full
        insertion = try SegmentInsertion(db, sizes)
        deleteSegment = try StoreStatement(
            db,
            """
            DELETE FROM segment WHERE id = (
                SELECT id FROM segment WHERE type = \(Position.type)
                AND (start_time, key) <= (\(Position.start), \(Position.key))
                ORDER BY start_time DESC, key DESC LIMIT 1)
            AND (until_time, until_key) > (\(Position.start), \(Position.key))
            """)
    }

    /// Whether it is selective enough. Once more than about one row in eight is a possible
    /// duplicate, it stays false, and sorting all rows by identity is faster.
    private(set) var isEffective = true

    /// Adds an inserted row, and returns whether its identity is new or possibly a duplicate.
    func add(_ row: StoredRow) throws -> Placement {
        if !isEffective { return .possibleDuplicate }
        if row.type != type { change(to: row.type) }
        rowCount += 1
        let place = SegmentPosition(start: row.start, key: row.key)
        if place < latest.floor {
            if latest.hasSegments { try deleteSegment(at: place) }
            return try notePossibleDuplicate()
        }
        if row.detail != nil { latest.hasSegments = false }
        let index = latest.rows.index(after: place)
        let isKnown = index > 0 && latest.rows.place(index - 1) == place
        latest.rows.insert(
            place, end: row.end, created: row.created, value: row.value, origin: row.origin,
            at: index)
        if latest.rows.count >= 2 * window { _ = try shorten() }
        return isKnown ? try notePossibleDuplicate() : .new
    }

    private func notePossibleDuplicate() throws -> Placement {
        possibleDuplicates += 1
        if possibleDuplicates * 8 > rowCount + 4096 {
            isEffective = false
            others.removeAll()
            latest = Latest(hasSegments: false)
            // They no longer follow the rows that arrive.
            try db.execute(sql: "DELETE FROM segment")
        }
        return .possibleDuplicate
    }

    private func change(to next: Int32) {
        others[type] = latest
        type = next
        latest =
            others.removeValue(forKey: next)
            ?? Latest(hasSegments: Catalogue.type(code: next)?.aggregation != nil)
    }

    /// Writes the first half of the kept rows as a segment. Rows of one start stay together. Returns
    /// whether rows were removed.
    private func shorten() throws -> Bool {
        var count = window
        let limit = latest.rows.count
        while count < limit, latest.rows.place(count - 1).start == latest.rows.place(count).start {
            count += 1
        }
        if count < limit {
            latest.floor = latest.rows.place(count)
            let head = latest.rows.removeFirst(count)
            if latest.hasSegments { _ = try insertion.insert(head, type, until: latest.floor) }
            return true
        }
        guard count >= 4 * window else { return false }
        // Too many rows of one start: later ones aren't compared with them.
        let start = latest.rows.place(count - 1).start
        latest = Latest(
            floor: SegmentPosition(start: start.nextUp, key: .min), hasSegments: false)
        return true
    }

    private func deleteSegment(at place: SegmentPosition) throws {
        try deleteSegment.bind(type, to: .type)
        try deleteSegment.bind(place.start, to: .start)
        try deleteSegment.bind(place.key, to: .key)
        try deleteSegment.run()
    }

    /// Writes the remaining segments. Call it after the last row.
    func finish() throws {
        change(to: -1)
        for type in others.keys.sorted() {
            change(to: type)
            while latest.rows.count > window, try shorten() {}
            guard latest.hasSegments, let last = latest.rows.last else { continue }
            let until = SegmentPosition(start: last.start.nextUp, key: .min)
            _ = try insertion.insert(latest.rows, type, until: until)
        }
        others.removeAll()
        latest = Latest(hasSegments: false)
    }
}
