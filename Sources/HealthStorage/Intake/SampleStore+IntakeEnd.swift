import GRDB

extension SampleStore {
    /// Removes the receipt of a request whose body can't be read, if none of its records is stored.
    ///
    /// Otherwise the receipt's idempotency key would refuse the same request with a whole body.
    ///
    /// - Parameter receipt: The receipt from ``beginIntake(_:)``.
    /// - Throws: ``StoreError`` if the file can't be written.
    package func discardIntake(_ receipt: IntakeReceipt) throws {
        try write { db in
            try db.executeKept(
                sql: "DELETE FROM receipt WHERE id = ? AND position = 0 AND NOT is_complete",
                arguments: [receipt.number])
        }
    }

    /// Runs `body`, whose transactions are on the disk when it returns, together with all earlier
    /// ones of this file.
    ///
    /// A store's transactions are otherwise atomic and survive a crash of the process, but a power
    /// failure can undo the last ones. A sender deletes its copy of data that is acknowledged.
    ///
    /// - Parameter body: Writes to this store, outside a transaction.
    /// - Returns: The result of `body`.
    /// - Throws: ``StoreError`` if the setting can't be changed, and errors of `body`.
    package func durably<Value>(_ body: () throws -> Value) throws -> Value {
        try setSynchronization("FULL")
        let result = Result { try body() }
        try setSynchronization("NORMAL")
        return try result.get()
    }

    private func setSynchronization(_ mode: String) throws {
        try translatingErrors {
            try database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = \(mode)")
            }
        }
    }
}
