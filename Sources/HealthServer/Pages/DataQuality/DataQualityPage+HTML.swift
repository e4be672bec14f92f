import Foundation
import HealthCalendar
import HealthDashboard

extension DataQualityPage: HTMLPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let calendar = Calendar.ofPage(in: timeZone)
        var main = HTML.empty
        for kind in Kind.allCases {
            let found = findings.filter { $0.kind == kind }
            guard !found.isEmpty else { continue }
            main += """
                <section class="card"><h2>\(kind.title) <span \
                class="none">\(found.count)</span></h2>\(found.prefix(50).map(article))</section>

                """
        }
        if findings.isEmpty, examined == nil {
            let arrival = frame.audience == .person ? " " + PageFrame.arrival : ""
            main += "<p>No data yet.\(arrival)</p>\n"
        }
        main += PageFrame.section("Comparison with Apple’s totals", comparisonTable(frame))
        let range: HTML? = examined.map { interval in
            let days = calendar.days(of: interval)
            return """
                <li>\(PageDateText.short(days.lowerBound)) to \
                \(PageDateText.short(days.upperBound)), by day</li>
                """
        }
        let notes = notes.map { note -> HTML in "<li>\(note)</li>" }
        if range != nil || !notes.isEmpty {
            main += PageFrame.section(
                "Checked data", "<ul class=\"small\">\(range)\(notes)</ul>")
        }
        return frame.document(self, calendar: calendar, main)
    }

    private func article(_ finding: Finding) -> HTML {
        let command: HTML? = finding.command.map { "<p><code class=\"command\">\($0)</code></p>" }
        // Only an address on this server becomes a link: "//host/path" would be another server.
        let link: HTML? = finding.link.flatMap { link in
            link.hasPrefix("/") && !link.hasPrefix("//")
                ? "<p><a href=\"\(link)\">Show details</a></p>" : nil
        }
        return """
            <div class="finding"><p class="what">\(name: finding.sentence)</p>\
            <p>\(finding.advice)</p>\(command)\(link)</div>

            """
    }
}
