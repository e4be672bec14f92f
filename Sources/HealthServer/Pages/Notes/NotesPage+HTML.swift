import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

extension NotesPage: HTMLPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let main: HTML =
            notes.isEmpty
            ? """
            <p>A note belongs to a day. Write it on the <a href="\(SummaryPage.path)">summary</a> \
            of the day, or on the page of a type.</p>

            """
            : """
            <section class="card"><ul class="rows">\(notes.map(row))</ul></section>
            \(moves)
            """
        return frame.document(self, calendar: Calendar.ofPage(in: timeZone), main)
    }

    /// The maximum number of characters of a note in the list. Its day has the whole text.
    private static let maximumLength = 280

    private func row(_ row: Row) -> HTML {
        let scalars = row.text.unicodeScalars
        let text =
            scalars.count <= Self.maximumLength
            ? row.text : String(scalars.prefix(Self.maximumLength)) + "…"
        return """
            <li><a href="\(SummaryPage.path)?day=\(row.day.description)">\
            <span class="note-text">\(name: text)</span> \
            <span class="small">\(PageDateText.short(row.day))</span></a></li>

            """
    }

    private var moves: HTML {
        if count == 1 { return .empty }
        func move(_ target: Int, _ relation: HTML, _ words: HTML) -> HTML? {
            guard (1...count).contains(target) else { return nil }
            return """
                <li><a href="\(Self.path)?page=\(target)" rel="\(relation)">\(words)</a></li>
                """
        }
        return """
            <ul class="tabs">\(move(number - 1, "prev", "← newer notes"))\
            <li><span class="off">page \(number) of \(count)</span></li>\
            \(move(number + 1, "next", "older notes →"))</ul>

            """
    }
}
