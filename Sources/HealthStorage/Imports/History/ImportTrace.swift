import Foundation
import GRDB

/// What an import changed and `sample` and `removed` don't tell, kept with it in `import.previous`.
struct ImportTrace: Codable {
    /// A sample that a program saved, and one of an archive that belonged to it and is gone.
    struct Tie: Codable, Hashable {
        var parent: Int64
        var child: Int64
    }

    var settings: [StoreSettings.Change] = []
    /// Live rows among the numbers that the import gave.
    var rows = 0
    /// The rows of `removed` that it wrote: the last one before them, and the last of them.
    var removedAfter: Int64 = 0
    var removedThrough: Int64 = 0
    var ties: [Tie] = []
    /// Numbers, from the first to the last, under which undos of later imports have put rows back that
    /// this one brought.
    var moved: [[Int64]]?

    /// The trace of a stored import; nil if a version wrote it that kept none.
    init?(_ text: String?) {
        guard let text,
            let trace = try? JSONDecoder().decode(ImportTrace.self, from: Data(text.utf8)),
            (0...Int(SequenceSet.highest)).contains(trace.rows)
        else { return nil }
        self = trace
    }

    init() {}

    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// The numbers of sources that the import was the first to bring.
    var newSources: [String] {
        settings.filter { $0.table == .source && $0.before == nil }.map(\.key)
    }

    /// Every span of numbers under which its rows lie, `[[first, last], …]`, as SQL is given them.
    func spans(from first: Int64, to last: Int64) throws -> String {
        String(decoding: try JSONEncoder().encode([[first, last]] + (moved ?? [])), as: UTF8.self)
    }

    /// What stands before a condition on `row.sequence` in spans of numbers: `FROM` the rows in them.
    static func rows(of table: String, in spans: String) -> String {
        "json_each(\(spans)) span CROSS JOIN \(table) row "
            + "ON row.sequence BETWEEN span.value ->> 0 AND span.value ->> 1"
    }

    static func lastRemoved(_ db: Database) throws -> Int64 {
        try Int64.readOne(db, sql: "SELECT max(id) FROM removed") ?? 0
    }
}

extension SnapshotWriter {
    /// Keeps what an undo of this import needs to know; the last thing an import does.
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
