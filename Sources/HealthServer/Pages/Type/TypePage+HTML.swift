import Foundation
import HealthCalendar
package import HealthDashboard
import HealthEngine
import HealthStorage

extension TypePage: HTMLPage {
    /// The path of the year of a type, such as "/year/stepCount".
    static let yearPath = "/year"

    /// The type's name.
    package var heading: String { metric.title }

    /// The sentence without the name of the type, which the title has.
    package var headline: Headline {
        let title = "\(metric.title) "
        return .value(
            sentence.hasPrefix(title) ? String(sentence.dropFirst(title.count)) : sentence)
    }

    /// The days of the charts, and the day of a page of one.
    package var notedDays: NotedDays {
        let calendar = Calendar.ofPage(in: timeZone)
        let day = calendar.civilDate(of: range.start)
        let address = "\(Self.path)/\(FormText.encoded(metric.shortName))"
        return NotedDays(
            charts: [series.days(calendar)].compactMap(\.self), day: period == .day ? day : nil,
            address: "\(address)?period=day&day=\(day)")
    }

    /// The address of the page of the metric.
    private var address: HTML { "\(Self.path)/\(query: metric.shortName)" }

    /// The address of a range by day.
    private var zoomAddress: String {
        "\(Self.path)/\(FormText.encoded(metric.shortName))?by=day"
    }

    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String { html(frame, details: .empty) }

    /// Returns the page as HTML, with what the type has besides its chart.
    func html(_ frame: PageFrame, details: HTML) -> String {
        let calendar = Calendar.ofPage(in: timeZone)
        let span = calendar.days(of: range)
        var main = HTML.empty
        if let period {
            main +=
                DateNavigation(
                    address: "\(address)?", period: period, day: span.lowerBound,
                    newest: freshness.newest, calendar: calendar
                ).html
        }
        main += everyDay(calendar, frame.notes.all)
        let chart = chart(calendar, span, frame.notes.all)
        // The chart of a pair of values only counts its samples.
        main += isCorrelation ? "\(details)\(chart)" : "\(chart)\(details)"
        main += frame.notes.form
        main += rangeForm(span)
        return frame.document(self, calendar: calendar, main)
    }

    /// The squares of a year.
    private func everyDay(_ calendar: Calendar, _ notes: [DayNote]) -> HTML {
        guard let days, days.points.contains(where: { $0.value != nil }) else { return .empty }
        return PageFrame.section(
            "Every day", SVGYear(series: days, calendar: calendar, notes: notes).figure)
    }

    private func chart(
        _ calendar: Calendar, _ span: ClosedRange<CivilDate>, _ notes: [DayNote]
    ) -> HTML {
        let figure = SVGSeries(
            series: series, calendar: calendar, typicalRange: typicalRange,
            typicalDays: period == nil ? .shown : .upTo(span.lowerBound.advanced(by: -1)),
            height: .large,
            link: SeriesLink(metric), address: zoomAddress, notes: notes
        ).figure
        let title: HTML = "By \(step.rawValue), \(PageDateText.short(span.lowerBound))"
        let end: HTML =
            span.lowerBound == span.upperBound
            ? .empty : " to \(PageDateText.short(span.upperBound))"
        return """
            <section class="card \(metric.domain.cssClass)"><h2>\(title)\(end)</h2>\(facts(span))
            \(isEmpty ? Self.nothing : figure)</section>

            """
    }

    private var isCorrelation: Bool {
        Catalogue.type(identifier: metric.identifier)?.kind == .correlation
    }

    private var isEmpty: Bool { !series.points.contains { $0.value != nil } }

    private static let nothing: HTML = """
        <p>No data. Either nothing was recorded, or reading is not allowed; the system doesn’t \
        report which.</p>
        """

    /// Whether the value is usual, the value before, and how it was counted.
    private func facts(_ span: ClosedRange<CivilDate>) -> HTML {
        guard let whole, let period else { return .empty }
        var parts: [HTML] = []
        let unit = ChartUnit(metric, largest: whole.value ?? 0)
        let extent = metric.extent(period, range, freshness, .ofPage(in: timeZone))
        if metric.kind == .amount, period != .day, let value = whole.value {
            // The headline has the average a day.
            parts.append("\(unit.amount(value)) in all")
        }
        if let value = whole.value, let range = whole.typicalRange {
            parts.append(unit.place(of: value, in: range, extent))
        }
        if let before = whole.before {
            let whole = extent == .whole(period) ? "" : "whole "
            parts.append("\(unit.readableAmount(before)) in the \(whole)\(period.rawValue) before")
        }
        if let label = AppleTotalText.label(whole.appleTotal, in: period.step) {
            parts.append("\(label)")
        }
        if metric.kind == .amount, period == .day {
            parts.append(
                """
                <a href="/why?metric=\(query: metric.shortName)&amp;day=\(span.lowerBound.description)">\
                How this was counted</a>
                """)
        }
        if metric == .weight {
            parts.append("<a href=\"\(WeightPage.path)\">Each weighing and its notes</a>")
        }
        parts.append("<a href=\"/compare?metric=\(query: metric.shortName)\">Compare</a>")
        return parts.isEmpty ? .empty : "<p class=\"compare\">\(parts.joined(" · "))</p>"
    }

    /// The form for a range of any length.
    private func rangeForm(_ span: ClosedRange<CivilDate>) -> HTML {
        let steps = CalendarStep.allCases.map { each -> HTML in
            each == step
                ? "<option selected=\"selected\">\(each.rawValue)</option>"
                : "<option>\(each.rawValue)</option>"
        }
        return """
            <details><summary>Another range</summary>
            <form class="line" action="\(address)" method="get">\
            <div><label for="from">From</label>\
            <input id="from" name="from" type="date" value="\(span.lowerBound.description)"/></div>\
            <div><label for="to">To</label>\
            <input id="to" name="to" type="date" value="\(span.upperBound.description)"/></div>\
            <div><label for="by">By</label><select id="by" name="by">\(steps)</select></div>\
            <button type="submit">Show</button></form></details>

            """
    }
}
