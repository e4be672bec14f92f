import GRDB

extension SampleStore {
    /// What tells this store from every other one: 32 hexadecimal digits.
    public var identifier: String {
        get throws { try read { try SampleStore.fact(.identifier, $0) ?? "" } }
    }

    /// Date of birth, blood type and the like, by Apple's identifiers, as exports write them:
    /// `["HKCharacteristicTypeIdentifierBloodType": "HKBloodTypeAPositive"]`.
    public func characteristics() throws -> [String: String] {
        try read { db in try SampleStore.characteristics(db) }
    }

    static func characteristics(_ db: Database) throws -> [String: String] {
        let rows = try CheckedRow.readAll(db, sql: "SELECT identifier, value FROM characteristic")
        return Dictionary(
            try rows.map { row -> (String, String) in (try row["identifier"], try row["value"]) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Writes a characteristic as an export would; nil takes it away. A newer export that names it
    /// overwrites it.
    public func setCharacteristic(_ identifier: String, to value: String?) throws {
        try write { db in
            guard let value else {
                return try db.execute(
                    sql: "DELETE FROM characteristic WHERE identifier = ?", arguments: [identifier])
            }
            try db.execute(
                sql: "INSERT INTO characteristic (identifier, value) VALUES (?, ?) "
                    + "ON CONFLICT (identifier) DO UPDATE SET value = excluded.value",
                arguments: [identifier, value])
        }
    }

    /// The units that the person chose to see types in, by type identifier
    /// (Semantics §9.8).
    public func preferredUnits() throws -> [String: String] {
        try read { db in
            let rows = try CheckedRow.readAll(
                db, sql: "SELECT substr(key, 6) AS type, value FROM store WHERE key GLOB 'unit.*'")
            return Dictionary(
                try rows.map { row -> (String, String) in (try row["type"], try row["value"]) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    /// Chooses the unit to see a type in; nil forgets the choice. Stored values stay as they are.
    public func setPreferredUnit(_ unit: String?, ofType identifier: String) throws {
        try write { db in
            guard let unit else {
                return try db.execute(
                    sql: "DELETE FROM store WHERE key = ?", arguments: ["unit.\(identifier)"])
            }
            try db.execute(
                sql: "INSERT INTO store (key, value) VALUES (?, ?) "
                    + "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                arguments: ["unit.\(identifier)", unit])
        }
    }
}
