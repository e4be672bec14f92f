/// An error of a database.
///
/// It contains no value of a parameter or a row, and no password. So PostgreSQL's messages are left
/// out, which quote values: the SQLSTATE and the name of a constraint stand in their place.
package struct SQLError: Error, Hashable {
    /// The category of an error.
    package enum Code: Hashable, Sendable {
        /// The connection was lost, or the server didn't answer in time. Nothing was committed.
        case connectionLost
        /// The connection was lost while the commit was sent or answered: the transaction may or
        /// may not have been committed.
        case unknownOutcome
        /// The server can't be reached, is starting, or is shutting down.
        case unavailable
        /// The server refused the user or the password.
        case authenticationFailed
        /// The server has no connection left.
        case tooManyConnections
        /// The queue is full, or the transaction was in it for too long.
        case overloaded
        /// The database was closed by ``SQLDatabase/close()``.
        case closed
        /// A serialization failure or a deadlock. The transaction was rolled back.
        case conflict
        /// A lock wasn't available in time.
        case lockTimeout
        /// The statement took too long.
        case statementTimeout
        /// The database doesn't accept writes now: a standby, for example.
        case readOnly
        /// The disk or the memory of the server is full.
        case outOfResources
        /// A row with the same key exists.
        case uniqueViolation(constraint: String?)
        /// A row refers to a missing row, or is still referred to.
        case foreignKeyViolation(constraint: String?)
        /// A value violates a check, an exclusion constraint or NOT NULL.
        case checkViolation(constraint: String?)
        /// The user lacks a privilege.
        case notPermitted
        /// A value of a row isn't of the expected type.
        case unexpectedValue(column: Int)
        /// The type of a column isn't supported; the number is its OID.
        case unsupportedType(column: Int, type: UInt32)
        /// The address of the database is invalid.
        case invalidAddress
        /// The client library of the database isn't installed, or is too old.
        case libraryMissing
        /// A transaction was begun inside a transaction of the same database.
        case nestedTransaction
        /// Any other error of a statement, with its SQLSTATE. SQLite has none: the closest one is
        /// used, HY000 if there is none, and the detail has SQLite's result code.
        case invalid(sqlState: String)
    }

    /// The category.
    package let code: Code
    /// The SQLSTATE, if the server sent one.
    package let sqlState: String?
    /// A sentence with particulars, which contains no values; nil if there are none.
    let detail: String?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The category.
    ///   - sqlState: The SQLSTATE, if the server sent one.
    ///   - detail: A sentence without values of parameters, rows and passwords.
    package init(_ code: Code, sqlState: String? = nil, detail: String? = nil) {
        self.code = code
        self.sqlState = sqlState
        self.detail = detail
    }

    /// Whether the same transaction can succeed later, and repeating it is harmless. False for
    /// ``Code/unknownOutcome``: repeating it can write twice.
    package var isTemporary: Bool {
        switch code {
        case .connectionLost, .unavailable, .tooManyConnections, .overloaded, .closed, .conflict,
            .lockTimeout, .statementTimeout, .readOnly, .outOfResources:
            true
        case .unknownOutcome, .authenticationFailed, .uniqueViolation, .foreignKeyViolation,
            .checkViolation, .notPermitted, .unexpectedValue, .unsupportedType, .invalidAddress,
            .libraryMissing, .nestedTransaction, .invalid:
            false
        }
    }
}
