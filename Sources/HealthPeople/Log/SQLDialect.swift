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
