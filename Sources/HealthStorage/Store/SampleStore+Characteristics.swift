import GRDB

extension SampleStore {
    /// The store's random identifier, 32 hexadecimal digits. Copies of the file have the same one.
    ///
    /// - Throws: ``StoreError`` if the file can't be read.
    package var identifier: String {
        get throws { try read { try SampleStore.storedValue(.identifier, $0) ?? "" } }
    }

    /// Returns the person's characteristics, such as date of birth and blood type, as exports write
    /// them.
    ///
    /// For example `["HKCharacteristicTypeIdentifierBloodType": "HKBloodTypeAPositive"]`.
    ///
    /// - Returns: Values by Apple's identifier.
    /// - Throws: ``StoreError`` if the file can't be read.
    public func characteristics() throws -> [String: String] {
        try read { db in try SampleStore.characteristics(db) }
    }

    static func characteristics(_ db: Database) throws -> [String: String] {
        let rows = try CheckedRow.readAll(db, sql: "SELECT identifier, value FROM characteristic")
        return Dictionary(
            try rows.map { row -> (String, String) in (try row["identifier"], try row["value"]) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Sets a characteristic. Importing a newer complete export that contains it overwrites it.
    ///
    /// - Parameters:
    ///   - identifier: Apple's identifier, such as `HKCharacteristicTypeIdentifierBloodType`.
    ///   - value: The value as an export writes it; nil removes the characteristic.
    /// - Throws: ``StoreError`` if the file can't be written.
    package func setCharacteristic(_ identifier: String, to value: String?) throws {
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

    /// Returns the preferred display units (Semantics §9.8).
    ///
    /// - Returns: Unit strings by type identifier; only types with a choice are included.
    /// - Throws: ``StoreError`` if the file can't be read.
    package func preferredUnits() throws -> [String: String] {
        try read { db in
            let rows = try CheckedRow.readAll(
                db, sql: "SELECT substr(key, 6) AS type, value FROM store WHERE key GLOB 'unit.*'")
            return Dictionary(
                try rows.map { row -> (String, String) in (try row["type"], try row["value"]) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    /// Sets the preferred display unit of a type. Stored values don't change.
    ///
    /// - Parameters:
    ///   - unit: A unit string, stored without a check; nil removes the choice.
    ///   - identifier: The type's identifier.
    /// - Throws: ``StoreError`` if the file can't be written.
    package func setPreferredUnit(_ unit: String?, ofType identifier: String) throws {
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
