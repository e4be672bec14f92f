import GRDB
package import HealthEngine

// The medications that a person tracks. An import adds those that are missing, and its undo removes
// them again. Devices and hosts replace them.
extension SampleStore {
    /// The maximum number of medications in a store. More come from faulty senders and are left
    /// out; their doses are stored.
    package static let maximumMedications = 5_000
    /// The maximum number of Unicode scalars in a text of a medication; the rest is cut.
    private static let maximumTextLength = 500
    /// The maximum number of codes of a medication; the rest is left out.
    private static let maximumCodings = 100

    /// Returns the medications in order of name, then of identifier.
    ///
    /// - Throws: ``StoreError``, of code `corrupt` for a damaged medication, if the file can't be
    ///   read.
    /// - Complexity: O(n log n) in the number of medications.
    package func medications() throws -> [Medication] {
        try read { db in try SampleStore.medications(db) }
    }

    static func medications(_ db: Database) throws -> [Medication] {
        try CheckedRow.readAll(db, sql: "SELECT identifier, content FROM medication")
            .map { row -> Medication in
                let medication: Medication = try StoredText.decoded(
                    try row["content"], at: "medication.content")
                guard medication.identifier == (try row["identifier"] as String) else {
                    throw StoreError.damaged("medication.identifier")
                }
                return medication
            }
            .sorted { ($0.displayText, $0.identifier) < ($1.displayText, $1.identifier) }
    }

    /// Returns the number of medications.
    ///
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(medications).
    package func medicationCount() throws -> Int {
        try read { try SampleStore.medicationCount($0) }
    }

    static func medicationCount(_ db: Database) throws -> Int {
        try Int.readOne(db, sql: "SELECT count(*) FROM medication") ?? 0
    }

    /// Adds or replaces medications by their identifiers. Long texts are cut.
    ///
    /// - Parameter medications: The medications.
    /// - Throws: ``StoreError`` if the file can't be written. Then nothing changes.
    /// - Complexity: O(m log n) for m of n medications.
    package func setMedications(_ medications: [Medication]) throws {
        try write { db in
            for medication in medications { try SampleStore.set(medication, db) }
        }
    }

    /// Takes medications as a device states them. A device that leaves a property out doesn't
    /// remove a known one, and a schedule that any dose has had stays.
    static func take(_ medications: [Medication], _ db: Database) throws {
        for var medication in medications {
            let stored = try String.readOne(
                db, sql: "SELECT content FROM medication WHERE identifier = ?",
                arguments: [medication.identifier])
            if let stored {
                let known: Medication = try StoredText.decoded(stored, at: "medication.content")
                medication.complete(from: known)
                if medication == known {
                    // No longer only the import's.
                    try db.execute(
                        sql: "UPDATE medication SET import = NULL "
                            + "WHERE identifier = ? AND import IS NOT NULL",
                        arguments: [medication.identifier])
                    continue
                }
            }
            try set(medication, db)
        }
    }

    private static func set(_ medication: Medication, _ db: Database) throws {
        let medication = bounded(medication)
        try db.execute(
            sql: """
                INSERT INTO medication (identifier, content) SELECT ?1, ?2
                WHERE (SELECT count(*) FROM medication) < \(maximumMedications)
                    OR EXISTS (SELECT 1 FROM medication WHERE identifier = ?1)
                ON CONFLICT (identifier) DO UPDATE SET content = excluded.content, import = NULL
                """,
            arguments: [medication.identifier, try StoredText.encoded(medication)])
    }

    fileprivate static func bounded(_ medication: Medication) -> Medication {
        func cut(_ text: String) -> String {
            String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumTextLength)))
        }
        var medication = medication
        medication.displayText = cut(medication.displayText)
        medication.generalForm = cut(medication.generalForm)
        medication.nickname = medication.nickname.map(cut)
        medication.codings = medication.codings.prefix(maximumCodings).map {
            MedicationCoding(
                system: cut($0.system), version: $0.version.map(cut), code: cut($0.code))
        }
        return medication
    }
}

extension Medication {
    /// Takes what a later statement leaves out from an earlier one.
    fileprivate mutating func complete(from known: Medication) {
        if generalForm == "unknown" { generalForm = known.generalForm }
        if codings.isEmpty { codings = known.codings }
        if nickname == nil { nickname = known.nickname }
        if isArchived == nil { isArchived = known.isArchived }
        if known.hasSchedule { hasSchedule = true }
    }
}

extension SampleStore.ImportContext {
    /// Adds a medication that the store doesn't have.
    ///
    /// - Parameter medication: The medication.
    /// - Returns: Whether it was added.
    /// - Throws: ``StoreError`` if the file can't be written.
    package func add(_ medication: Medication) throws -> Bool {
        guard try SampleStore.medicationCount(db) < SampleStore.maximumMedications else {
            return false
        }
        let medication = SampleStore.bounded(medication)
        try db.execute(
            sql: "INSERT OR IGNORE INTO medication (identifier, content, import) "
                + "VALUES (?, ?, (SELECT max(id) FROM import))",
            arguments: [medication.identifier, try StoredText.encoded(medication)])
        return db.changesCount > 0
    }
}
