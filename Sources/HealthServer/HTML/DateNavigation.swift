import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

/// Links from a page of a day or longer period to others: the previous and the next one, a calendar, and
/// periods of other lengths.
///
/// The script follows the links with `data-key` when a person presses that key.
struct DateNavigation {
    /// The address without `period` and `day`, ending with "?" or "&amp;": "/type/stepCount?".
    let address: HTML
    /// The length of the period; nil for a page without a choice of length, such as that of a night.
    let period: SummaryPage.Period?
    /// The day, or the first day of the period.
    let day: CivilDate
    /// The last day with data; nil if it is not known.
    let newest: CivilDate?
    let calendar: Calendar

    var html: HTML {
        let step = period?.step ?? .day
        return """
            <nav class="dates" aria-label="Dates">\
            \(link(day.advanced(by: -1, step), "←", .previous))\(calendarMenu)\
            \(link(day.advanced(by: 1, step), "→", .next))\(periods)\(latest)</nav>

            """
    }

    private enum Direction { case previous, next }

    /// The name of the period for links: "day" in "previous day".
    private var name: String { period?.rawValue ?? "day" }

    private func address(of day: CivilDate, _ period: SummaryPage.Period? = nil) -> HTML {
        guard let period = period ?? self.period else {
            return "\(address)day=\(day.description)"
        }
        return "\(address)period=\(period.rawValue)&amp;day=\(day.description)"
    }

    private func link(_ day: CivilDate, _ arrow: HTML, _ direction: Direction) -> HTML {
        let (label, relation, key): (HTML, HTML, HTML) =
            direction == .previous
            ? ("Previous \(name)", "prev", "ArrowLeft") : ("Next \(name)", "next", "ArrowRight")
        let isLater = direction == .next && newest.map { day > $0 } ?? false
        guard CivilDate.supportedRange.contains(day), !isLater else {
            return
                "<ul class=\"tabs\"><li><span class=\"off\" aria-hidden=\"true\">\(arrow)</span></li></ul>"
        }
        return """
            <ul class="tabs"><li><a href="\(address(of: day))" rel="\(relation)" data-key="\(key)" \
            aria-label="\(label)">\(arrow)</a></li></ul>
            """
    }

    private var periods: HTML {
        guard period != nil else { return .empty }
        // The first week, month or year may begin before the first day that can be requested.
        let day = max(day, CivilDate.supportedRange.lowerBound)
        let links = SummaryPage.Period.allCases.map { each -> HTML in
            let current: HTML = each == period ? " aria-current=\"true\"" : .empty
            return """
                <li><a href="\(address(of: day, each))"\(current)>\
                \(each.rawValue.capitalizedFirst)</a></li>
                """
        }
        return "<ul class=\"tabs\">\(links)</ul>"
    }

    private var latest: HTML {
        let target: HTML = period.map { "\(address)period=\($0.rawValue)" } ?? "\(address)"
        return """
            <ul class="tabs"><li><a href="\(target)" data-key="t">Latest</a></li></ul>
            """
    }
}

extension DateNavigation {
    /// The period as the text of the menu: "Wed 30 Sep 2026", "28 Sep – 4 Oct 2026", "Sep 2026".
    private var label: String {
        let step = period?.step ?? .day
        return PageDateText.period(
            calendar.midnight(day), calendar.midnight(day.advanced(by: 1, step)), step, calendar)
    }

    /// The month of the day, whose days are links. It opens without the script.
    private var calendarMenu: HTML {
        """
        <details class="calendar"><summary aria-label="Choose a date: \(label)">\(label) ▾</summary><div>\
        <ul>\(month(-1, "← "))<li><b>\(DateText.month(day.description))</b></li>\(month(1, " →"))</ul>\
        <table aria-label="\(DateText.month(day.description))"><thead><tr>\(weekdays)</tr></thead>\
        <tbody>\(weeks)</tbody></table>\(months)</div></details>
        """
    }

    /// A link to the same page a month earlier or later.
    private func month(_ count: Int, _ arrow: HTML) -> HTML {
        let first = CivilDate(day.year, day.month, 1).advanced(by: count, .month)
        guard CivilDate.supportedRange.contains(first), newest.map({ first <= $0 }) ?? true else {
            return "<li></li>"
        }
        let name = PageDateText.month(first)
        let words: HTML = count < 0 ? "\(arrow)\(name)" : "\(name)\(arrow)"
        return "<li><a href=\"\(address(of: first))\">\(words)</a></li>"
    }

    /// Links to the months of the year: of a page with a choice of length to the whole month, else to its
    /// first day.
    private var months: HTML {
        let links = (1...12).map { number -> HTML in
            let first = CivilDate(day.year, number, 1)
            let name = PageDateText.month(first)
            guard CivilDate.supportedRange.contains(first), newest.map({ first <= $0 }) ?? true
            else { return "<li><span class=\"off\">\(name)</span></li>" }
            let target = address(of: first, period == nil ? nil : .month)
            return "<li><a href=\"\(target)\">\(name)</a></li>"
        }
        let name: HTML = period == nil ? "First of a month" : "A whole month"
        return """
            <ul><li>\(year(-1, "← "))</li><li><b>\(name) of \(String(day.year))</b></li>\
            <li>\(year(1, " →"))</li></ul><ul class="months">\(links)</ul>
            """
    }

    /// A link to the same page a year earlier or later; empty where there is no data.
    private func year(_ count: Int, _ arrow: HTML) -> HTML {
        let target = day.advanced(by: count, .year)
        guard CivilDate.supportedRange.contains(target), newest.map({ target <= $0 }) ?? true
        else { return .empty }
        let name = String(target.year)
        let words: HTML = count < 0 ? "\(arrow)\(name)" : "\(name)\(arrow)"
        return "<a href=\"\(address(of: target))\">\(words)</a>"
    }

    /// The days of the week in the calendar's order, from 0 for Monday.
    private var order: [Int] {
        let first = (calendar.firstWeekday + 5) % 7
        return (0..<7).map { (first + $0) % 7 }
    }

    private var weekdays: HTML {
        order.map { number -> HTML in
            let name = DateText.weekday(number)
            return "<th scope=\"col\"><abbr title=\"\(name)\">\(String(name.prefix(2)))</abbr></th>"
        }.joined(.empty)
    }

    private var weeks: HTML {
        let first = CivilDate(day.year, day.month, 1)
        let next = first.advanced(by: 1, .month)
        let lead = order.firstIndex(of: first.weekday) ?? 0
        var cells = [HTML](repeating: "<td></td>", count: lead)
        for number in first.dayNumber..<next.dayNumber {
            cells.append(cell(CivilDate(dayNumber: number)))
        }
        while cells.count % 7 != 0 { cells.append("<td></td>") }
        return stride(from: 0, to: cells.count, by: 7).map { start -> HTML in
            "<tr>\(Array(cells[start..<start + 7]))</tr>"
        }.joined(.empty)
    }

    private func cell(_ day: CivilDate) -> HTML {
        guard CivilDate.supportedRange.contains(day), newest.map({ day <= $0 }) ?? true else {
            return "<td><span class=\"off\">\(day.day)</span></td>"
        }
        let isShown = self.day <= day && day < self.day.advanced(by: 1, period?.step ?? .day)
        let current: HTML = isShown ? " aria-current=\"date\"" : .empty
        return "<td><a href=\"\(address(of: day))\"\(current)>\(day.day)</a></td>"
    }
}
