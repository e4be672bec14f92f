import GRDB

extension SampleStore {
    /// Hands `body` the store as it stands now: what is written meanwhile, by whomever, none of its
    /// calls sees.
    ///
    /// ```swift
    /// let days = try store.inOneLook { store in
    ///     try types.map { try store.statistics(SampleQuestion($0), over: edges) }
    /// }   // all of one moment
    /// ```
    /// A store in memory is handed on as it is. Nobody waits for the look to end, but the file's log
    /// grows until then.
    ///
    /// - Throws: ``StoreError``, and what `body` throws.
    public func inOneLook<Value>(_ body: (SampleStore) throws -> Value) throws -> Value {
        if isStill { return try body(self) }
        var configuration = StoreFile.configuration(.reading)
        // The transaction stays open between two calls.
        configuration.allowsUnsafeTransactions = true
        let queue = try translatingErrors {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.writeWithoutTransaction { db in
                try db.beginTransaction(.deferred)
                // A transaction begins to see with its first reading.
                _ = try Int.readOne(db, sql: "SELECT count(*) FROM sqlite_schema")
            }
            return queue
        }
        defer {
            try? queue.writeWithoutTransaction { try $0.rollback() }
            try? queue.close()
        }
        return try body(SampleStore(path: path, database: queue))
    }
}
