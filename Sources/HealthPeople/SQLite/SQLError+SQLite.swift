import GRDB

extension SQLError {
    /// The error of an SQLite call. Its message is left out, because it can contain values.
    ///
    /// - Parameter error: An error of GRDB; an ``SQLError``, which stays as it is.
    init(sqlite error: any Error) {
        if let error = error as? SQLError {
            self = error
            return
        }
        guard let error = error as? DatabaseError else {
            self.init(.invalid(sqlState: "HY000"), detail: "The error is a \(type(of: error)).")
            return
        }
        self.init(
            Self.code(error),
            detail: "SQLite's result code is \(error.extendedResultCode.rawValue).")
    }

    private static func code(_ error: DatabaseError) -> Code {
        switch error.resultCode {
        case .SQLITE_CONSTRAINT: violation(error.extendedResultCode)
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: .lockTimeout
        case .SQLITE_FULL, .SQLITE_NOMEM: .outOfResources
        case .SQLITE_READONLY: .readOnly
        case .SQLITE_CANTOPEN, .SQLITE_IOERR: .unavailable
        case .SQLITE_PERM, .SQLITE_AUTH: .notPermitted
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: .invalid(sqlState: "XX001")
        case .SQLITE_TOOBIG: .invalid(sqlState: "54000")
        case .SQLITE_MISMATCH: .invalid(sqlState: "42804")
        default: .invalid(sqlState: "HY000")
        }
    }

    private static func violation(_ code: ResultCode) -> Code {
        switch code {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID:
            .uniqueViolation(constraint: nil)
        case .SQLITE_CONSTRAINT_FOREIGNKEY: .foreignKeyViolation(constraint: nil)
        case .SQLITE_CONSTRAINT_CHECK, .SQLITE_CONSTRAINT_NOTNULL: .checkViolation(constraint: nil)
        // SQLITE_CONSTRAINT_DATATYPE: the type of a value isn't that of a column of a STRICT table.
        case ResultCode(rawValue: 3091): .invalid(sqlState: "42804")
        default: .invalid(sqlState: "23000")
        }
    }
}
