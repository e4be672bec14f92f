public import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// The file that holds one person's health data, with the arithmetic of HealthKit over it.
///
/// ```swift
/// let store = try SampleStore(at: "health.sqlite", access: .reading)
/// let steps = SampleQuestion(try store.type(named: "stepCount"))
/// if let extent = try store.extent(of: steps), let zone = try store.homeZone {
///     let days = try CalendarBuckets(timeZone: zone.timeZone)
///         .edges(from: extent.first, to: extent.last, by: .day)
///     let answer = try store.statistics(steps, over: days)   // one sum a day, counted once
/// }
/// ```
/// One person is one file. Every read of samples takes a ``Visibility``. A store is safe to use from
/// any thread; each call is one consistent look at the file.
public final class SampleStore: Sendable {
    /// What the caller wants of the file.
    public enum Access: Sendable {
        /// The file must exist; nothing is written.
        case reading
        /// The file must exist.
        case writing
        /// The file is made if there is none.
        case creating
    }

    /// Where the file is; ":memory:" where there is none.
    public let path: String
    let database: any DatabaseWriter
    private let mark: OpenFiles.Mark?
    /// Whether every call sees the file as of one moment.
    let isStill: Bool
    private let sourceTables = Mutex<(stamp: SourceTable.Stamp, table: SourceTable)?>(nil)

    let statisticsMemo = Mutex(StatisticsMemo())

    /// The number that SQLite gives the schema with each change, when it was last looked over.
    private let knownSchema = Mutex<Int64?>(nil)

    /// Opens a store, bringing an older one up to date; for reading too, if the file may be written.
    ///
    /// - Throws: ``StoreError``: missing, not a store of ours, of a newer version, not permitted.
    public convenience init(at path: String, access: Access) throws {
        try StoreFile.prepare(path: path, access: access)
        try self.init(path: path, access: access, journal: .wal)
    }

    /// A store that lives in memory alone.
    public static func inMemory() throws -> SampleStore {
        let queue = try DatabaseQueue(configuration: StoreFile.configuration(.creating))
        try Schema.migrator.migrate(queue)
        return SampleStore(path: ":memory:", database: queue)
    }

    /// A store in memory, or one look at a file.
    init(path: String, database: any DatabaseWriter) {
        self.path = path
        self.database = database
        mark = nil
        isStill = true
    }

    enum Journal { case wal, none }

    init(
        path: String, access: Access, journal: Journal,
        alteredSchema: StoreFile.SchemaPolicy = .refused
    ) throws {
        self.path = path
        mark = OpenFiles.Mark(path)
        isStill = false
        self.database = try StoreFile.connect(
            path: path, access: access, journal: journal, alteredSchema: alteredSchema)
    }

    /// Opens a store to be looked over by ``check()``: also one to whose schema something was added.
    package static func forChecking(at path: String) throws -> SampleStore {
        try StoreFile.prepare(path: path, access: .reading)
        return try SampleStore(
            path: path, access: .reading, journal: .wal, alteredSchema: .reported)
    }

    /// Closes the file, folding the write-ahead log into it.
    public func close() throws {
        try translatingErrors { try database.close() }
    }

    /// Lets readers look while somebody writes, from now on.
    func useWriteAheadLog() throws {
        try translatingErrors {
            try database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA journal_mode = WAL")
            }
        }
    }

    /// One consistent look at the file.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try translatingErrors { try database.read(body) }
    }

    /// Sources and origins as of this look, read anew only after a change.
    ///
    /// For ``read(_:)`` alone: what a transaction has written may yet be taken back.
    func sourceTable(_ db: Database) throws -> SourceTable {
        let stamp = try SourceTable.Stamp(db)
        if let known = sourceTables.withLock({ $0 }), known.stamp == stamp { return known.table }
        let table = try SourceTable(db)
        sourceTables.withLock { $0 = (stamp, table) }
        return table
    }

    /// One transaction: all of it or nothing. After every few hundred edits it also builds the segments
    /// that they have torn down.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try translatingErrors {
            try database.write { db in
                try requireOwnSchema(db)
                let before = try EditLog.last(db)
                let value = try body(db)
                if try EditLog.last(db) / SegmentWriter.period != before / SegmentWriter.period {
                    try SegmentWriter.fill(db)
                }
                return value
            }
        }
    }

    /// Refuses to write where another program has changed the schema since the file was opened.
    func requireOwnSchema(_ db: Database) throws {
        if isStill { return }
        let number = try Int64.readOne(db.cachedStatement(sql: "PRAGMA schema_version"))
        if number == knownSchema.withLock({ $0 }) { return }
        try SchemaComparison.require(db, path: path)
        knownSchema.withLock { $0 = number }
    }

    /// Folds the write-ahead log into the file and empties it, so that nothing which was deleted stays
    /// in it. While somebody reads, the log is left to who closes the file last.
    func emptyLog() {
        if isStill { return }
        database.writeWithoutTransaction { db in
            sqlite3_busy_timeout(db.sqliteConnection, 0)
            defer { sqlite3_busy_timeout(db.sqliteConnection, 5_000) }
            _ = try? CheckedRow.readAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        } catch is RowDecodingError {
            // Its own text shows the row.
            throw StoreError.damaged(path)
        }
    }
}

