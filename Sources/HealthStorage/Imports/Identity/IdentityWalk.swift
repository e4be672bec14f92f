import GRDB
import HealthEngine

/// Finds imported rows by identity, walking along the index beside a file that is sorted like it.
///
/// Exports list the samples of a type in order of time, so the next record's row mostly is the next in
/// the index: a step there costs a fraction of a search. What lies elsewhere is searched for.
final class IdentityWalk {
    /// Steps tried before a search is quicker.
    private static let longestWalk = 8

    private let rows: RawStatement
    /// The first row that may be asked for, and the one behind it; nil at the end of the type.
    private var current: StoredRow?
    private var following: StoredRow?
    /// The type that is walked along; nil before the first search, and when the rows have changed.
    private var type: Int32?
    /// All rows of the type from here on lie ahead.
    private var start = -Double.infinity
    private var base: Int64 = .min
    private var hasEnded = false

    init(_ db: Database) throws {
        rows = try RawStatement(
            db,
            "SELECT \(StoredRow.columns) FROM sample WHERE type = ? "
                + "AND (start_time, key) >= (?, ?) AND uuid IS NULL ORDER BY start_time, key")
    }

    /// To be called when a row has been added: it may lie between those that are known.
    func forget() {
        if type == nil { return }
        type = nil
        rows.reset()
    }

    /// From now on every row is searched for: settling changes rows and takes some away.
    func end() {
        forget()
        hasEnded = true
    }

    /// The first row that shares an identity but for the occurrence number, and whether it is the only
    /// one; nil if there is none. The row comes without its structured part.
    ///
    /// - Complexity: O(1) for the next place along the index, else O(log rows).
    func first(at place: SnapshotWriter.GroupPlace) throws -> (row: StoredRow, isAlone: Bool)? {
        // A statement left open would keep settling from dropping its tables.
        defer { if hasEnded { forget() } }
        if !liesAhead(place) { try search(place) }
        var steps = 0
        while let row = current, IdentityWalk.isBefore(row, place) {
            // A search ends at the place or behind it, unless the index isn't in order.
            if steps > IdentityWalk.longestWalk {
                throw StoreError.damaged("sample, the order of its index")
            }
            if steps < IdentityWalk.longestWalk { try step() } else { try search(place) }
            steps += 1
        }
        (start, base) = (place.start, place.base)
        guard let row = current, IdentityWalk.holds(place, row) else { return nil }
        return (row, isAlone: following.map { !IdentityWalk.holds(place, $0) } ?? true)
    }

    private func liesAhead(_ place: SnapshotWriter.GroupPlace) -> Bool {
        !hasEnded && type == place.type
            && (start < place.start || start == place.start && base <= place.base)
    }

    private func search(_ place: SnapshotWriter.GroupPlace) throws {
        type = nil
        rows.reset()
        rows.bind(place.type, at: 1)
        rows.bind(place.start, at: 2)
        rows.bind(place.base, at: 3)
        current = try rows.step() ? StoredRow(rows) : nil
        following = try current != nil && rows.step() ? StoredRow(rows) : nil
        type = place.type
    }

    private func step() throws {
        current = following
        // A statement that has ended would begin again.
        following = try current != nil && rows.step() ? StoredRow(rows) : nil
    }

    private static func isBefore(
        _ row: StoredRow, _ place: SnapshotWriter.GroupPlace
    ) -> Bool {
        row.start < place.start || row.start == place.start && row.key < place.base
    }

    private static func holds(_ place: SnapshotWriter.GroupPlace, _ row: StoredRow) -> Bool {
        row.start == place.start && ImportedIdentity.base(row.key) == place.base
    }
}
