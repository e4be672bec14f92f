import GRDB
import HealthEngine

// Totals, and records that are no samples.

extension IntakeWriter {
    /// Stores totals. A later one with the same key replaces the earlier one, unless its revision
    /// is lower (Semantics §15.7).
    func takeTotals() throws {
        for total in page.totals {
            guard abs(total.start) <= ColumnRule.latestTime,
                abs(total.end) <= ColumnRule.latestTime,
                total.value.isFinite
            else {
                note(total.index, .rejected, reason: IntakeRejection.Reason.range.rawValue)
                continue
            }
            try db.cachedStatement(
                sql: """
                    INSERT INTO external_total (type, start_time, end_time, statistic, source,
                        route, series, value, unit, revision, received_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET value = excluded.value, unit = excluded.unit,
                        revision = excluded.revision, received_at = excluded.received_at
                    WHERE excluded.revision >= revision
                    """
            ).execute(arguments: [
                total.type, total.start, total.end, total.statistic.rawValue, total.source, route,
                total.series, total.value, try interning.unit(total.unit), total.revision, moment,
            ])
            note(total.index, .total)
        }
    }

    /// Keeps records that are unknown or invalid, each text once.
    func keepRecords() throws {
        for record in page.unknown {
            try keep(record.index, name: record.name, reason: "unknown", record.json)
            note(record.index, .unknown, reason: record.name)
        }
        for rejection in page.rejections {
            let reason = rejection.reason.rawValue
            try keep(rejection.index, name: rejection.field ?? "", reason: reason, rejection.json)
            note(
                rejection.index, .rejected, id: rejection.identifier, reason: reason,
                field: rejection.field)
        }
    }

    /// Keeps the text of a record.
    func keep(_ index: Int, name: String, reason: String, _ json: String) throws {
        let digest = StoredText.digest(json)
        let known = try String.readAll(
            db, sql: "SELECT json FROM received_record WHERE digest = ?", arguments: [digest])
        if known.contains(json) { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO received_record (receipt, position, name, reason, digest, json)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [receipt.number, index, name, reason, digest, json])
    }
}
