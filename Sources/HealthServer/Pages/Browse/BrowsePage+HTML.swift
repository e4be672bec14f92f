import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

extension BrowsePage: HTMLPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let calendar = Calendar.ofPage(in: timeZone)
        let sections = groups.map { group -> HTML in
            """
            <section class="card \(group.domain.cssClass)"><h2>\(group.domain.title)</h2>\
            <ul class="rows">\(group.types.map(row))</ul></section>

            """
        }
        let main: HTML =
            groups.isEmpty
            ? "<p>No data yet.</p>"
            : """
            <p class="small">Each type with its latest day: the sum of an amount, the average of a \
            reading.</p>
            <div class="cards">\(sections)</div>

            """
        return frame.document(self, calendar: calendar, main)
    }

    private func row(_ row: TypeRow) -> HTML {
        """
        <li><a href="\(row.link)"><span>\(row.title)</span> \
        \(row.latest.map { "<b>\($0)</b> " as HTML })<span class="small when">\
        \(PageDateText.short(row.last))</span></a></li>
        """
    }
}
