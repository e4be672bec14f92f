#if os(Linux)
    import Foundation
    import GRDB
    import Synchronization

    /// What a transaction of a store changed.
    package struct RecordedChange: Sendable {
        /// The changed rows, as a changeset of SQLite's session extension; empty for none.
        package var changeset: [UInt8]
        /// The tables of these rows.
        package var tables: Set<String>
    }

    extension SampleStore {
        /// Runs `body` in one transaction, and passes what it changed to `confirm` before the
        /// commit.
        ///
        /// ```swift
        /// let receipt = try store.recording {
        ///     try settle(delivery, into: store)
        /// } confirm: { change, receipt in
        ///     try log.append(change, receipt)   // throws if another node was faster
        /// }
        /// ```
        /// All calls of `body` and `confirm` to this store take part in the transaction. What
        /// `confirm` writes isn't part of the change.
        ///
        /// - Parameters:
        ///   - body: Changes the store.
        ///   - confirm: Receives the change and the result of `body`. If it throws, the transaction
        ///     is rolled back.
        /// - Returns: The result of `body`.
        /// - Throws: ``StoreError``, and the errors of `body` and `confirm`. Then nothing changes.
        package func recording<Value>(
            _ body: () throws -> Value, confirm: (RecordedChange, Value) throws -> Void
        ) throws -> Value {
            try inRecordedTransaction { db in
                let session = try ChangesetSession(db)
                let value = try body()
                try confirm(try session.change(), value)
                return value
            }
        }

        /// Applies a change of ``recording(_:confirm:)`` that was recorded on the same state.
        ///
        /// - Parameters:
        ///   - changeset: The changed rows.
        ///   - confirm: Called in the transaction, after the changes.
        /// - Returns: False if this store isn't in the state on which the changes were recorded.
        ///   Then nothing is changed.
        /// - Throws: ``StoreError`` if the file can't be written, and the errors of `confirm`.
        /// - Complexity: O(m log n) for m changed rows of n.
        package func apply(_ changeset: [UInt8], confirm: () throws -> Void) throws -> Bool {
            // The changes contain the effects of cascades too, so foreign keys are off.
            try setForeignKeys("OFF")
            let result = Result {
                try inRecordedTransaction { db in
                    try edit(db) { db in
                        guard try ChangesetSession.apply(changeset, db) else { throw Mismatch() }
                        try confirm()
                    }
                }
            }
            try setForeignKeys("ON")
            do { try result.get() } catch is Mismatch { return false }
            return true
        }

        private struct Mismatch: Error {}

        private func setForeignKeys(_ state: String) throws {
            try translatingErrors {
                try database.writeWithoutTransaction { db in
                    try db.execute(sql: "PRAGMA foreign_keys = \(state)")
                }
            }
        }

        private func inRecordedTransaction<Value>(
            _ body: (Database) throws -> Value
        ) throws -> Value {
            try translatingErrors {
                try database.writeWithoutTransaction { db in
                    try requireOwnSchema(db)
                    var value: Value?
                    try db.inTransaction(.immediate) {
                        recordingThread.withLock { $0 = pthread_self() }
                        defer { recordingThread.withLock { $0 = nil } }
                        value = try body(db)
                        return .commit
                    }
                    guard let value else { throw StoreError.damaged(path) }
                    return value
                }
            }
        }
    }
#endif
