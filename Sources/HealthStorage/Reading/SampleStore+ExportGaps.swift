import GRDB

/// The data in a store that another store couldn't recover from exported samples.
package struct StoreExportGaps: Sendable {
    /// The number of samples saved with a UUID of their own.
    package var ownUUIDs = 0
    /// Names of the sources whose bundle identifier isn't derived from the name.
    package var ownBundleIdentifiers: [String] = []
    /// Names of the sources that first appeared under another name.
    package var renamedSources: [String] = []
    /// Identifiers of the types whose source order or exclusions a person changed.
    package var customizedTypes: [String] = []
    /// The number of memberships of samples in correlations and workouts beyond each sample's
    /// first.
    package var furtherMemberships = 0
    /// The programs with a stored authorization.
    package var grants: [String] = []
    /// The number of stored electrocardiograms, clinical records and attachments, with those that
    /// programs attached to samples.
    package var files = 0
    /// The number of stored electrocardiograms among the files.
    package var electrocardiograms = 0
    /// The number of elements of imports that are not understood or quarantined.
    package var rawElements = 0
    /// The number of notes on days.
    package var dayNotes = 0
    /// The number of medications.
    package var medications = 0

    package init() {}
}

extension SampleStore {
    /// Returns the amount or the names of the data that an export of samples doesn't contain.
    ///
    /// - Returns: The counts and names.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(samples with a UUID of their own + memberships + sources + settings + files
    ///   + raw elements + notes + medications).
    package func exportGaps() throws -> StoreExportGaps {
        try read { db in
            var found = StoreExportGaps()
            found.ownUUIDs =
                try Int.readOne(db, sql: "SELECT count(*) FROM sample WHERE uuid IS NOT NULL") ?? 0
            found.ownBundleIdentifiers = try String.readAll(
                db, sql: "SELECT name FROM source WHERE derivation <> 'derived' ORDER BY name")
            found.renamedSources = try CheckedRow.readAll(
                db,
                sql: "SELECT name, identity FROM source WHERE identity IS NOT NULL ORDER BY name"
            ).compactMap { row -> String? in
                let (name, identity): (String, String) = (try row["name"], try row["identity"])
                return StoredText.folded(name) == identity ? nil : name
            }
            found.customizedTypes = try String.readAll(
                db,
                sql: "SELECT DISTINCT identifier FROM source_setting JOIN type ON code = type "
                    + "WHERE rank IS NOT NULL OR ifnull(reason, '') <> ? ORDER BY identifier",
                arguments: [SampleStore.dayTotalsReason])
            found.furtherMemberships =
                try Int.readOne(
                    db, sql: "SELECT count(*) - count(DISTINCT child) FROM membership") ?? 0
            found.grants = try String.readAll(
                db,
                sql: "SELECT client FROM authorization UNION "
                    + "SELECT client FROM object_authorization ORDER BY client")
            found.files =
                try Int.readOne(
                    db,
                    sql: "SELECT (SELECT count(*) FROM export_file "
                        + "WHERE \(SampleStore.isNewestFile)) "
                        + "+ (SELECT count(*) FROM attachment WHERE staged IS NULL)") ?? 0
            found.electrocardiograms =
                try Int.readOne(
                    db,
                    sql: "SELECT count(*) FROM export_file "
                        + "WHERE kind = ? AND \(SampleStore.isNewestFile)",
                    arguments: [SnapshotWriter.CompanionKind.electrocardiogram.rawValue]) ?? 0
            found.rawElements =
                try Int.readOne(db, sql: "SELECT count(*) FROM raw_element") ?? 0
            found.dayNotes = try SampleStore.dayNoteCount(db)
            found.medications = try SampleStore.medicationCount(db)
            return found
        }
    }
}
