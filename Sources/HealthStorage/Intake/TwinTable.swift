import Foundation
import GRDB
import HealthEngine

/// The table of twins: samples that a device sent and an export contains too.
///
/// The exported record is known by its identity (type, start, key), so a later import of it finds
/// the sample that stands for it.
struct TwinTable {
    /// The row of a sample as a device sent it, kept while the sample has the exported content.
    struct Received: Codable, Hashable {
        var start: Double
        var end: Double
        var created: Double
        var origin: Int64
        /// The id of the metadata; 0 for none.
        var metadata: Int64
        var value: Double
        var detail: String?
    }

    private let db: Database

    init(_ db: Database) { self.db = db }

    /// An SQL condition: a twin has a derived UUID (``IntakeUUID``). The exported row then has no
    /// UUID, and what a device sent is only kept for an undo of the import.
    static let isDerived = isDerived("twin")

    /// An SQL condition: the UUID of a row is derived.
    static func isDerived(_ row: String) -> String {
        "substr(hex(\(row).uuid), 13, 2) BETWEEN '88' AND '8F'"
    }

    /// Adds a twin.
    ///
    /// - Parameters:
    ///   - uuid: HealthKit's UUID of the sample.
    ///   - exported: The sequence number of the exported row, which is still stored.
    ///   - importID: The import of the exported row.
    ///   - received: The row as it was received; nil if the sample keeps that content.
    func insert(
        _ uuid: SampleUUID, exported: Int64, importID: Int64, received: Received?
    ) throws {
        // A sample with HealthKit's UUID takes the place of what was sent without one. An exported
        // row can have several points.
        if !IntakeUUID.isPoint(uuid) {
            try db.cachedStatement(
                sql: """
                    DELETE FROM twin WHERE \(TwinTable.isDerived) AND (type, start_time, key) = (
                        SELECT type, start_time, key FROM sample WHERE sequence = ?)
                    """
            ).execute(arguments: [exported])
        }
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO twin (uuid, type, start_time, key, import, received)
                SELECT ?, type, start_time, key, ?, ? FROM sample WHERE sequence = ?
                """
        ).execute(arguments: [
            uuid.blob, importID, try received.map(StoredText.encoded), exported,
        ])
    }

    /// Returns the number of an import's rows of which samples with HealthKit's UUIDs have taken the
    /// place.
    func takenCount(ofImport importID: Int64) throws -> Int {
        try Int.readOne(
            db,
            sql: "SELECT count(*) FROM twin WHERE import = ? AND received IS NOT NULL "
                + "AND NOT \(TwinTable.isDerived)", arguments: [importID]) ?? 0
    }

    /// Returns whether an import contains a sample.
    func contains(_ uuid: SampleUUID) throws -> Bool {
        try Int.readOne(
            db.cachedStatement(sql: "SELECT 1 FROM twin WHERE uuid = ?"), arguments: [uuid.blob])
            != nil
    }

    /// Returns the received content of a sample that has the exported content; nil for others.
    func received(_ uuid: SampleUUID) throws -> Received? {
        let text = try String.readOne(
            db.cachedStatement(
                sql: "SELECT received FROM twin WHERE uuid = ? AND received IS NOT NULL"),
            arguments: [uuid.blob])
        return try text.map { try StoredText.decoded($0, at: "twin.received") }
    }

    /// Replaces the received content of a twin that has one. An undo of the import gives it to the
    /// sample.
    func update(_ uuid: SampleUUID, received: Received) throws {
        try db.cachedStatement(
            sql: "UPDATE twin SET received = ? WHERE uuid = ? AND received IS NOT NULL"
        ).execute(arguments: [try StoredText.encoded(received), uuid.blob])
    }

    /// Returns the import that stored a row, by the row's sequence number; nil if that isn't known.
    func importID(ofRow sequence: Int64) throws -> Int64? {
        let direct = try Int64.readOne(
            db,
            sql: "SELECT id FROM import WHERE ? BETWEEN first_sequence AND last_sequence",
            arguments: [sequence])
        if let direct { return direct }
        // An undo of a later import has restored the row under a new sequence number.
        return try Int64.readOne(
            db,
            sql: """
                SELECT import.id FROM import, json_each(import.previous, '$.moved') span
                WHERE json_valid(import.previous)
                    AND ? BETWEEN span.value ->> 0 AND span.value ->> 1
                """, arguments: [sequence])
    }
}
