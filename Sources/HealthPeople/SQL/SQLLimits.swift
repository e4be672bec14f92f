/// What a statement and its parameters may not contain, the same for every database.
///
/// Each database has some of these limits. The others would treat such values differently: SQLite
/// stores NaN as NULL, and PostgreSQL's text can't contain a zero byte.
enum SQLLimits {
    /// The largest number of parameters. PostgreSQL's protocol has 16 bits for it.
    static let parameters = Int(UInt16.max)
    /// The largest number of bytes of a value. SQLite's default.
    static let bytes = 1_000_000_000

    /// Checks a statement before it is sent.
    ///
    /// - Throws: ``SQLError`` with the SQLSTATE that PostgreSQL has for such an error.
    static func check(_ sql: String, _ parameters: [SQLValue]) throws(SQLError) {
        // C would end the statement there.
        guard !sql.utf8.contains(0) else { throw SQLError(.invalid(sqlState: "42601")) }
        guard parameters.count <= Self.parameters else {
            throw SQLError(.invalid(sqlState: "54023"))
        }
        for (index, value) in parameters.enumerated() {
            if let state = sqlState(of: value) {
                throw SQLError(
                    .invalid(sqlState: state),
                    detail: "Parameter \(index + 1) can't be stored in every database.")
            }
        }
    }

    private static func sqlState(of value: SQLValue) -> String? {
        switch value {
        case .real(let value) where value.isNaN: "22003"
        case .text(let value) where value.utf8.contains(0): "22021"
        case .text(let value) where value.utf8.count > bytes: "54000"
        case .bytes(let value) where value.count > bytes: "54000"
        case .null, .integer, .real, .text, .bytes, .boolean: nil
        }
    }
}
