import Foundation
import GRDB
import HealthEngine

extension ImportUndo {
    /// The number of the import's rows that samples of devices have taken the place of.
    func takenRows() throws -> Int {
        try TwinTable(db).takenCount(ofImport: number)
    }

    /// Gives the samples that still have content of the import the content that a device sent,
    /// under new sequence numbers, and forgets the import's twins.
    ///
    /// - Parameter last: The last sequence number assigned.
    /// - Returns: The last sequence number assigned now.
    func restoreReceivedRows(after last: Int64) throws -> Int64 {
        var last = last
        let rows = try CheckedRow.readAll(
            db,
            sql: """
                SELECT sample.sequence, sample.type, sample.key, received FROM twin
                JOIN sample USING (uuid) JOIN origin ON origin.id = sample.origin
                WHERE import = ? AND received IS NOT NULL AND route IS NULL
                ORDER BY sample.sequence
                """, arguments: [number])
        for row in rows {
            let received: TwinTable.Received = try StoredText.decoded(
                try row["received"], at: "twin.received")
            last += 1
            let content = StoredRow(
                sequence: last, type: try row["type"], start: received.start,
                key: try row["key"], end: received.end, created: received.created,
                origin: received.origin, metadata: received.metadata, value: received.value,
                detail: received.detail)
            try TwinResolution.replaceContent(
                of: try row["sequence"], with: content, as: last, db)
        }
        last = try restoreDuplicates(after: last)
        try db.execute(sql: "DELETE FROM twin WHERE import = ?", arguments: [number])
        return last
    }

    /// Inserts the samples without a UUID of HealthKit's that devices sent and that were duplicates
    /// of the import's rows.
    private func restoreDuplicates(after last: Int64) throws -> Int64 {
        var last = last
        let rows = try CheckedRow.readAll(
            db,
            sql: """
                SELECT uuid, type, received FROM twin
                WHERE import = ? AND received IS NOT NULL AND \(TwinTable.isDerived)
                    AND NOT EXISTS (SELECT 1 FROM sample WHERE sample.uuid = twin.uuid)
                ORDER BY type, start_time, uuid
                """, arguments: [number])
        let replacement = try IntakeReplacement(db)
        for row in rows {
            let received: TwinTable.Received = try StoredText.decoded(
                try row["received"], at: "twin.received")
            guard let uuid = SampleUUID(blob: try row["uuid"]) else {
                throw StoreError.damaged("twin.uuid")
            }
            last += 1
            let content = StoredRow(
                sequence: last, type: try row["type"], start: received.start, key: uuid.savedKey,
                end: received.end, created: received.created, origin: received.origin,
                metadata: received.metadata, value: received.value, detail: nil)
            try replacement.insert(
                content, uuid, received.detail.map(StoredText.detail(from:)))
        }
        return last
    }

    /// Removes what the undo has restored of a device without HealthKit's UUID, if a sample with one
    /// has arrived since and takes its place, or was deleted.
    ///
    /// - Parameters:
    ///   - before: The last sequence number before the undo.
    ///   - last: The last sequence number assigned.
    /// - Returns: The last sequence number assigned now.
    func removeReplacedRows(after before: Int64, _ last: Int64) throws -> Int64 {
        var last = last
        let rows = try CheckedRow.readAll(
            db,
            sql: """
                SELECT sequence, type, start_time, end_time, value, origin.source, symbol, uuid
                FROM sample JOIN origin ON origin.id = origin
                LEFT JOIN unit ON unit.id = origin.unit
                WHERE sequence > ? AND uuid IS NOT NULL AND origin.source IS NOT NULL
                    AND \(TwinTable.isDerived("sample")) ORDER BY sequence
                """, arguments: [before])
        let lookup = try IntakeLookup(db)
        for row in rows {
            guard let uuid = SampleUUID(blob: try row["uuid"]) else {
                throw StoreError.damaged("sample.uuid")
            }
            let sample = Sample(
                type: try row["type"], origin: 0, metadata: -1, start: try row["start_time"],
                end: try row["end_time"], created: .nan, value: try row["value"] ?? .nan)
            let isReplaced = try lookup.isReplaced(
                sample, uuid, unit: try row["symbol"], source: try row["source"])
            guard isReplaced else { continue }
            last += 1
            try TwinResolution.move(
                try row["sequence"], toRemovedBy: nil, reason: "replaced", tombstone: last, db)
        }
        return last
    }

    /// Whether samples that devices sent have a source.
    func isReceived(source: String) throws -> Bool {
        try Int.readOne(
            db, sql: "SELECT 1 FROM origin WHERE source = ? AND route IS NOT NULL LIMIT 1",
            arguments: [source]) != nil
    }

    /// Keeps the name by which a source that devices use too is found.
    func keepName(ofSource id: String) throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO source_alias (folded, name, source) "
                + "SELECT identity, name, id FROM source WHERE id = ? AND identity IS NOT NULL",
            arguments: [id])
    }
}
