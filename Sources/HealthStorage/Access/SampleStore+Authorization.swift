import GRDB

/// What a program was granted of one type.
public struct AuthorizationRow: Hashable, Sendable {
    /// An answer of the person; the raw values are stored.
    public enum Answer: Int, Hashable, Sendable, CaseIterable {
        /// Nobody has asked.
        case notAsked = 0
        case denied = 1
        case granted = 2
    }

    /// Whether it may save samples of the type.
    public var share: Answer
    /// Whether it may read what others saved.
    public var read: Answer
    /// Samples that start before this reference time are hidden from it; nil hides none.
    public var earliest: Double?

    public init(
        share: Answer = .notAsked, read: Answer = .notAsked, earliest: Double? = nil
    ) {
        self.share = share
        self.read = read
        self.earliest = earliest
    }
}

extension SampleStore {
    /// What a program was granted, by type number; types that it never asked for are missing.
    public func authorization(of client: String) throws -> [Int32: AuthorizationRow] {
        try read { db in
            let rows = try CheckedRow.readAll(
                db, sql: "SELECT type, share, read, earliest FROM authorization WHERE client = ?",
                arguments: [client])
            return Dictionary(
                try rows.map { row -> (Int32, AuthorizationRow) in
                    let code: Int32 = try row["type"]
                    let grant = AuthorizationRow(
                        share: .init(rawValue: try row["share"]) ?? .notAsked,
                        read: .init(rawValue: try row["read"]) ?? .notAsked,
                        earliest: try row["earliest"])
                    return (code, grant)
                }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Writes down what a program is granted of some types; its other grants stay.
    public func setAuthorization(_ rows: [Int32: AuthorizationRow], of client: String) throws {
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

    /// Forgets all that a program was granted, as if it had never asked.
    public func resetAuthorization(of client: String) throws {
        try write { db in
            try db.execute(sql: "DELETE FROM authorization WHERE client = ?", arguments: [client])
        }
    }

    /// The programs that have asked for anything, in order of their names.
    public func authorizedClients() throws -> [String] {
        try read { db in
            try String.readAll(
                db, sql: "SELECT DISTINCT client FROM authorization ORDER BY client")
        }
    }
}
