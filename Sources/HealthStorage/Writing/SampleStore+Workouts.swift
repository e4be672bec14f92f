import GRDB
package import HealthEngine

extension SampleStore {
    /// Replaces the stored details of a workout, such as its totals after samples were added.
    ///
    /// Times, source, metadata, UUID and sequence number don't change.
    ///
    /// - Parameters:
    ///   - workout: The new details.
    ///   - uuid: The workout's UUID.
    /// - Throws: ``StoreError`` of code `unknownSample` if the workout isn't stored. Then nothing
    ///   changes.
    package func update(_ workout: Workout, of uuid: SampleUUID) throws {
        try write { db in
            let row = try StoredRows(db).require(uuid)
            try db.execute(
                sql: "UPDATE detail SET content = ? WHERE sequence = ?",
                arguments: [StoredText.detail(.workout(workout)), row.sequence])
        }
    }

    /// Makes samples members of a stored workout or correlation, leaving out samples that are not
    /// stored.
    static func associateStored(
        _ children: [SampleUUID], with parent: SampleUUID, _ db: Database
    ) throws {
        if children.isEmpty { return }
        let rows = try StoredRows(db)
        let parent = try rows.require(parent).sequence
        let insert = try StoreStatement<Membership, NoFields>(
            db, "INSERT OR IGNORE INTO membership \(Membership.inserted)")
        for child in children {
            guard let child = try rows.find(child)?.sequence else { continue }
            try insert.bind(parent, to: .parent)
            try insert.bind(child, to: .child)
            try insert.run()
        }
    }

    /// Ends the membership of samples in a workout or correlation. The samples stay stored.
    ///
    /// - Parameters:
    ///   - children: The samples. Those that are no members have no effect.
    ///   - parent: The workout or correlation.
    /// - Throws: ``StoreError`` of code `unknownSample` if a sample or the parent isn't stored.
    ///   Then nothing changes.
    package func dissociate(_ children: [SampleUUID], from parent: SampleUUID) throws {
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
