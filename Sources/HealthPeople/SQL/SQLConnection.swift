/// A connection to a database, inside or outside a transaction.
///
/// It isn't `Sendable`: only the thread that received it may use it, and only until the body that
/// received it returns.
package protocol SQLConnection: AnyObject {
    /// Runs one statement.
    ///
    /// - Parameters:
    ///   - sql: The statement. Its parameters are `$1`, `$2` and so on in every database.
    ///   - parameters: The values of the parameters. PostgreSQL receives them with the type of
    ///     their case: int8, float8, text, bytea or bool, and none for null. NaN and a text with a
    ///     zero byte are refused.
    /// - Returns: The rows.
    /// - Throws: ``SQLError``.
    func execute(_ sql: String, _ parameters: [SQLValue]) throws(SQLError) -> SQLResult
}

extension SQLConnection {
    /// Runs one statement without parameters.
    ///
    /// - Parameter sql: The statement.
    /// - Returns: The rows.
    /// - Throws: ``SQLError``.
    @discardableResult
    package func execute(_ sql: String) throws(SQLError) -> SQLResult { try execute(sql, []) }
}
