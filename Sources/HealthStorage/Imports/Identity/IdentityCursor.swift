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
    func invalidate() {
        if type == nil { return }
        type = nil
        rows.reset()
    }

    /// Makes every later lookup a search, because the resolution changes and deletes rows.
    func end() {
        invalidate()
        hasEnded = true
    }

    /// Returns the first imported row with an identity, ignoring occurrence numbers, and whether it
    /// is the only one.
    ///
    /// - Returns: The row without its details; nil if there is none.
    /// - Complexity: O(1) for the next row in the index, otherwise O(log rows).
    func first(at group: SnapshotWriter.GroupKey) throws -> (row: StoredRow, isUnique: Bool)? {
        // An open statement would prevent the resolution from dropping its tables.
        defer { if hasEnded { invalidate() } }
        if !canStep(to: group) { try search(group) }
        var steps = 0
        while let row = current, IdentityCursor.isBefore(row, group) {
            // A search ends at or after the group, unless the index is damaged.
            if steps > IdentityCursor.maximumSteps {
                throw StoreError.damaged("sample, the order of its index")
            }
            if steps < IdentityCursor.maximumSteps { try step() } else { try search(group) }
            steps += 1
        }
        (start, base) = (group.start, group.base)
        guard let row = current, IdentityCursor.matches(group, row) else { return nil }
        return (row, isUnique: following.map { !IdentityCursor.matches(group, $0) } ?? true)
    }

    private func canStep(to group: SnapshotWriter.GroupKey) -> Bool {
        !hasEnded && type == group.type
            && (start < group.start || start == group.start && base <= group.base)
    }

    private func search(_ group: SnapshotWriter.GroupKey) throws {
        type = nil
        rows.reset()
        try rows.bind(group.type, to: .type)
        try rows.bind(group.start, to: .start)
        try rows.bind(group.base, to: .base)
        current = try rows.step() ? StoredRow(rows) : nil
        following = try current != nil && rows.step() ? StoredRow(rows) : nil
        type = group.type
    }

    private func step() throws {
        current = following
        // Stepping a finished statement would restart it.
        following = try current != nil && rows.step() ? StoredRow(rows) : nil
    }

    private static func isBefore(
        _ row: StoredRow, _ group: SnapshotWriter.GroupKey
    ) -> Bool {
        row.start < group.start || row.start == group.start && row.key < group.base
    }

    private static func matches(_ group: SnapshotWriter.GroupKey, _ row: StoredRow) -> Bool {
        row.start == group.start && ImportedIdentity.base(row.key) == group.base
    }
}
