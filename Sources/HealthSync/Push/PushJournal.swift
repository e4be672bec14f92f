import Foundation
import GRDB

/// The stored positions of a push: for each type, the pages that were sent last, with the cursor
/// after each page and the position from which reading continues there.
///
/// A page is stored as pending before it is sent. If the answer is lost, the server's cursor then
/// tells whether the page arrived. The journal is part of the watcher's position file.
struct PushJournal: Sendable {
    /// The number of confirmed pages, and that of pending ones, that are kept for each type.
    static let capacity = 32

    let file: PositionFile
    /// The subscriber's name.
    let name: String
    /// The identifier of this position file as a sender. A new file has a new one.
    let stream: String

    /// Creates the tables if they are missing, and the identifier of the sender.
    init(_ file: PositionFile, _ name: String) async throws {
        self.file = file
        self.name = name
        stream = try await file.database.write { db in
            try db.execute(sql: Self.schema)
            try db.execute(
                sql: "INSERT OR IGNORE INTO push_stream (id, stream) VALUES (1, ?)",
                arguments: [UUID().uuidString])
            return try String.fetchOne(db, sql: "SELECT stream FROM push_stream WHERE id = 1") ?? ""
        }
    }

    private static let schema = """
        CREATE TABLE IF NOT EXISTS push_stream (
            id INTEGER PRIMARY KEY CHECK (id = 1), stream TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS push_page (
            lane TEXT NOT NULL, type TEXT NOT NULL, filter TEXT NOT NULL,
            number INTEGER NOT NULL, cursor TEXT NOT NULL, is_pending INTEGER NOT NULL,
            anchor BLOB NOT NULL, before REAL, caught_up REAL NOT NULL, -- as in `position`
            PRIMARY KEY (lane, type, filter, number)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS push_summary (
            lane TEXT NOT NULL,
            day TEXT NOT NULL, -- empty for the row with the cursor
            content TEXT NOT NULL, -- the digest of what the server has, or the cursor
            PRIMARY KEY (lane, day)) WITHOUT ROWID;
        """

    /// A page that is about to be sent.
    struct Mark: Sendable {
        /// The cursor before the page; nil for the first one.
        let from: String?
        /// The cursor after the page.
        let to: String
    }

    /// Stores a page as pending.
    ///
    /// A page with the same position as a pending one has the same cursor, so that attempts without
    /// an answer don't fill the journal.
    ///
    /// - Parameters:
    ///   - key: The type.
    ///   - position: From where reading continues once the server has the page.
    ///   - suffix: A random part of the cursor, so that a restored file can't repeat one.
    func begin(
        _ key: PositionKey, reaching position: SyncPosition, suffix: String
    ) async throws -> Mark {
        try await file.database.write { db in
            let pages = try Self.pages(key, db)
            let last = pages.last { !$0.isPending }
            let same = pages.last {
                $0.isPending && $0.position.anchor == position.anchor
                    && $0.position.phase == position.phase
            }
            if let same { return Mark(from: last?.cursor, to: same.cursor) }
            let number = (pages.last?.number ?? 0) + 1
            let page = Page(
                number: number, cursor: "\(number)-\(suffix)", isPending: true, position: position)
            try Self.insert(page, key, db)
            for old in pages.filter(\.isPending).dropLast(Self.capacity - 1) {
                try Self.delete(old.number...old.number, key, db)
            }
            return Mark(from: last?.cursor, to: page.cursor)
        }
    }

    /// Stores that the server has a page, and the position after it.
    ///
    /// - Parameters:
    ///   - mark: The page.
    ///   - key: The type.
    ///   - from: The stored position, at which the page was read.
    ///   - to: The position after the page; the same as `from` for a part of a batch.
    /// - Throws: ``SyncError/positionMoved`` if another position is stored; nothing is changed.
    func confirm(
        _ mark: Mark, _ key: PositionKey, from: SyncPosition?, to: SyncPosition
    ) async throws {
        try await file.database.write { db in
            try PositionFile.setPosition(to, for: key, expecting: from, db)
            guard let page = try Self.pages(key, db).last(where: { $0.cursor == mark.to }) else {
                return
            }
            try Self.settle(page, key, db)
        }
    }

