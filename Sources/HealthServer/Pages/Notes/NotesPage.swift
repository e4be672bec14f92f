package import Foundation
package import HealthDashboard
package import HealthEngine
import HealthStorage

/// The list of the notes on days, the newest day first: `/notes`.
package struct NotesPage: Page, Hashable {
    package static let path = "/notes"
    package static let title = "Notes"
    /// The maximum number of notes of a part of the list.
    static let size = 50

    /// A note.
    package struct Row: Hashable, Sendable, Codable {
        /// The day, a date without a time zone.
        package var day: CivilDate
        /// The text.
        package var text: String
        /// When the text was written.
        package var modified: Date
    }

    package var freshness: Freshness
    /// The IANA time zone that determines when days begin.
    package var timeZone: String
    package var sentence: String
    /// The notes of this part of the list.
    package var notes: [Row]
    /// The number of all notes.
    package var total: Int
    /// The number of this part of the list, from 1.
    package var number: Int
    /// The number of parts, at least 1.
    package var count: Int

    /// - Parameters:
    ///   - notes: The notes of this part of the list.
    ///   - total: The number of all notes.
    ///   - number: The number of the part, from 1.
    ///   - timeZone: The time zone of the page.
    ///   - now: The current time.
    init(_ notes: [DayNote], of total: Int, part number: Int, timeZone: TimeZone, now: Date) {
        self.notes = notes.map { note in
            Row(
                day: note.day, text: note.text,
                modified: Date(timeIntervalSinceReferenceDate: note.modified))
        }
        self.total = total
        self.number = number
        count = Self.partCount(of: total)
        freshness = Freshness(asOf: now, isCurrent: true)
        self.timeZone = timeZone.identifier
        sentence = total == 0 ? "No notes yet" : counted(total, "note", "notes")
    }

    /// Returns the number of parts of a list, at least 1.
    static func partCount(of total: Int) -> Int { max(1, (max(0, total) + size - 1) / size) }

    /// Returns the number of a part in the query's field `page`; 1 without the field.
    ///
    /// - Throws: ``PageError`` for another text than a number from 1.
    static func part(_ query: PageQuery) throws -> Int {
        guard let text = query["page"] else { return 1 }
        guard let number = Int(text), number >= 1 else {
            throw PageError.badRequest("“\(text.prefix(40))” is not the number of a page of notes.")
        }
        return number
    }
}
