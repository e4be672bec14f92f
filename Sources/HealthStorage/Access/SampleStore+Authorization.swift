import GRDB

/// The authorization of one program for one type.
package struct AuthorizationRow: Hashable, Sendable {
    /// The state of an authorization. The raw values are stored.
    package enum Status: Int, Hashable, Sendable, CaseIterable {
        /// Authorization was not requested.
        case notDetermined = 0
        case denied = 1
        case granted = 2
    }

    /// Whether the program may save samples of the type.
    package var share: Status
    /// Whether the program may read samples that other sources saved.
    package var read: Status
    /// Samples that start before this time, in seconds since the reference date, are hidden; nil
    /// hides none. If ``share`` is granted, the program's own samples stay visible.
    package var earliest: Double?

    package init(
        share: Status = .notDetermined, read: Status = .notDetermined, earliest: Double? = nil
    ) {
        self.share = share
        self.read = read
        self.earliest = earliest
    }
}

extension SampleStore {
    /// Returns the authorization of a program.
    ///
    /// - Parameter client: The program's identifier.
    /// - Returns: Authorizations by type code. Types that the program never requested are missing.
    /// - Throws: ``StoreError`` if the file can't be read.
    package func authorization(of client: String) throws -> [Int32: AuthorizationRow] {
        try read { db in
            let rows = try CheckedRow.readAll(
                db, sql: "SELECT type, share, read, earliest FROM authorization WHERE client = ?",
                arguments: [client])
            return Dictionary(
                try rows.map { row -> (Int32, AuthorizationRow) in
                    let code: Int32 = try row["type"]
                    let grant = AuthorizationRow(
                        share: .init(rawValue: try row["share"]) ?? .notDetermined,
                        read: .init(rawValue: try row["read"]) ?? .notDetermined,
                        earliest: try row["earliest"])
                    return (code, grant)
                }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Stores the authorization of a program for some types. Its other types don't change.
    ///
    /// - Parameters:
    ///   - rows: Authorizations by type code.
    ///   - client: The program's identifier.
    /// - Throws: ``StoreError`` if the file can't be written.
    package func setAuthorization(_ rows: [Int32: AuthorizationRow], of client: String) throws {
        try write { db in
            for (type, row) in rows.sorted(by: { $0.key < $1.key }) {
                try db.execute(
                    sql: """
                        INSERT INTO authorization (client, type, share, read, earliest)
                        VALUES (?, ?, ?, ?, ?)
                        ON CONFLICT (client, type) DO UPDATE SET share = excluded.share,
                            read = excluded.read, earliest = excluded.earliest
                        """,
                    arguments: [client, type, row.share.rawValue, row.read.rawValue, row.earliest])
            }
        }
    }

    /// Removes the authorization of a program for all types and single objects, as if it had never
    /// requested any.
    ///
    /// - Parameter client: The program's identifier.
    /// - Throws: ``StoreError`` if the file can't be written.
    package func resetAuthorization(of client: String) throws {
        try write { db in
            for table in ["authorization", "object_authorization"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE client = ?", arguments: [client])
            }
        }
    }

    /// Returns the programs with a stored authorization.
    ///
    /// - Returns: Identifiers of programs, sorted.
    /// - Throws: ``StoreError`` if the file can't be read.
    package func authorizedClients() throws -> [String] {
        try read { db in
            try String.readAll(
                db,
                sql: "SELECT client FROM authorization UNION "
                    + "SELECT client FROM object_authorization ORDER BY client")
        }
    }
}
