import GRDB
import HealthCalendar
package import HealthEngine

// The notes that a person writes about days. They belong to no import, source or sample, so only
// ``setDayNote(_:on:now:)`` changes them.
extension SampleStore {
    /// Returns the notes of some days.
    ///
    /// - Parameter days: The first and the last day.
    /// - Returns: The notes in order of day, at most one a day.
    /// - Throws: ``StoreError``, of code `corrupt` for a damaged note, if the file can't be read.
    /// - Complexity: O(log n + m) for m of n notes.
    package func dayNotes(_ days: ClosedRange<CivilDate>) throws -> [DayNote] {
        var notes: [DayNote] = []
        try forEachDayNote(days) { notes.append($0) }
        return notes
    }

    /// Returns a part of the list of all notes, whose first one is that of the newest day.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of notes.
    ///   - offset: The number of newer notes to skip.
    /// - Returns: The notes, the newest day first.
    /// - Throws: ``StoreError``, of code `corrupt` for a damaged note, if the file can't be read.
    /// - Complexity: O(`offset` + `limit`).
    package func newestDayNotes(_ limit: Int, skipping offset: Int = 0) throws -> [DayNote] {
        try read { db in
            try CheckedRow.readAll(
                db,
                sql: "SELECT day, text, modified FROM day_note ORDER BY day DESC LIMIT ? OFFSET ?",
                arguments: [max(0, limit), max(0, offset)]
            ).map { try SampleStore.dayNote($0) }
        }
    }

    /// Returns the number of notes.
    ///
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(notes).
    package func dayNoteCount() throws -> Int { try read { try SampleStore.dayNoteCount($0) } }

    /// Calls `body` with the notes that belong to an export, in order of day: all notes of the
    /// selection's days. A selection of types has none.
    ///
    /// - Parameters:
    ///   - selection: What is exported. Its calendar tells the days of its times.
    ///   - size: The maximum number of notes in a batch, which bounds the memory used.
    ///   - body: Receives each batch, which is never empty.
    /// - Throws: ``StoreError``, of code `corrupt` for a damaged note, if the file can't be read,
    ///   and the errors of `body`.
    /// - Complexity: O(notes).
    package func forEachExportedDayNotes(
        _ selection: ExportSelection, of size: Int = 500, _ body: ([DayNote]) throws -> Void
    ) throws {
        guard selection.types.isEmpty, selection.from < selection.to else { return }
        let supported = CivilDate.supportedRange
        let first =
            selection.from == -.infinity
            ? supported.lowerBound : selection.calendar.civilDate(selection.from)
        let last =
            selection.to == .infinity
            ? supported.upperBound : selection.calendar.civilDate(selection.to.nextDown)
        guard first <= last else { return }
        var notes: [DayNote] = []
        try forEachDayNote(first...last) { note in
            notes.append(note)
            guard notes.count >= size else { return }
            try body(notes)
            notes = []
        }
        if !notes.isEmpty { try body(notes) }
    }

    /// Sets, replaces or removes the note of a day.
    ///
    /// White space at both ends is not stored, nor are control characters except tabs and line
    /// ends, which become line feeds.
    ///
    /// - Parameters:
    ///   - text: The text; nil or one of white space alone removes the note.
    ///   - day: The day, in ``CivilDate/supportedRange``. It doesn't depend on a time zone.
    ///   - now: The current time, in seconds since 2001-01-01T00:00:00Z. Times beyond 10^12 are
    ///     clamped.
    /// - Throws: ``StoreError`` of code `invalidArgument` for a date that doesn't exist, for a text
    ///   of more than ``DayNote/maximumLength`` characters, or if there are
    ///   ``DayNote/maximumCount`` notes; another if the file can't be written. Then nothing
    ///   changes.
    /// - Complexity: O(notes).
    package func setDayNote(_ text: String?, on day: CivilDate, now: Double) throws {
        guard CivilDate.supportedRange.contains(day), day.isInCalendar else {
            throw StoreError(.invalidNote(.noSuchDay))
        }
        let text = DayNote.normalized(text ?? "")
        guard text.unicodeScalars.count <= DayNote.maximumLength else {
            throw StoreError(.invalidNote(.tooLong))
        }
        let latest = ColumnRule.latestTime
        let modified = now.isNaN ? 0 : min(max(now, -latest), latest)
        try write { db in
            guard !text.isEmpty else {
                return try db.execute(
                    sql: "DELETE FROM day_note WHERE day = ?", arguments: [day.description])
            }
            let isNew =
                try Int.readOne(
                    db, sql: "SELECT 1 FROM day_note WHERE day = ?", arguments: [day.description])
                == nil
            if isNew, try SampleStore.dayNoteCount(db) >= DayNote.maximumCount {
                throw StoreError(.invalidNote(.tooMany))
            }
            try db.execute(
                sql: "INSERT INTO day_note (day, text, modified) VALUES (?, ?, ?) "
                    + "ON CONFLICT (day) DO UPDATE SET text = excluded.text, "
                    + "modified = excluded.modified",
                arguments: [day.description, text, modified])
        }
    }

    static func dayNoteCount(_ db: Database) throws -> Int {
        try Int.readOne(db, sql: "SELECT count(*) FROM day_note") ?? 0
    }

    private func forEachDayNote(
        _ days: ClosedRange<CivilDate>, _ body: (DayNote) throws -> Void
    ) throws {
        // Days are stored as text, whose order is that of time only for years of four digits.
        let supported = CivilDate.supportedRange
        guard days.overlaps(supported) else { return }
        let range = days.clamped(to: supported)
        try read { db in
            try CheckedRow.forEach(
                db,
                sql: "SELECT day, text, modified FROM day_note WHERE day BETWEEN ? AND ? "
                    + "ORDER BY day",
                arguments: [range.lowerBound.description, range.upperBound.description]
            ) { row in try body(try SampleStore.dayNote(row)) }
        }
    }

    /// Returns the note in a row.
    ///
    /// - Throws: ``StoreError`` of code `corrupt` for a value that ``setDayNote(_:on:now:)`` never
    ///   writes.
    private static func dayNote(_ row: CheckedRow) throws -> DayNote {
        let text: String = try row["text"]
        guard let day = CivilDate(try row["day"] as String),
            CivilDate.supportedRange.contains(day)
        else { throw StoreError.damaged("day_note.day") }
        guard !text.isEmpty, text.unicodeScalars.count <= DayNote.maximumLength else {
            throw StoreError.damaged("day_note.text")
        }
        return DayNote(day: day, text: text, modified: try row["modified"])
    }
}
