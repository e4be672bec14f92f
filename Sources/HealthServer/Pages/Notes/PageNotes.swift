import HealthEngine
import HealthStorage

/// The notes that a page shows in its charts, and the form for the note of its day.
struct PageNotes: Hashable, Sendable {
    /// The notes in order of day.
    var all: [DayNote] = []
    /// The form; empty on a page that isn't of one day.
    var form = HTML.empty
}

/// The days of a page whose notes it shows.
package struct NotedDays: Hashable, Sendable {
    /// The days of the charts. They may overlap.
    var charts: [ClosedRange<CivilDate>] = []
    /// The day whose note can be written on the page; nil for none.
    var day: CivilDate?
    /// The address of the page, to which the form returns.
    var address = ""
}