    /// Moves the stored position to that of a cursor of the server. Without the cursor, or if it
    /// isn't among the last pages, the type is read as at the first run.
    func goBack(to cursor: String?, _ key: PositionKey) async throws {
        try await file.database.write { db in
            let pages = try Self.pages(key, db)
            try Self.deletePosition(key, db)
            guard let page = pages.last(where: { $0.cursor == cursor }) else {
                try Self.delete(0...Int64.max, key, db)
                return
            }
            try PositionFile.setPosition(page.position, for: key, expecting: nil, db)
            try Self.settle(page, key, db)
        }
    }

    /// Returns whether the server has confirmed a page of a type.
    func hasPages(_ key: PositionKey) async throws -> Bool {
        try await confirmedCursor(key) != nil
    }

    /// Returns the cursor after the last page of a type that the server has confirmed; nil for none.
    func confirmedCursor(_ key: PositionKey) async throws -> String? {
        try await file.database.read { db in
            try Self.pages(key, db).last { !$0.isPending }?.cursor
        }
    }

    /// Removes the positions and pages of types.
    func remove(_ keys: Set<PositionKey>) async throws {
        try await file.database.write { db in
            for key in keys {
                try Self.deletePosition(key, db)
                try Self.delete(0...Int64.max, key, db)
            }
        }
    }
}

// MARK: - Rows

extension PushJournal {
    private struct Page {
        let number: Int64
        let cursor: String
        var isPending: Bool
        let position: SyncPosition
    }

    private enum PageColumn: Int, RowColumn {
        case number, cursor, isPending, anchor, before, caughtUp
    }

    private static let keyCondition = "lane = ? AND type = ? AND filter = ?"

    /// Returns the pages of a type, the oldest first. Damaged rows are left out, as if the page
    /// were unknown.
    private static func pages(_ key: PositionKey, _ db: Database) throws -> [Page] {
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT \(PageColumn.columns) FROM push_page WHERE \(keyCondition) "
                + "ORDER BY number",
            arguments: [key.subscriber, key.type, key.filter])
        return rows.compactMap { row in
            guard let number: Int64 = try? row.value(PageColumn.number),
                let cursor: String = try? row.value(PageColumn.cursor),
                let isPending: Bool = try? row.value(PageColumn.isPending),
                let anchor: Data = try? row.value(PageColumn.anchor),
                let caughtUp: Double = try? row.value(PageColumn.caughtUp)
            else { return nil }
            let before: Double? = (try? row.optional(PageColumn.before)) ?? nil
            let start = before.map { Date(timeIntervalSinceReferenceDate: $0) }
            return Page(
                number: number, cursor: cursor, isPending: isPending,
                position: SyncPosition(
                    anchor: anchor, phase: start.map { .history(before: $0) } ?? .changes,
                    caughtUp: Date(timeIntervalSinceReferenceDate: caughtUp)))
        }
    }

    private static func insert(_ page: Page, _ key: PositionKey, _ db: Database) throws {
        var before: Double?
        if case .history(let date) = page.position.phase {
            before = date.timeIntervalSinceReferenceDate
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO push_page (lane, type, filter, number, cursor, "
                + "is_pending, anchor, before, caught_up) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                key.subscriber, key.type, key.filter, page.number, page.cursor, page.isPending,
                page.position.anchor, before,
                page.position.caughtUp.timeIntervalSinceReferenceDate,
            ])
    }

    private static func delete(
        _ numbers: ClosedRange<Int64>, _ key: PositionKey, _ db: Database
    ) throws {
        try db.execute(
            sql: "DELETE FROM push_page WHERE \(keyCondition) AND number BETWEEN ? AND ?",
            arguments: [
                key.subscriber, key.type, key.filter, numbers.lowerBound, numbers.upperBound,
            ])
    }

    private static func deletePosition(_ key: PositionKey, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM position WHERE \(keyCondition)",
            arguments: [key.subscriber, key.type, key.filter])
    }

    /// Makes a page the last one that the server has. Later pages and other pending ones didn't
    /// arrive, so they are removed, as are confirmed ones beyond the capacity.
    private static func settle(_ page: Page, _ key: PositionKey, _ db: Database) throws {
        var page = page
        page.isPending = false
        try db.execute(
            sql: "DELETE FROM push_page WHERE \(keyCondition) AND (is_pending OR number >= ?)",
            arguments: [key.subscriber, key.type, key.filter, page.number])
        try insert(page, key, db)
        if page.number > Int64(capacity) {
            let confirmed = try pages(key, db)
            for old in confirmed.dropLast(capacity) { try delete(old.number...old.number, key, db) }
        }
    }
}
