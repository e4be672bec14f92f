import Foundation
import HealthCalendar
package import HealthDashboard
import HealthEngine
import HealthStorage

extension ComparePage: HTMLPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let calendar = Calendar.ofPage(in: timeZone)
        let main: HTML = """
            \(tabs)<details class="screen"><summary>Compare something else</summary>\(form)</details>
            \(charts(calendar, frame.notes.all))
            <section class="card \(metric.domain.cssClass)"><h2>How sure is this?</h2>\
            <p>\(confidence)</p><p class="small">\(method)</p></section>
            """
        return frame.document(self, calendar: calendar, main)
    }

    /// The days of both charts.
    package var notedDays: NotedDays {
        let calendar = Calendar.ofPage(in: timeZone)
        return NotedDays(
            charts: [series, secondSeries].compactMap { $0?.days(calendar) })
    }

    private static let kinds: [(Kind, HTML)] = [
        (.periods, "Two periods"), (.types, "Two types"), (.workouts, "After workouts"),
    ]

    private var tabs: HTML {
        let links = Self.kinds.map { kind, words -> HTML in
            let current: HTML = kind == self.kind ? " aria-current=\"true\"" : .empty
            return """
                <li><a href="\(Self.path)?kind=\(kind.rawValue)&amp;metric=\(query: metric.shortName)"\
                \(current)>\(words)</a></li>
                """
        }
        return "<ul class=\"tabs\">\(links)</ul>\n"
    }

    private var form: HTML {
        let second: HTML
        switch kind {
        case .periods:
            second = """
                \(date("from2", "Second from", secondFirst))\(date("to2", "Second to", secondLast))
                """
        case .types: second = choice("other", "With", other)
        case .workouts: second = .empty
        }
        return """
            <form class="line" action="\(Self.path)" method="get">\
            <input type="hidden" name="kind" value="\(kind.rawValue)"/>\
            \(choice("metric", "Type", metric))\
            \(date("from", "From", first))\(date("to", "To", last))\(second)\
            <button type="submit">Compare</button></form>

            """
    }

    private func choice(_ name: HTML, _ label: HTML, _ chosen: Metric?) -> HTML {
        let options = metrics.map { each -> HTML in
            let selected: HTML = each == chosen ? " selected=\"selected\"" : .empty
            return "<option value=\"\(each.shortName)\"\(selected)>\(each.displayName)</option>"
        }
        return """
            <div><label for="\(name)">\(label)</label>\
            <select id="\(name)" name="\(name)">\(options)</select></div>
            """
    }

    private func date(_ name: HTML, _ label: HTML, _ day: CivilDate?) -> HTML {
        """
        <div><label for="\(name)">\(label)</label>\
        <input id="\(name)" name="\(name)" type="date" value="\(day?.description ?? "")"/></div>
        """
    }

    private func charts(_ calendar: Calendar, _ notes: [DayNote]) -> HTML {
        let isOfPeriods = kind == .periods
        let first = chart(
            series, besides: secondSeries, days(first, last, isOfPeriods ? "first period" : nil),
            calendar, notes)
        guard let secondSeries else { return first }
        let second =
            isOfPeriods
            ? days(secondFirst, secondLast, "second period") : days(self.first, last, nil)
        let chart = chart(secondSeries, besides: series, second, calendar, notes)
        return "\(first)\(chart)"
    }

    private func days(_ first: CivilDate?, _ last: CivilDate?, _ period: String?) -> String {
        guard let first, let last else { return "" }
        return "\(period.map { ", \($0)" } ?? ""), \(DateText.span(first, last))"
    }

    private func chart(
        _ series: HealthSeries, besides other: HealthSeries?, _ days: String, _ calendar: Calendar,
        _ notes: [DayNote]
    ) -> HTML {
        guard series.points.contains(where: { $0.value != nil }) else { return .empty }
        let figure = SVGSeries(
            series: series, calendar: calendar, link: SeriesLink(series.metric),
            sameScale: kind == .periods ? other : nil, notes: notes
        ).figure
        return """
            <section class="card \(series.metric.domain.cssClass)">\
            <h2>\(series.metric.title)\(days)</h2>\(figure)</section>

            """
    }
}
