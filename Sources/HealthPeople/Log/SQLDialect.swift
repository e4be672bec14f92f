/// The words in which SQLite and PostgreSQL differ.
package enum SQLDialect: Hashable, Sendable {
    case sqlite, postgreSQL

    var bytes: String { self == .sqlite ? "BLOB" : "bytea" }
    var integer: String { self == .sqlite ? "INTEGER" : "bigint" }
    var real: String { self == .sqlite ? "REAL" : "double precision" }
    /// The type of a key that counts up by itself.
    var identity: String {
        self == .sqlite
            ? "INTEGER PRIMARY KEY AUTOINCREMENT"
            : "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
    }

    /// An expression for 32 random hexadecimal digits.
    var randomIdentifier: String {
        self == .sqlite
            ? "lower(hex(randomblob(16)))" : "replace(gen_random_uuid()::text, '-', '')"
    }
    /// Locks the rows of a SELECT against ``exclusiveLock``, not against changes of other columns
    /// than keys. A transaction of SQLite that writes runs alone.
    var sharedLock: String { self == .sqlite ? "" : " FOR KEY SHARE" }
    /// Locks the rows of a SELECT, and waits for every ``sharedLock``.
    var exclusiveLock: String { self == .sqlite ? "" : " FOR UPDATE" }

    /// Limits the rest of the transaction to the rows of a person, or of all: the second wall, behind
    /// the conditions of each statement. SQLite has no such limit.
    func limit(_ connection: any SQLConnection, to scope: RowScope) throws(SQLError) {
        guard self == .postgreSQL else { return }
        _ = try connection.execute(
            "SELECT set_config('openhealth.person', $1, true)", [.text(scope.text)])
    }
}

/// The rows that a transaction can see.
package enum RowScope: Hashable, Sendable {
    case person(String)
    /// The rows of all persons: for finding a token's person, and for operators.
    case everybody

    fileprivate var text: String {
        switch self {
        case .person(let person): person
        case .everybody: "*"
        }
    }
}
