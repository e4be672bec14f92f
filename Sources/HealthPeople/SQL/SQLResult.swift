/// The result of a statement.
package struct SQLResult: Hashable, Sendable {
    /// The rows of a query, or of a `RETURNING` clause.
    package let rows: [SQLRow]
    /// The number of rows that the statement inserted, updated, deleted or selected.
    package let affectedRows: Int

    package init(rows: [SQLRow], affectedRows: Int) {
        self.rows = rows
        self.affectedRows = affectedRows
    }
}
