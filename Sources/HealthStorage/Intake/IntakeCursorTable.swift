import GRDB

/// A page doesn't begin where the stored changes of its stream end.
package struct IntakeCursorMismatch: Error, Hashable, CustomStringConvertible {
    /// The position after the last page that is stored; nil for none.
    package var stored: String?

    package var description: String { "The page doesn't follow the last one that is stored." }
}

/// The table of the senders' positions.
struct IntakeCursorTable {
    private let db: Database

    init(_ db: Database) { self.db = db }

    /// Stores the position after a page.
    ///
    /// - Throws: ``IntakeCursorMismatch`` if the page begins elsewhere. A page without a position
    ///   before it begins the stream anew.
    func advance(to cursor: IntakeCursor, route: Int64) throws {
        let stored = try self.cursor(route: route, stream: cursor.stream)
        if cursor.from != nil, cursor.from != stored { throw IntakeCursorMismatch(stored: stored) }
        try db.executeKept(
            sql: "INSERT OR REPLACE INTO intake_cursor (route, stream, cursor) VALUES (?, ?, ?)",
            arguments: [route, cursor.stream, cursor.to])
    }

    func cursor(route: Int64, stream: String) throws -> String? {
        try String.readOne(
            db, sql: "SELECT cursor FROM intake_cursor WHERE route = ? AND stream = ?",
            arguments: [route, stream])
    }
}
