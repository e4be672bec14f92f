import Foundation
import GRDB

/// The data about an import that an undo and a comparison need, and that its rows in `sample` and
/// `removed` don't have. It is stored as JSON in `import.previous`.
struct ImportTrace: Codable {
    /// The membership of an imported sample, which the import removed, in a sample that a program
    /// saved. Both are given by their sequence numbers before the import.
    struct RemovedMembership: Codable, Hashable {
        var parent: Int64
        var child: Int64
    }

    var settings: [StoreSettings.Change] = []
    /// The number of rows that the import stored under new sequence numbers: added and changed
    /// ones.
    var rows = 0
    /// The ids of the rows that the import wrote to `removed`: greater than `removedAfter`, up to
    /// and including `removedThrough`.
    var removedAfter: Int64 = 0
    var removedThrough: Int64 = 0
    var memberships: [RemovedMembership] = []
    /// The ranges of sequence numbers, each with its first and last one, under which undos of later
    /// imports have restored rows of this import; nil for none.
    var moved: [[Int64]]?

    private enum CodingKeys: String, CodingKey {
        case settings, rows, removedAfter, removedThrough, moved
        case memberships = "ties"
    }

    /// Decodes the trace of an import; nil if there is none, as for imports by early versions, or
    /// if it is damaged.
    init?(_ text: String?) {
        // Without a readable trace, the import can't be undone.
        guard let text,
            let trace = try? JSONDecoder().decode(ImportTrace.self, from: Data(text.utf8)),
            (0...Int(SequenceSet.highest)).contains(trace.rows)
        else { return nil }
        self = trace
    }

    init() {}

    var text: String {
        get throws { try StoredText.encoded(self) }
    }

    /// The ids of the sources that the import added.
    var newSources: [String] {
        settings.filter { $0.table == .source && $0.before == nil }.map(\.key)
    }

    /// Returns the ranges of sequence numbers of the import's rows, with both ends included, as
    /// JSON for SQL: `[[first,last],…]`.
    ///
    /// - Parameters:
    ///   - first: The first sequence number that the import assigned.
    ///   - last: The last one.
    func spans(from first: Int64, to last: Int64) throws -> String {
        try StoredText.encoded([[first, last]] + (moved ?? []))
    }

    /// Returns SQL for a `FROM` clause: the rows of a table whose sequence number is in one of some
    /// ranges, under the name `row`.
    ///
    /// - Parameters:
    ///   - table: The table, with a column `sequence`.
    ///   - spans: An SQL expression of the ranges, such as the parameter for
    ///     ``spans(from:to:)``.
    static func rows(of table: String, in spans: String) -> String {
        "json_each(\(spans)) span CROSS JOIN \(table) row "
            + "ON row.sequence BETWEEN span.value ->> 0 AND span.value ->> 1"
    }

    static func lastRemoved(_ db: Database) throws -> Int64 {
        try Int64.readOne(db, sql: "SELECT max(id) FROM removed") ?? 0
    }
}

extension SnapshotWriter {
    /// Stores the trace of this import. This is the last step before the transaction is
    /// committed.
    func storeTrace() throws {
        var trace = trace
        trace.settings = try StoreSettings(db).changes(since: settingsBefore)
        trace.removedThrough = try ImportTrace.lastRemoved(db)
        let tallies = [
            outcome.records, outcome.correlations, outcome.workouts, outcome.activitySummaries,
        ]
        // A workout of a device that took the exported content counts as unchanged in the report.
        let taken = try TwinTable(db).takenCount(ofImport: importID)
        trace.rows = tallies.reduce(taken) { $0 + $1.new + $1.changed }
        try db.execute(
            sql: "UPDATE import SET previous = ? WHERE id = ?",
            arguments: [try trace.text, importID])
    }
}
