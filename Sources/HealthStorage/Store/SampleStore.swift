public import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// A SQLite file with one person's health data, with HealthKit's queries and statistics.
///
/// ```swift
/// let store = try SampleStore(at: "\(folder)/health.sqlite", access: .reading)
/// let steps = SampleQuery(try store.type(named: "stepCount"))
/// if let extent = try store.extent(of: steps), let zone = try store.homeZone {
///     let days = try CalendarBuckets(timeZone: zone.timeZone)
///         .edges(from: extent.first, to: extent.last, by: .day)
///     let result = try store.statistics(steps, over: days)   // one merged sum a day
/// }
/// ```
/// Queries and statistics take a ``Visibility``, directly or in a ``SampleQuery``. Exports and
/// some lookups cover all samples. A store can be used from any thread; its calls run one at a
/// time. For several reads of one consistent state of the file, use ``withReadSnapshot(_:)``.
public final class SampleStore: Sendable {
    /// How a file is opened.
    public enum Access: Sendable {
        /// Read-only. The file must exist.
        case reading
        /// Read and write. The file must exist.
        case writing
        /// Read and write. The file is created if it doesn't exist.
        case creating
    }

    /// The path of the file; ":memory:" for a store in memory.
    public let path: String
    let database: any DatabaseWriter
    private let registration: OpenFiles.Registration?
    /// Whether no other connection can change what this store reads: true for a store in memory and
    /// for a snapshot of a file.
    let isIsolated: Bool
    private let sourceTables = Mutex<(version: SourceTable.FileVersion, table: SourceTable)?>(nil)

    let statisticsCache = Mutex(StatisticsCache())

    /// The thread in ``recording(_:confirm:)``; nil for none.
    let recordingThread = Mutex<pthread_t?>(nil)

    /// SQLite's schema version at the last schema comparison before a write; nil before the first.
    private let knownSchema = Mutex<Int64?>(nil)

    /// Opens a store, and migrates it if an older version wrote it.
    ///
    /// With ``Access/reading``, an older store is still migrated if the file is writable.
    ///
    /// - Parameters:
    ///   - path: The path of the SQLite file.
    ///   - access: Whether to read, write or create the file.
    /// - Throws: ``StoreError`` if the file is missing or can't be created, isn't a store, was
    ///   written by a newer version, has an altered schema or isn't accessible.
    /// - Complexity: O(schema); a migration takes O(samples).
    public convenience init(at path: String, access: Access) throws {
        try StoreFile.prepare(path: path, access: access)
        try self.init(path: path, access: access, journal: .wal)
    }

    /// Creates an empty store in memory.
    ///
    /// - Returns: A store that exists until it is released.
    /// - Throws: ``StoreError`` or the database's error if SQLite can't create it.
    public static func inMemory() throws -> SampleStore {
        let queue = try DatabaseQueue(configuration: StoreFile.configuration(.creating))
        try Schema.migrator.migrate(queue)
        return SampleStore(path: ":memory:", database: queue)
    }

    /// Creates a store over a database in memory or a snapshot of a file.
    init(path: String, database: any DatabaseWriter) {
        self.path = path
        self.database = database
        registration = nil
        isIsolated = true
    }

    enum Journal { case wal, none }

    init(
        path: String, access: Access, journal: Journal,
        alteredSchema: StoreFile.SchemaPolicy = .refused, writer: StoreFile.Writer = .program
    ) throws {
        self.path = path
        registration = OpenFiles.Registration(path)
        isIsolated = false
        self.database = try StoreFile.connect(
            path: path, access: access, journal: journal, alteredSchema: alteredSchema,
            writer: writer)
    }

    /// Opens a store for ``check()``, even if its schema was altered.
    package static func forChecking(at path: String) throws -> SampleStore {
        try StoreFile.prepare(path: path, access: .reading)
        return try SampleStore(
            path: path, access: .reading, journal: .wal, alteredSchema: .reported)
    }

    /// Closes the file. The last connection to close checkpoints the write-ahead log into it.
    ///
    /// - Throws: ``StoreError`` if the database can't be closed.
    public func close() throws {
        try translatingErrors { try database.close() }
    }

