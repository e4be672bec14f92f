extension SQLError: CustomStringConvertible {
    /// One or two sentences for people, without values and passwords.
    package var description: String {
        let state = sqlState.map { " (SQLSTATE \($0))" } ?? ""
        return "\(summary)\(state)." + (detail.map { " " + $0 } ?? "")
    }

    private var summary: String {
        switch code {
        case .connectionLost: "The connection to the database was lost"
        case .unknownOutcome:
            "The connection to the database was lost during the commit, so it is unknown whether"
                + " the transaction was committed"
        case .unavailable: "The database can't be reached"
        case .authenticationFailed: "The database refused the user or the password"
        case .tooManyConnections: "The database has no connection left"
        case .overloaded: "The queue of the database is full"
        case .closed: "The database was closed"
        case .conflict: "The transaction conflicts with another one"
        case .lockTimeout: "A lock of the database wasn't available in time"
        case .statementTimeout: "A statement of the database took too long"
        case .readOnly: "The database is read-only"
        case .outOfResources: "The disk or the memory of the database is full"
        case .uniqueViolation(let name): "A row with the same key exists" + constraint(name)
        case .foreignKeyViolation(let name): "A foreign key is violated" + constraint(name)
        case .checkViolation(let name): "A constraint is violated" + constraint(name)
        case .notPermitted: "The user of the database lacks a privilege"
        case .unexpectedValue: "A value of the database has an unexpected type"
        case .unsupportedType(let column, let type):
            "Column \(column) has a type that isn't supported (OID \(type)): cast it in the query"
        case .invalidAddress: "The address of the database is invalid"
        case .libraryMissing:
            "PostgreSQL's client library, libpq 14 or later, can't be loaded. Install it, for"
                + " example with apt-get install libpq5"
        case .nestedTransaction: "A transaction was begun inside a transaction"
        case .invalid(let state):
            sqlState == nil
                ? "The statement failed (SQLSTATE \(state))" : "The statement failed"
        }
    }

    private func constraint(_ name: String?) -> String { name.map { ": \($0)" } ?? "" }
}
