import Foundation
import GRDB

/// The activity summaries that the server has. They are no samples, so no anchor says which of them
/// have changed.
extension PushJournal {
    /// What the server has of the activity summaries.
    struct SentSummaries {
        /// The cursor after the last page; nil before the first.
        var cursor: String?
        /// The digests of the sent contents, by day.
        var digests: [String: String] = [:]
    }

    private enum SummaryColumn: Int, RowColumn { case day, content }

    func sentSummaries() async throws -> SentSummaries {
        try await file.database.read { db in
            var sent = SentSummaries()
            let rows = try Row.fetchAll(
                db, sql: "SELECT \(SummaryColumn.columns) FROM push_summary WHERE lane = ?",
                arguments: [name])
            for row in rows {
                // A damaged row is left out, so that its day is sent again.
                guard let day: String = try? row.value(SummaryColumn.day),
                    let content: String = try? row.value(SummaryColumn.content)
                else { continue }
                if day.isEmpty { sent.cursor = content } else { sent.digests[day] = content }
            }
            return sent
        }
    }

    /// Stores that the server has the summaries of some days, and its cursor.
    func confirmSummaries(_ digests: [String: String], cursor: String) async throws {
        try await file.database.write { db in
            for (day, content) in digests.merging(["": cursor], uniquingKeysWith: { $1 }) {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO push_summary (lane, day, content) "
                        + "VALUES (?, ?, ?)",
                    arguments: [name, day, content])
            }
        }
    }

    /// Forgets what the server has, because it has another cursor.
    func forgetSummaries() async throws {
        try await file.database.write { db in
            try db.execute(sql: "DELETE FROM push_summary WHERE lane = ?", arguments: [name])
        }
    }
}
