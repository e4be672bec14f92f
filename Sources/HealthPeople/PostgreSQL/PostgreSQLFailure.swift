import CPostgreSQL

/// The error that a server sent instead of a result.
///
/// Only the fields are read that can't contain values: not the message and not its DETAIL.
struct PostgreSQLFailure {
    /// The error for the caller.
    let error: SQLError
    /// Whether the server closes the connection, or libpq has found it closed.
    let endsConnection: Bool

    init(_ result: OpaquePointer) {
        let severity = Field.severity.value(in: result)
        guard let state = Field.sqlState.value(in: result) else {
            // An error of libpq itself, which has found the connection closed.
            self.init(error: SQLError(.connectionLost), endsConnection: true)
            return
        }
        let endsConnection = severity == "FATAL" || severity == "PANIC"
        // Of a statement, 08P01 means that a parameter is missing.
        let code =
            state == "08P01"
            ? .invalid(sqlState: state)
            : Self.code(state, constraint: Field.constraint.value(in: result))
        let position = Field.position.value(in: result)
        self.init(
            error: SQLError(
                endsConnection ? .connectionLost : code, sqlState: state,
                detail: position.map { "It is at character \($0) of the statement." }),
            endsConnection: endsConnection)
    }

    private init(error: SQLError, endsConnection: Bool) {
        (self.error, self.endsConnection) = (error, endsConnection)
    }

    /// A field of an error. Swift doesn't import the macros of postgres_ext.h with these values.
    private enum Field: Int32 {
        case severity = 0x56  // "V", which isn't translated
        case sqlState = 0x43  // "C"
        case position = 0x50  // "P"
        case constraint = 0x6E  // "n"

        func value(in result: OpaquePointer) -> String? {
            PQresultErrorField(result, rawValue).map { String(cString: $0) }
        }
    }

    /// Returns the category of an SQLSTATE. Source: PostgreSQL 15, appendix A.
    static func code(_ state: String, constraint: String? = nil) -> SQLError.Code {
        switch state {
        case "40003": .unknownOutcome
        case "40001", "40P01": .conflict
        case "55P03": .lockTimeout
        case "57014": .statementTimeout
        case "23505": .uniqueViolation(constraint: constraint)
        case "23503": .foreignKeyViolation(constraint: constraint)
        case "23514", "23502", "23P01": .checkViolation(constraint: constraint)
        case "25006": .readOnly
        case "42501": .notPermitted
        case "53300": .tooManyConnections
        case "57P03": .unavailable
        case "57P01", "57P02", "57P05", "25P03", "25P04": .connectionLost
        default:
            switch state.prefix(2) {
            case "08": .connectionLost
            case "28": .authenticationFailed
            case "53": .outOfResources
            default: .invalid(sqlState: state)
            }
        }
    }
}
