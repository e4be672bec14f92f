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

    /// Returns the notes of some days for their charts; none if they can't be read.
    func chartNotes(_ days: ClosedRange<CivilDate>) -> [DayNote] {
        (try? store.dayNotes(days)) ?? []
    }

    /// Returns the notes on the days of a series for its chart; none if they can't be read.
    func chartNotes(of series: HealthSeries) -> [DayNote] {
        guard let first = series.points.first, let last = series.points.last,
            first.start < last.end
        else { return [] }
        let range = DateInterval(start: first.start, end: last.end)
        return chartNotes(calendar.calendar.days(of: range))
    }

    /// Returns the form for the note of a day; an empty fragment if the note can't be read, so that
    /// an empty form doesn't replace it.
    ///
    /// - Parameters:
    ///   - day: The day.
    ///   - frame: The page's frame, which has the form key.
    ///   - address: The address of the page with the form.
    func noteForm(_ day: CivilDate, _ frame: PageFrame, returnTo address: String) -> HTML {
        guard let notes = try? store.dayNotes(day...day) else { return .empty }
        return DayNoteForm(
            day: day, text: notes.first?.text ?? "", formKey: frame.formKey, returnTo: address
        ).html
    }
}
