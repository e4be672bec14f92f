import Foundation
import HealthCalendar
package import HealthDashboard
import HealthEngine

extension TrendsPage: HTMLPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let calendar = Calendar.of(timeZone: timeZone)
        let days = calendar.days(of: range)
        let (first, last) = (days.lowerBound, days.upperBound)
        let chart = SVGSeries(
            series: series, calendar: calendar, typicalRange: typicalRange, height: .large,
            address: "\(Self.path)?metric=\(metric.shortName)"
        ).figure
        let main: HTML = """
            \(form(first, last))\(ranges(first, last))
            <section class="card"><h2>\(metric.displayName.capitalizedFirst) by \(step.rawValue), \
            \(PageDateText.short(first)) to \(PageDateText.short(last))</h2>
            \(isEmpty ? Self.nothing : chart)</section>

            """
        return frame.document(self, calendar: calendar, main)
    }

    private var isEmpty: Bool { !series.points.contains { $0.value != nil } }

    private static let nothing: HTML = """
        <p>No data. Either nothing was recorded, or reading is not allowed; the system doesn’t \
        report which.</p>
        """

    private func form(_ first: CivilDate, _ last: CivilDate) -> HTML {
        let choices = metrics.map { each -> HTML in
            each == metric
                ? """
                <option value="\(each.shortName)" selected="selected">\(each.displayName)</option>
                """
                : "<option value=\"\(each.shortName)\">\(each.displayName)</option>"
        }
        let steps = CalendarStep.allCases.map { each -> HTML in
            each == step
                ? "<option selected=\"selected\">\(each.rawValue)</option>"
                : "<option>\(each.rawValue)</option>"
        }
        return """
            <form class="line" action="\(Self.path)" method="get">\
            <div><label for="metric">Type</label><select id="metric" name="metric">\(choices)</select></div>\
            <div><label for="from">From</label>\
            <input id="from" name="from" type="date" value="\(first.description)"/></div>\
            <div><label for="to">To</label>\
            <input id="to" name="to" type="date" value="\(last.description)"/></div>\
            <div><label for="by">By</label><select id="by" name="by">\(steps)</select></div>\
            <button type="submit">Show</button></form>

            """
    }

    /// Links to the ranges of the same length before and after, and to common lengths that end with
    /// the last day shown.
    private func ranges(_ first: CivilDate, _ last: CivilDate) -> HTML {
        let length = last.dayNumber - first.dayNumber + 1
        func link(_ from: Int, _ to: Int, _ step: CalendarStep, _ words: String) -> HTML {
            let (from, to) = (CivilDate(dayNumber: from), CivilDate(dayNumber: to))
            guard CivilDate.supportedRange.contains(from), CivilDate.supportedRange.contains(to)
            else {
                return "<li><span class=\"off\">\(words)</span></li>"
            }
            let isShown = from == first && to == last && step == self.step
            let current: HTML = isShown ? " aria-current=\"true\"" : ""
            return """
                <li><a href="\(Self.path)?metric=\(query: metric.shortName)&amp;\
                from=\(from.description)&amp;\
                to=\(to.description)&amp;by=\(step.rawValue)"\(current)>\
                \(words)</a></li>
                """
        }
        let end = last.dayNumber
        let later = link(end + 1, end + length, step, "later →")
        let isLast = freshness.newest.map { last >= $0 } ?? false
        let lengths: [(Int, CalendarStep, String)] = [
            (7, .day, "7 days"), (30, .day, "30 days"), (91, .week, "3 months"),
            (365, .week, "1 year"), (1826, .month, "5 years"), (3652, .month, "10 years"),
        ]
        return """
            <ul class="tabs">\
            \(link(first.dayNumber - length, first.dayNumber - 1, step, "← earlier"))\
            \(lengths.map { link(end - $0.0 + 1, end, $0.1, $0.2) })\
            \(isLast ? "<li><span class=\"off\">later →</span></li>" : later)</ul>

            """
    }
}
