import Foundation
import GRDB
public import HealthEngine

/// Samples as an SQLite file of plain tables, for other programs: `Documentation/ExportSchema.md`
/// explains them.
///
/// ```swift
/// let database = try PlainDatabase(at: "plain.sqlite", .samples, calendar)
/// try store.forEachExportedBatch(ExportSelection(), routes: .within) { try database.write($0) }
/// try database.close()
/// ```
/// Equal batches give equal tables. Nothing in the file refers to the store it came from.
public final class PlainDatabase {
    /// What the file is to hold.
    public enum Content: Sendable {
        /// Every sample as it was recorded.
        case samples
        /// The timeline that counts once.
        case stretches
    }

    private let queue: DatabaseQueue
    private let name: String
    private let calendar: CalendarBuckets
    private let content: Content
    private var numbers = PlainRows.Numbers()

    /// Makes the tables in an empty file.
    ///
    /// - Parameters:
    ///   - name: What errors call the file; nil for its path.
    ///   - calendar: The zone that dates are written in.
    /// - Throws: ``StoreError``.
    public init(
        at path: String, named name: String? = nil, _ content: Content, _ calendar: CalendarBuckets
    ) throws {
        self.name = name ?? path
        self.calendar = calendar
        self.content = content
        queue = try PlainDatabase.translating(name ?? path) {
            var configuration = Configuration()
            // Until it is whole the file is nobody's: a crash leaves nothing to recover.
            configuration.prepareDatabase { db in
                try db.execute(
                    sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
                        + "PRAGMA cache_size = -16384")
            }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.write { db in
                try db.execute(sql: PlainTables.about)
                try db.execute(
                    sql: content == .samples ? PlainTables.samples : PlainTables.stretches)
            }
            return queue
        }
        try note("format", PlainTables.version)
        try note("timeZone", calendar.calendar.timeZone.identifier)
    }

    /// Notes a fact about the file as a whole in the table `about`.
    ///
    /// - Throws: ``StoreError``.
    public func note(_ key: String, _ value: String) throws {
        try write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO about (key, value) VALUES (?, ?)",
                arguments: [key, value])
        }
    }

    /// Adds the samples of a batch with all they hold.
    ///
    /// - Throws: ``StoreError``, after which the file is good for nothing.
    /// - Complexity: O(samples + what they hold).
    public func write(_ exported: ExportedBatch) throws {
        try write { db in
            let rows = try PlainRows(db, calendar, numbers)
            for index in exported.batch.samples.indices { try rows.write(index, exported) }
            numbers = rows.numbers
        }
    }

    /// Adds stretches that count, of one type.
    ///
    /// - Throws: ``StoreError``, after which the file is good for nothing.
    public func write(
        _ stretches: [Explanation.Segment], of type: SampleType, unit: String
    ) throws {
        try write { db in
            let row = try RawStatement(
                db,
                "INSERT INTO stretch (type, start_date, end_date, start_unix, end_unix, value, "
                    + "unit, source, bundle_identifier, day, value_name) "
                    + "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            for stretch in stretches {
                try row.bind(type.identifier, at: 1)
                try row.bind(calendar.text(stretch.start), at: 2)
                try row.bind(calendar.text(stretch.end), at: 3)
                row.bind(stretch.start + PlainRows.unixEpoch, at: 4)
                row.bind(stretch.end + PlainRows.unixEpoch, at: 5)
                row.bind(orNull: stretch.value, at: 6)
                try row.bind(unit, at: 7)
                try row.bind(stretch.source.name, at: 8)
                try row.bind(stretch.source.bundleIdentifier, at: 9)
                try row.bind(calendar.day(stretch.start), at: 10)
                let name = SampleLines.valueName(stretch.value, type)
                if let name { try row.bind(name, at: 11) } else { row.bindNull(at: 11) }
                try row.run()
            }
        }
    }

    /// Adds what is known of the person, in a table that is not there otherwise.
    ///
    /// - Parameter values: By Apple's characteristic identifiers, as exports write them.
    /// - Throws: ``StoreError``.
    public func write(characteristics values: [String: String]) throws {
        try write { db in
            try db.execute(sql: PlainTables.characteristics)
            for (identifier, value) in values.sorted(by: { $0.key < $1.key }) {
                try db.execute(
                    sql: "INSERT INTO characteristic (identifier, value) VALUES (?, ?)",
                    arguments: [identifier, value])
            }
        }
    }

    /// Builds the indices and closes the file.
    ///
    /// - Throws: ``StoreError``.
    public func close() throws {
        try write { db in
            switch content {
            case .samples: try db.execute(sql: PlainTables.sampleEnding)
            case .stretches: try db.execute(sql: PlainTables.stretchEnding)
            }
        }
        try PlainDatabase.translating(name) { try queue.close() }
    }

    private func write(_ body: (Database) throws -> Void) throws {
        try PlainDatabase.translating(name) { try queue.write(body) }
    }

    private static func translating<Value>(
        _ name: String, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            let isFull = error.resultCode == .SQLITE_FULL || error.resultCode == .SQLITE_IOERR
            throw StoreError(
                isFull ? .full : .failed,
                isFull
                    ? "\(name) can't be written: "
                        + "\(FileSizeLimit.hint ?? "the disk is full or failing")."
                    : "\(name) can't be written: \(error.message ?? "no detail").")
        }
    }
}
