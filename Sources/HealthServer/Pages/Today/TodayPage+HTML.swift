import Foundation
import HealthCalendar
package import HealthDashboard
import HealthEngine

extension TodayPage: HTMLPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let calendar = Calendar.of(timeZone: timeZone)
        var main = noticeList
        main += navigation
        if tiles.isEmpty, steps == nil, rings == nil, night == nil, workouts.isEmpty {
            main += """
                <p>No data. Either nothing was recorded, or reading is not allowed; the system \
                doesn’t report which.</p>
                """
            return frame.document(self, calendar: calendar, main)
        }
        main += stepsCard
        let others = tiles.filter { steps == nil || $0.metric != .steps }
        main += "<div class=\"cards\">\(others.map { card($0, calendar) })</div>\n"
        var cards = HTML.empty
        if let night { cards += self.card(night, calendar) }
        if let rings { cards += PageFrame.section("Activity rings", SVGRings(rings: rings).figure) }
        main += cards.isEmpty ? .empty : "<div class=\"cards\">\(cards)</div>\n"
        main += PageFrame.section("Workouts", workoutList(calendar))
        return frame.document(self, calendar: calendar, main)
    }

    /// "Today" if the page shows the day on which it was read, otherwise "Overview".
    package var heading: String {
        let today = Calendar.of(timeZone: timeZone).civilDate(of: freshness.asOf)
        return period == .day && day == today ? Self.title : "Overview"
    }

    private var noticeList: HTML {
        let notices = (notices ?? []).map { notice -> HTML in
            "<p>\(name: notice) <a href=\"/check-up\">Data quality</a></p>"
        }
        if notices.isEmpty { return .empty }
        return "<div class=\"notice\" role=\"status\">\(notices)</div>\n"
    }

    /// Links to the periods before and after, and to the other periods.
    private var navigation: HTML {
        let (before, after) = neighbours
        // The first week or month may begin before the first day that can be requested.
        let day = max(day, CivilDate.supportedRange.lowerBound)
        let periods = Period.allCases.map { each -> HTML in
            let target: HTML = "/?period=\(each.rawValue)&amp;day=\(day.description)"
            return each == period
                ? "<li><a href=\"\(target)\" aria-current=\"true\">\(each.rawValue.capitalizedFirst)</a></li>"
                : "<li><a href=\"\(target)\">\(each.rawValue.capitalizedFirst)</a></li>"
        }
        return """
            <ul class="tabs">\(earlier(before))\(periods)\(later(after))</ul>

            """
    }

    private func earlier(_ before: CivilDate) -> HTML {
        guard CivilDate.supportedRange.contains(before) else {
            return "<li><span class=\"off\">← \(period.rawValue) before</span></li>"
        }
        return """
            <li><a href="/?period=\(period.rawValue)&amp;day=\(before.description)" rel="prev">\
            ← \(period.rawValue) before</a></li>
            """
    }

    private func later(_ after: CivilDate) -> HTML {
        let isAskable = CivilDate.supportedRange.contains(after)
        if !isAskable || freshness.newest.map({ after > $0 }) ?? false {
            return "<li><span class=\"off\">\(period.rawValue) after →</span></li>"
        }
        return """
            <li><a href="/?period=\(period.rawValue)&amp;day=\(after.description)" rel="next">\
            \(period.rawValue) after →</a></li>
            """
    }

    private var neighbours: (CivilDate, CivilDate) {
        (day.advanced(by: -1, period.step), day.advanced(by: 1, period.step))
    }

    private var stepsCard: HTML {
        guard let steps else { return .empty }
        let calendar = Calendar.of(timeZone: timeZone)
        let unit = ChartUnit(steps.metric, largest: steps.value ?? 0)
        let tile = tiles.first { $0.metric == .steps }
        let series: HTML? = tile.map {
            SVGSeries(
                series: $0.series, calendar: calendar, typicalRange: $0.typicalRange, goal: stepGoal
            ).figure
        }
        let number: HTML =
            steps.value.map {
                "<p class=\"hero\">\(unit.text($0)) <small>\(unit.symbol)</small></p>"
            } ?? "<p class=\"hero\"><small>no data</small></p>"
        let comparison: HTML? = tile.map { self.comparison($0) }
        return """
            <section class="card"><h2>Steps on \(PageDateText.short(day))</h2>\(number)\
            \(label(steps.appleTotal, steps.metric))\(comparison)\(SVGShares(total: steps).figure)
            <p><a href="/why?metric=stepCount&amp;day=\(day.description)">\
            Why this number: sources and duplicates</a></p>\(series)</section>

            """
    }

    private func card(_ tile: Tile, _ calendar: Calendar) -> HTML {
        // The text is a number and a unit, such as "58 bpm", which are drawn large and small.
        let parts = tile.text.split(separator: " ", maxSplits: 1).map(String.init)
        let isKnown = tile.value != nil && parts.count == 2
        let number: HTML =
            isKnown
            ? "<p class=\"number\">\(parts[0]) <small>\(parts[1])\(kind(tile))</small></p>"
            : "<p class=\"number\"><small>\(tile.text)</small></p>"
        let figure = SVGSeries(
            series: tile.series, calendar: calendar, typicalRange: tile.typicalRange,
            goal: tile.metric == .steps && period == .day ? stepGoal : nil, height: .small
        ).figure
        return """
            <section class="card"><h2><a href="/trends?metric=\(query: tile.metric.shortName)">\
            \(tile.metric.displayName.capitalizedFirst)</a></h2>\(number)\
            \(label(tile.appleTotal, tile.metric))\(comparison(tile))\
            \(figure)</section>

            """
    }

    /// The line that says that a number is Apple's total, with the sum of the samples.
    private func label(_ total: AppleTotal?, _ metric: Metric) -> HTML {
        guard let total, let label = AppleTotalText.label(total, in: period.step) else {
            return .empty
        }
        if period != .day { return "<p class=\"compare\">\(label)</p>" }
        let unit = ChartUnit(metric, largest: total.value)
        return "<p class=\"compare\">\(label); \(unit.text(total.own)) recorded</p>"
    }

    private func kind(_ tile: Tile) -> String { tile.metric.kind == .reading ? ", average" : "" }

    /// The comparison with the period before and with the typical range.
    private func comparison(_ tile: Tile) -> HTML {
        let unit = ChartUnit(tile.metric, largest: tile.value ?? 0)
        var parts: [HTML] = []
        if let value = tile.value, let before = tile.before {
            let text = unit.text(abs(value - before))
            let isSame = text.allSatisfy { !$0.isNumber || $0 == "0" }
            parts.append(
                isSame
                    ? "same as the \(period.rawValue) before"
                    : "<b>\(text) \(value > before ? "more" : "less")</b> than the \(period.rawValue) before"
            )
        }
        if let usual = tile.typicalRange {
            let place =
                tile.value.map { $0 < usual.low ? "below" : $0 > usual.high ? "above" : "within" }
            let words: HTML = place.map { "\($0) the typical range" } ?? "typical range"
            parts.append(
                """
                \(words) <span class="range">\(unit.text(usual.low))–\(unit.text(usual.high))</span>
                """)
        }
        return "<p class=\"compare\">\(parts.joined("; "))</p>"
    }

    private func card(_ night: SleepNight, _ calendar: Calendar) -> HTML {
        """
        <section class="card wide"><h2><a href="/sleep?day=\(night.morning.description)">\
        Sleep, night to \(PageDateText.short(night.morning))</a></h2>\
        <p class="number">\(night.hours) <small>\(night.hoursLabel)</small></p>\
        <p class="compare">\(night.made)</p>\(SVGNight(night: night, calendar: calendar).figure)\
        </section>

        """
    }

    private func workoutList(_ calendar: Calendar) -> HTML {
        workouts.isEmpty ? .empty : WorkoutsPage.table(workouts, calendar)
    }
}

extension Metric {
    /// The short name in addresses and commands, such as "stepCount"; the identifier itself for
    /// types that are neither quantities nor categories.
    var shortName: String {
        for prefix in ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier"]
        where identifier.hasPrefix(prefix) {
            let name = identifier.dropFirst(prefix.count)
            return name.prefix(1).lowercased() + name.dropFirst()
        }
        return identifier
    }
}
