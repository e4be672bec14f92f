import GRDB
public import HealthEngine

extension SampleStore {
    /// Replaces what a stored workout keeps beside its times and source: its numbers after samples
    /// were added to it, its relations. It stays the same sample, under the same number of a change.
    ///
    /// - Throws: ``StoreError`` of code `unknownSample`, and nothing is changed.
    public func update(_ workout: Workout, of uuid: SampleUUID) throws {
        try write { db in
            let row = try StoredRows(db).require(uuid)
            try db.execute(
                sql: "UPDATE detail SET content = ? WHERE sequence = ?",
                arguments: [StoredText.detail(.workout(workout)), row.sequence])
        }
    }

    /// Makes those of the samples that are stored members of a workout.
    static func associateStored(
        _ children: [SampleUUID], with parent: SampleUUID, _ db: Database
    ) throws {
        if children.isEmpty { return }
        let rows = try StoredRows(db)
        let parent = try rows.require(parent).sequence
        let insert = try RawStatement(
            db, "INSERT OR IGNORE INTO membership (parent, child) VALUES (?, ?)")
        for child in children {
            guard let child = try rows.find(child)?.sequence else { continue }
            insert.bind(parent, at: 1)
            insert.bind(child, at: 2)
            try insert.run()
        }
    }

    /// Takes samples out of a workout or correlation; those that aren't in it stay as they are.
    ///
    /// - Throws: ``StoreError`` of code `unknownSample`, and nothing is changed.
    public func dissociate(_ children: [SampleUUID], from parent: SampleUUID) throws {
        try write { db in
            let rows = try StoredRows(db)
            let parent = try rows.require(parent).sequence
            for child in children {
                try db.execute(
                    sql: "DELETE FROM membership WHERE parent = ? AND child = ?",
                    arguments: [parent, try rows.require(child).sequence])
            }
        }
    }
}