extension StoreError {
    /// What an SQLite error means to a person.
    init(_ error: DatabaseError, path: String) {
        let name = (path as NSString).lastPathComponent
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                .busy, "\(name) is being written by another process; try again when it is done.")
        case .SQLITE_FULL:
            self.init(
                .full,
                "The disk with \(name) is full; the store is as it was before. Make room and try again."
            )
        case .SQLITE_NOTADB:
            self.init(.notAStore, "\(path) is no store of openhealth; choose one with --store.")
        case .SQLITE_CORRUPT:
            self.init(
                .corrupt,
                "\(path) is damaged (\(error.message ?? "no detail")). Move it aside and import "
                    + "your newest export again.")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
            self.init(
                .notPermitted,
                "\(path) can't be opened or written: check the permissions of the file and of its "
                    + "folder.")
        case .SQLITE_IOERR:
            self.init(
                FileSizeLimit.hint == nil ? .failed : .full,
                "Reading or writing \(path) failed: "
                    + "\(FileSizeLimit.hint ?? "the disk may be full or failing").")
        default:
            self.init(
                .failed,
                "\(path) can't be used: \(error.message ?? "no detail") "
                    + "(SQLite \(error.resultCode.rawValue)). Look it over with: openhealth check")
        }
    }
}

// MARK: - Facts about the store as a whole

extension SampleStore {
    /// Keys of the `store` table.
    enum Fact: String {
        case identifier, homeZone, homeZoneReason, lastSequence
    }

    static func fact(_ fact: Fact, _ db: Database) throws -> String? {
        try String.readOne(
            db, sql: "SELECT CAST(value AS TEXT) FROM store WHERE key = ?",
            arguments: [fact.rawValue])
    }

    static func set(_ fact: Fact, to value: (any DatabaseValueConvertible)?, _ db: Database) throws
    {
        try db.execute(
            sql: "INSERT INTO store (key, value) VALUES (?, ?) "
                + "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            arguments: [fact.rawValue, value])
    }

    /// The highest number given to a change so far; 0 in an empty store.
    public var lastSequence: Int64 {
        get throws { try read { try SampleStore.lastSequence($0) } }
    }

    static func lastSequence(_ db: Database) throws -> Int64 {
        guard let text = try fact(.lastSequence, db) else { return 0 }
        guard let number = Int64(text), (0...SequenceSet.highest).contains(number) else {
            throw StoreError.damaged("store.value of lastSequence")
        }
        return number
    }

    /// The zone days are cut in, with how it became so; nil until an import or a person sets it.
    public var homeZone: HomeZone? {
        get throws {
            try read { db in
                guard let name = try SampleStore.fact(.homeZone, db) else { return nil }
                let reason = try SampleStore.fact(.homeZoneReason, db)
                return HomeZone(
                    identifier: name,
                    reason: reason.flatMap(HomeZone.Reason.init(rawValue:)) ?? .given)
            }
        }
    }

    /// Sets the zone days are cut in.
    ///
    /// - Throws: ``StoreError`` of code `invalidArgument` if the system knows no such zone.
    public func setHomeZone(_ zone: HomeZone) throws {
        guard TimeZone(identifier: zone.identifier) != nil else {
            throw StoreError(
                .invalidArgument,
                "“\(zone.identifier)” is no time zone; write one like Europe/Berlin.")
        }
        try write { db in try SampleStore.setHomeZone(zone, db) }
    }

    static func setHomeZone(_ zone: HomeZone, _ db: Database) throws {
        try set(.homeZone, to: zone.identifier, db)
        try set(.homeZoneReason, to: zone.reason.rawValue, db)
    }
}

/// The zone in which a store's days are cut, and where it was learnt from.
public struct HomeZone: Hashable, Sendable {
    /// From the surest to the least sure.
    public enum Reason: String, Sendable {
        /// A person said so.
        case given
        /// Most records that name a zone name this one.
        case metadata
        /// The computer's own zone, whose offset fits the export.
        case system
        /// Guessed from the export's offset and language.
        case guess
    }

    /// "Europe/Berlin".
    public var identifier: String
    public var reason: Reason

    public init(identifier: String, reason: Reason) {
        self.identifier = identifier
        self.reason = reason
    }

    /// The zone; GMT only if the system has lost its zone data.
    public var timeZone: TimeZone { TimeZone(identifier: identifier) ?? .gmt }
}
