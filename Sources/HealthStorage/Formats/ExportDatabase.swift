import Foundation
import GRDB
package import HealthCalendar
package import HealthEngine

/// A writer of samples as an SQLite file of plain tables, for other programs.
/// `Documentation/ExportSchema.md` describes the tables.
///
/// ```swift
/// let calendar = CalendarBuckets(timeZone: .gmt)
/// let database = try ExportDatabase(at: "\(folder)/plain.sqlite", .samples, calendar)
/// try store.forEachExportedBatch(ExportSelection(), routes: .inline) { try database.write($0) }
/// try database.close()
/// ```
/// Equal batches in equal order give equal tables, whichever store they come from.
package final class ExportDatabase {
    /// The content of the file.
    package enum Content: Sendable {
        /// All samples as recorded.
        case samples
        /// The merged intervals.
        case mergedIntervals
    }

    private let queue: DatabaseQueue
    private let name: String
    private let calendar: CalendarBuckets
    private let content: Content
    private var numbers = ExportRows.Numbers()

    /// Opens a file, which is created if it doesn't exist, and creates the tables in it.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The name of the file in errors; nil for its path.
    ///   - content: The content of the file.
    ///   - calendar: The time zone of dates and days.
    /// - Throws: ``StoreError`` if the file can't be written, or has such tables already.
    package init(
        at path: String, named name: String? = nil, _ content: Content, _ calendar: CalendarBuckets
    ) throws {
        self.name = name ?? path
        self.calendar = calendar
        self.content = content
        queue = try ExportDatabase.translating(name ?? path) {
            var configuration = Configuration()
            // Without a journal, a crash or a failed write leaves an unusable file.
            configuration.prepareDatabase { db in
                try db.execute(
                    sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
                        + "PRAGMA cache_size = -16384")
            }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.write { db in
                try db.execute(sql: ExportTables.about)
                try db.execute(
                    sql: content == .samples ? ExportTables.samples : ExportTables.mergedIntervals)
            }
            return queue
        }
        try note("format", ExportTables.version)
        try note("timeZone", calendar.calendar.timeZone.identifier)
    }

    /// Writes a fact about the file into the table `about`, replacing one with the same key.
    ///
    /// - Parameters:
    ///   - key: The name of the fact.
    ///   - value: The fact.
    /// - Throws: ``StoreError`` if the file can't be written.
    package func note(_ key: String, _ value: String) throws {
        try write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO about (key, value) VALUES (?, ?)",
                arguments: [key, value])
        }
    }

    /// Writes the samples of a batch with their details.
    ///
    /// - Parameter exported: A batch of a store's export.
    /// - Throws: ``StoreError`` if the file can't be written. Then the file is unusable.
    /// - Complexity: O(samples + their details).
    package func write(_ exported: ExportedBatch) throws {
        try write { db in
            let rows = try ExportRows(db, calendar, numbers)
            for index in exported.batch.samples.indices { try rows.write(index, exported) }
            numbers = rows.numbers
        }
    }

    private enum MergedIntervalColumn: Int32, StatementField {
        case type, startDate, endDate, startUnix, endUnix, value, unit, source, bundleIdentifier
        case day, valueName
    }

    /// Writes merged intervals of one type.
    ///
    /// - Parameters:
    ///   - intervals: The merged intervals.
    ///   - type: Their type.
    ///   - unit: The unit of their values; empty for none.
    /// - Throws: ``StoreError`` if the file can't be written. Then the file is unusable.
    /// - Complexity: O(intervals).
    package func write(
        _ intervals: [Explanation.Segment], of type: SampleType, unit: String
    ) throws {
        try write { db in
            let row = try StoreStatement<MergedIntervalColumn, NoFields>(
                db, "INSERT INTO stretch \(MergedIntervalColumn.inserted)")
            for interval in intervals {
                try row.bind(type.identifier, to: .type)
                try row.bind(calendar.text(interval.start), to: .startDate)
                try row.bind(calendar.text(interval.end), to: .endDate)
                try row.bind(interval.start + ExportRows.unixEpoch, to: .startUnix)
                try row.bind(interval.end + ExportRows.unixEpoch, to: .endUnix)
                try row.bind(orNull: interval.value, to: .value)
                try row.bind(unit, to: .unit)
                try row.bind(interval.source.name, to: .source)
                try row.bind(interval.source.bundleIdentifier, to: .bundleIdentifier)
                try row.bind(calendar.day(interval.start), to: .day)
                try row.bind(orNull: SampleLines.valueName(interval.value, type), to: .valueName)
                try row.run()
            }
        }
    }

    /// Writes notes on days.
    ///
    /// - Parameter notes: The notes, with days that the file doesn't have yet.
    /// - Throws: ``StoreError`` if the file can't be written. Then the file is unusable.
    /// - Complexity: O(notes).
    package func write(dayNotes notes: [DayNote]) throws {
        try write { db in
            for note in notes {
                try db.execute(
                    sql: "INSERT INTO day_note (day, text, modified_date, modified_unix) "
                        + "VALUES (?, ?, ?, ?)",
                    arguments: [
                        note.day.description, note.text, calendar.text(note.modified),
                        note.modified + ExportRows.unixEpoch,
                    ])
            }
        }
    }

    /// Creates the table `characteristic` and writes the person's characteristics into it.
    ///
    /// - Parameter values: The values by Apple's identifiers, as exports write them.
    /// - Throws: ``StoreError`` if the file can't be written, or the table exists already.
    package func write(characteristics values: [String: String]) throws {
        try write { db in
            try db.execute(sql: ExportTables.characteristics)
            for (identifier, value) in values.sorted(by: { $0.key < $1.key }) {
                try db.execute(
                    sql: "INSERT INTO characteristic (identifier, value) VALUES (?, ?)",
                    arguments: [identifier, value])
            }
        }
    }

    /// Builds the indexes and closes the file.
    ///
    /// - Throws: ``StoreError`` if the file can't be written.
    /// - Complexity: O(n log n) for n rows.
    package func close() throws {
        try write { db in
            switch content {
            case .samples: try db.execute(sql: ExportTables.sampleSuffix)
            case .mergedIntervals: try db.execute(sql: ExportTables.intervalSuffix)
            }
        }
        try ExportDatabase.translating(name) { try queue.close() }
    }

    private func write(_ body: (Database) throws -> Void) throws {
        try ExportDatabase.translating(name) { try queue.write(body) }
    }

    private static func translating<Value>(
        _ name: String, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            let fault: FileFault =
                switch error.resultCode {
                case .SQLITE_FULL: FileSizeLimit.fault ?? .diskFull
                case .SQLITE_IOERR: FileSizeLimit.fault ?? .diskFailing
                default: .library(error.message ?? "no detail")
                }
            throw StoreError(.fileFailed(.write, at: name, fault))
        }
    }
}