    /// Switches to write-ahead logging, so that readers and a writer don't block each other.
    func useWriteAheadLog() throws {
        try translatingErrors {
            try database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA journal_mode = WAL")
            }
        }
    }

    /// Runs `body` in one read transaction, or in the transaction of ``recording(_:confirm:)`` if
    /// that calls it.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try translatingErrors {
            if isRecording { return try database.unsafeReentrantRead(body) }
            return try database.read(body)
        }
    }

    /// Whether the calling thread is in a transaction of ``recording(_:confirm:)``.
    var isRecording: Bool {
        recordingThread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    /// Returns the sources and origins of the file, cached until the file changes.
    ///
    /// Only for use in ``read(_:)``: a write transaction can still be rolled back.
    func sourceTable(_ db: Database) throws -> SourceTable {
        let version = try SourceTable.FileVersion(db)
        if let known = sourceTables.withLock({ $0 }), known.version == version {
            return known.table
        }
        let table = try SourceTable(db)
        sourceTables.withLock { $0 = (version, table) }
        return table
    }

    /// Runs `body` in one write transaction. After each ``SegmentWriter/period`` edits it also
    /// builds segments that are missing, for example because edits dropped them.
    ///
    /// Within ``recording(_:confirm:)`` it is a savepoint of that transaction.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try translatingErrors {
            guard isRecording else { return try database.write { try edit($0, body) } }
            return try database.unsafeReentrantWrite { db in
                var value: Value?
                try db.inSavepoint {
                    value = try edit(db, body)
                    return .commit
                }
                guard let value else { throw StoreError.damaged(path) }
                return value
            }
        }
    }

    /// Runs `body`, then builds segments as ``write(_:)`` says.
    func edit<Value>(_ db: Database, _ body: (Database) throws -> Value) throws -> Value {
        try requireOwnSchema(db)
        let before = try EditLog.last(db)
        let value = try body(db)
        if try EditLog.last(db) / SegmentWriter.period != before / SegmentWriter.period {
            try SegmentWriter.fill(db)
        }
        return value
    }

    /// Throws if another program has changed the schema since the file was opened.
    func requireOwnSchema(_ db: Database) throws {
        if isIsolated { return }
        let number = try Int64.readOne(db.cachedStatement(sql: "PRAGMA schema_version"))
        if number == knownSchema.withLock({ $0 }) { return }
        try SchemaComparison.require(db, path: path)
        knownSchema.withLock { $0 = number }
    }

    /// Checkpoints and truncates the write-ahead log, so that no deleted data stays in it.
    ///
    /// While another connection reads, the log stays; the last connection to close checkpoints it.
    func truncateWAL() {
        // Within a transaction there is nothing to truncate yet.
        if isIsolated || isRecording { return }
        database.writeWithoutTransaction { db in
            // These calls fail only for an invalid connection.
            sqlite3_busy_timeout(db.sqliteConnection, 0)
            defer { sqlite3_busy_timeout(db.sqliteConnection, 5_000) }
            // A checkpoint that another connection blocks returns a row with busy = 1. Errors are
            // ignored: the last connection to close checkpoints the log.
            _ = try? CheckedRow.readAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        } catch is RowDecodingError {
            // The description of a `RowDecodingError` contains values of the row.
            throw StoreError.damaged(path)
        }
    }
}

extension StoreError {
    /// Translates a SQLite error.
    init(_ error: DatabaseError, path: String) {
        let name = (path as NSString).lastPathComponent
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.busy(file: name))
        case .SQLITE_FULL:
            self.init(.diskFull(file: name))
        case .SQLITE_NOTADB:
            self.init(.noStoreFile(at: path))
        case .SQLITE_CORRUPT:
            self.init(.damagedFile(at: path, detail: error.message ?? "no detail"))
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
            self.init(.notAccessible(at: path, .open))
        case .SQLITE_IOERR:
            self.init(.fileFailed(.readOrWrite, at: path, FileSizeLimit.fault ?? .diskFailing))
        default:
            self.init(
                .unusable(
                    at: path, detail: error.message ?? "no detail",
                    resultCode: error.resultCode.rawValue))
        }
    }
}

// MARK: - Data about the store as a whole

extension SampleStore {
    /// The keys of the `store` table that have a fixed name.
    enum StoreKey: String {
        case identifier, homeZone, homeZoneReason, lastSequence
    }

    static func storedValue(_ key: StoreKey, _ db: Database) throws -> String? {
        try String.readOne(
            db, sql: "SELECT CAST(value AS TEXT) FROM store WHERE key = ?",
            arguments: [key.rawValue])
    }

