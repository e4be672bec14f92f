import GRDB
import HealthEngine

/// A cursor that finds imported rows by identity while a file in a similar order is read.
///
/// Exports list the samples of a type in order of time, so the next record's row is usually the
/// next one in the index. A step to it costs a fraction of a search. If the row is farther ahead or
/// before the cursor, it is searched for.
final class IdentityCursor {
    /// The maximum number of steps before a search.
    private static let maximumSteps = 8

    private enum Parameter: Int32, StatementField { case type, start, base }

    private let rows: StoreStatement<Parameter, StoredRow.Column>
    /// The current row and the next one; nil at the end of the type.
    private var current: StoredRow?
    private var following: StoredRow?
    /// The type at the cursor; nil before the first search and after changes.
    private var type: Int32?
    /// The start and key of the last lookup. The cursor has passed no row from there on.
    private var start = -Double.infinity
    private var base: Int64 = .min
    private var hasEnded = false

    init(_ db: Database) throws {
        rows = try StoreStatement(
            db,
            "SELECT \(StoredRow.Column.columns) FROM sample WHERE type = \(Parameter.type) "
                + "AND (start_time, key) >= (\(Parameter.start), \(Parameter.base)) "
                + "AND uuid IS NULL ORDER BY start_time, key")
    }

    /// Invalidates the cursor. Call it after inserting a row.
    func forget() {
        if type == nil { return }
        type = nil
        rows.reset()
    }

    /// Makes every later lookup a search, because settling changes and deletes rows.
    func end() {
        forget()
        hasEnded = true
    }

    /// Returns the first imported row with an identity, ignoring occurrence numbers, and whether it
    /// is the only one.
    ///
    /// - Returns: The row without its details; nil if there is none.
    /// - Complexity: O(1) for the next row in the index, otherwise O(log rows).
    func first(at place: SnapshotWriter.GroupKey) throws -> (row: StoredRow, isAlone: Bool)? {
        // An open statement would prevent settling from dropping its tables.
        defer { if hasEnded { forget() } }
        if !isAhead(place) { try search(place) }
        var steps = 0
        while let row = current, IdentityCursor.isBefore(row, place) {
            // A search ends at or after the place, unless the index is damaged.
            if steps > IdentityCursor.maximumSteps {
                throw StoreError.damaged("sample, the order of its index")
            }
            if steps < IdentityCursor.maximumSteps { try step() } else { try search(place) }
            steps += 1
        }
        (start, base) = (place.start, place.base)
        guard let row = current, IdentityCursor.holds(place, row) else { return nil }
        return (row, isAlone: following.map { !IdentityCursor.holds(place, $0) } ?? true)
    }

    private func isAhead(_ place: SnapshotWriter.GroupKey) -> Bool {
        !hasEnded && type == place.type
            && (start < place.start || start == place.start && base <= place.base)
    }

    private func search(_ place: SnapshotWriter.GroupKey) throws {
        type = nil
        rows.reset()
        try rows.bind(place.type, to: .type)
        try rows.bind(place.start, to: .start)
        try rows.bind(place.base, to: .base)
        current = try rows.step() ? StoredRow(rows) : nil
        following = try current != nil && rows.step() ? StoredRow(rows) : nil
        type = place.type
    }

    private func step() throws {
        current = following
        // Stepping a finished statement would restart it.
        following = try current != nil && rows.step() ? StoredRow(rows) : nil
    }

    private static func isBefore(
        _ row: StoredRow, _ place: SnapshotWriter.GroupKey
    ) -> Bool {
        row.start < place.start || row.start == place.start && row.key < place.base
    }

    private static func holds(_ place: SnapshotWriter.GroupKey, _ row: StoredRow) -> Bool {
        row.start == place.start && ImportedIdentity.base(row.key) == place.base
    }
}
