import Foundation
import GRDB

/// The part of an import's changes that isn't in `sample` or `removed`, stored in
/// `import.previous`.
struct ImportTrace: Codable {
    /// A membership between a saved sample and an imported one that the import removed.
    struct Tie: Codable, Hashable {
        var parent: Int64
        var child: Int64
    }

    var settings: [StoreSettings.Change] = []
    /// The number of rows stored under the sequence numbers that the import assigned.
    var rows = 0
    /// The range of rows that the import wrote to `removed`: after the first id, through the second
    /// one.
    var removedAfter: Int64 = 0
    var removedThrough: Int64 = 0
    var ties: [Tie] = []
    /// Ranges of sequence numbers under which undos of later imports have restored rows of this
    /// import.
    var moved: [[Int64]]?

    /// Decodes the trace of an import; nil if the import was made by an early version.
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

    /// Returns all ranges of sequence numbers of the import's rows as JSON for SQL, `[[first,
    /// last], …]`.
    func spans(from first: Int64, to last: Int64) throws -> String {
        try StoredText.encoded([[first, last]] + (moved ?? []))
    }

    /// Returns an SQL join of the rows of a table, named `row`, whose sequence number is in some
    /// ranges.
    static func rows(of table: String, in spans: String) -> String {
        "json_each(\(spans)) span CROSS JOIN \(table) row "
            + "ON row.sequence BETWEEN span.value ->> 0 AND span.value ->> 1"
    }

    static func lastRemoved(_ db: Database) throws -> Int64 {
        try Int64.readOne(db, sql: "SELECT max(id) FROM removed") ?? 0
    }
}

extension SnapshotWriter {
    /// Stores the data that an undo of this import needs. This is the last step of an import.
    func keepTrace() throws {
        var trace = trace
        trace.settings = try StoreSettings(db).changes(since: settingsBefore)
        trace.removedThrough = try ImportTrace.lastRemoved(db)
        let tallies = [
            outcome.records, outcome.correlations, outcome.workouts, outcome.activitySummaries,
        ]
        trace.rows = tallies.reduce(0) { $0 + $1.new + $1.changed }
        try db.execute(
            sql: "UPDATE import SET previous = ? WHERE id = ?",
            arguments: [try trace.text, importID])
    }
}
