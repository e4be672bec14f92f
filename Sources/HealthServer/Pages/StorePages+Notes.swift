import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

// The notes on days.
extension StorePages {
    /// A part of the list of notes.
    @Sendable func dayNotes(_ query: PageQuery) async throws -> NotesPage {
        let number = try NotesPage.part(query)
        let total = try store.dayNoteCount()
        guard number <= NotesPage.partCount(of: total) else {
            throw PageError.notFound("There are fewer notes than that. Start at “/notes”.")
        }
        let notes = try store.newestDayNotes(
            NotesPage.size, skipping: (number - 1) * NotesPage.size)
        return NotesPage(
            notes, of: total, part: number, timeZone: calendar.calendar.timeZone, now: .now)
    }

    /// Saves or removes the note of a day, and returns to the page with the form.
    @Sendable func saveNote(_ query: PageQuery) async throws -> String {
        // The day doesn't depend on a time zone, so one that the pages' zone skipped is accepted.
        guard let day = try query.day("day") else {
            throw PageError.badRequest("The form has no day.")
        }
        let address = try DayNoteForm.returnAddress(query["back"])
        let (text, now) = (query["text"], Date.now.timeIntervalSinceReferenceDate)
        try await save { try $0.setDayNote(text, on: day, now: now) }
        return address
    }

    /// Returns the frame of a page, with the notes on its days.
    func frame(of page: some HTMLPage, _ query: PageQuery) -> PageFrame {
        var frame = PageFrame(formKey: query.formKey, audience: audience)
        let noted = page.notedDays
        frame.notes.all = notes(on: noted.charts)
        frame.notes.form =
            noted.day.map { noteForm($0, frame, returnTo: noted.address) } ?? .empty
        return frame
    }

    /// Returns the notes on some days in order of day; none if they can't be read.
    func notes(on days: [ClosedRange<CivilDate>]) -> [DayNote] {
        let found = days.flatMap { (try? store.dayNotes($0)) ?? [] }
        let byDay = Dictionary(found.map { ($0.day, $0) }) { first, _ in first }
        return byDay.values.sorted { $0.day < $1.day }
    }

    /// Returns the form for the note of a day; an empty fragment if the note can't be read, so that
    /// an empty form doesn't replace it.
    func noteForm(
        _ day: CivilDate, _ frame: PageFrame, returnTo address: String
    ) -> HTML {
        guard let notes = try? store.dayNotes(day...day) else { return .empty }
        return DayNoteForm(
            day: day, text: notes.first?.text ?? "", formKey: frame.formKey, returnTo: address
        ).html
    }
}
