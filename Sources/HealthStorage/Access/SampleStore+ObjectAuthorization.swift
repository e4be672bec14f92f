import Foundation
import GRDB
package import HealthEngine

/// The decision whether a program may read one object.
package struct ObjectAuthorization: Hashable, Sendable {
    /// The code of the object's type.
    package var type: Int32
    /// The UUID of the object, which may have been deleted since.
    package var uuid: SampleUUID
    /// Whether the program may read the object.
    package var isGranted: Bool
    /// The store's sequence number when the decision was made.
    package var sequence: Int64
}

extension SampleStore {
    /// Returns the decisions about single objects of a program.
    ///
    /// - Parameter client: The program's identifier.
    /// - Returns: The decisions, in order of type and UUID. Objects that were never part of a
    ///   request are missing.
    /// - Throws: ``StoreError``, of code `corrupt` for a damaged row, if the file can't be read.
    /// - Complexity: O(decisions of the program).
    package func objectAuthorization(of client: String) throws -> [ObjectAuthorization] {
        try read { db in
            try CheckedRow.readAll(
                db,
                sql: "SELECT type, uuid, granted, sequence FROM object_authorization "
                    + "WHERE client = ? ORDER BY type, uuid",
                arguments: [client]
            ).map { row in
                guard let uuid = SampleUUID(blob: try row["uuid"]) else {
                    throw StoreError.damaged("object_authorization.uuid")
                }
                return ObjectAuthorization(
                    type: try row["type"], uuid: uuid, isGranted: try row["granted"],
                    sequence: try row["sequence"])
            }
        }
    }

    /// Stores the decisions of a program about objects of one type. Decisions about other objects
    /// don't change.
    ///
    /// Each new or changed decision takes the store's next sequence number. Unchanged ones keep
    /// theirs.
    ///
    /// - Parameters:
    ///   - decisions: Whether the program may read an object, by its UUID.
    ///   - type: The code of the type.
    ///   - client: The program's identifier.
    /// - Throws: ``StoreError`` if the file can't be written.
    package func setObjectAuthorization(
        _ decisions: [SampleUUID: Bool], of type: Int32, for client: String
    ) throws {
        if decisions.isEmpty { return }
        try write { db in
            let before = try SampleStore.lastSequence(db)
            var last = before
            for (uuid, isGranted) in decisions.sorted(by: { $0.key < $1.key }) {
                try db.execute(
                    sql: """
                        INSERT INTO object_authorization (client, type, uuid, granted, sequence)
                        VALUES (?1, ?2, ?3, ?4, ?5)
                        ON CONFLICT (client, type, uuid) DO UPDATE
                            SET granted = excluded.granted, sequence = excluded.sequence
                            WHERE granted <> excluded.granted
                        """,
                    arguments: [client, type, uuid.blob, isGranted, last + 1])
                if db.changesCount > 0 { last += 1 }
            }
            if last > before { try SampleStore.set(.lastSequence, to: last, db) }
        }
    }
}