    static func set(_ key: StoreKey, to value: (any DatabaseValueConvertible)?, _ db: Database)
        throws
    {
        try db.execute(
            sql: "INSERT INTO store (key, value) VALUES (?, ?) "
                + "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            arguments: [key.rawValue, value])
    }

    /// The highest sequence number assigned so far; 0 before the first change.
    ///
    /// - Throws: ``StoreError`` if the file can't be read.
    public var lastSequence: Int64 {
        get throws { try read { try SampleStore.lastSequence($0) } }
    }

    static func lastSequence(_ db: Database) throws -> Int64 {
        guard let text = try storedValue(.lastSequence, db) else { return 0 }
        guard let number = Int64(text), (0...SequenceSet.highest).contains(number) else {
            throw StoreError.damaged("store.value of lastSequence")
        }
        return number
    }

    /// The time zone of the store's days, and where it comes from; nil until an import or a person
    /// sets it.
    ///
    /// - Throws: ``StoreError`` if the file can't be read.
    public var homeZone: HomeZone? {
        get throws {
            try read { db in
                guard let name = try SampleStore.storedValue(.homeZone, db) else { return nil }
                let reason = try SampleStore.storedValue(.homeZoneReason, db)
                return HomeZone(
                    identifier: name,
                    reason: reason.flatMap(HomeZone.Reason.init(rawValue:)) ?? .specified)
            }
        }
    }

    /// Sets the time zone of the store's days.
    ///
    /// - Parameter zone: The zone and where it comes from.
    /// - Throws: ``StoreError`` of code `invalidArgument` if the system doesn't have the zone, or
    ///   another if the file can't be written.
    public func setHomeZone(_ zone: HomeZone) throws {
        guard TimeZone(identifier: zone.identifier) != nil else {
            throw StoreError(.unknownTimeZone(zone.identifier))
        }
        try write { db in try SampleStore.setHomeZone(zone, db) }
    }

    static func setHomeZone(_ zone: HomeZone, _ db: Database) throws {
        try set(.homeZone, to: zone.identifier, db)
        try set(.homeZoneReason, to: zone.reason.rawValue, db)
    }
}

/// The time zone in which a store's days begin, and where it comes from.
public struct HomeZone: Hashable, Sendable {
    /// Where a home zone comes from, from the most to the least certain.
    public enum Reason: String, Sendable {
        /// A person set it.
        case specified = "given"
        /// Of the zones that records name in their metadata, it is the most frequent one.
        case metadata
        /// It is the computer's own zone, and no offset of the export contradicts it.
        case system
        /// A device that sends its data has it.
        case device
        /// It is guessed from the export's offset and region.
        case guessed = "guess"
    }

    /// An IANA identifier such as "Europe/Berlin".
    public var identifier: String
    /// Where the zone comes from.
    public var reason: Reason

    public init(identifier: String, reason: Reason) {
        self.identifier = identifier
        self.reason = reason
    }

    /// The time zone; GMT if the system doesn't have the identifier.
    public var timeZone: TimeZone { TimeZone(identifier: identifier) ?? .gmt }
}

extension SampleStore {
    /// Calls `body` with a read-only snapshot of the store. Calls of the snapshot don't see later
    /// writes.
    ///
    /// ```swift
    /// let types = try ["stepCount", "heartRate"].map { try store.type(named: $0) }
    /// let days = try store.withReadSnapshot { store in
    ///     try types.map { try store.statistics(SampleQuery($0), over: edges) }
    /// }   // all from one snapshot
    /// ```
    /// A store in memory, or a snapshot, is passed on as it is. The snapshot blocks no writer, but
    /// the write-ahead log grows until it ends.
    ///
    /// - Parameter body: Receives the snapshot, which is valid only during the call.
    /// - Returns: The result of `body`.
    /// - Throws: ``StoreError`` if the snapshot can't be opened, and errors of `body`.
    public func withReadSnapshot<Value>(_ body: (SampleStore) throws -> Value) throws -> Value {
        if isIsolated { return try body(self) }
        var configuration = StoreFile.configuration(.reading)
        // The transaction stays open between calls.
        configuration.allowsUnsafeTransactions = true
        let queue = try translatingErrors {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.writeWithoutTransaction { db in
                try db.beginTransaction(.deferred)
                // A deferred transaction takes its snapshot at the first read.
                _ = try Int.readOne(db, sql: "SELECT count(*) FROM sqlite_schema")
            }
            return queue
        }
        // Nothing was written, and SQLite ends the transaction with the connection.
        defer {
            try? queue.writeWithoutTransaction { try $0.rollback() }
            try? queue.close()
        }
        return try body(SampleStore(path: path, database: queue))
    }
}
