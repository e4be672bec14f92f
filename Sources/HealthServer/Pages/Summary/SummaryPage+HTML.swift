import Foundation
import HealthCalendar
package import HealthDashboard
import HealthEngine
import HealthStorage

extension SummaryPage: HTMLPage {
    /// Returns the page as HTML, with all cards that have data.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String { html(frame, .standard) }

    /// Returns the page as HTML.
    ///
    /// - Parameters:
    ///   - frame: The elements that all pages share.
    ///   - cards: The cards in order; those without data are left out.
    /// - Returns: The HTML document.
    func html(_ frame: PageFrame, _ cards: SummaryCards) -> String {
        let calendar = Calendar.ofPage(in: timeZone)
        var main = DateNavigation(
            address: "/?", period: period, day: day, newest: freshness.newest, calendar: calendar
        ).html
        main += noticeList
        main += highlightList
        let drawn = cards.shown.compactMap { card($0, calendar) }
        if drawn.isEmpty {
            main += frame.noData(freshness)
        }
        main += largeCard(cards.shown.first, calendar, frame.notes.all)
        main += nothingNew
        let small = drawn.dropFirst(hasLargeCard(cards.shown.first) ? 1 : 0)
        main += small.isEmpty ? .empty : "<div class=\"cards\">\(Array(small))</div>\n"
        main += period == .day ? frame.notes.form : .empty
        main += """
            <p class="small"><a href="/cards">Choose cards</a> · <a href="/report">Report</a> · \
            <a href="/check-up">Data quality</a></p>
            """
        return frame.document(self, calendar: calendar, main)
    }

    package var headline: Headline { .value(sentence) }

    /// The days of the large card's chart, and the page's day.
    package var notedDays: NotedDays {
        NotedDays(
            charts: [tiles.first?.series.days(.ofPage(in: timeZone))].compactMap(\.self),
            day: period == .day ? day : nil, address: "/?period=\(period.rawValue)&day=\(day)")
    }

    private var noticeList: HTML {
        let notices = (notices ?? []).map { notice -> HTML in
            "<p>\(name: notice) <a href=\"/check-up\">Data quality</a></p>"
        }
        if notices.isEmpty { return .empty }
        return "<div class=\"notice\" role=\"status\">\(notices)</div>\n"
    }

    private var highlightList: HTML {
        if highlights.isEmpty { return .empty }
        let items = highlights.map { highlight -> HTML in
            "<li><a href=\"\(highlight.address)\">\(highlight.sentence)</a></li>"
        }
        return "<h2>Highlights</h2><ul class=\"highlights\">\(items)</ul>\n"
    }

    /// Says on a day's page that nothing is new, and by which rule; empty without enough days for a
    /// typical range.
    private var nothingNew: HTML {
        guard period == .day, highlights.isEmpty,
            tiles.contains(where: { $0.value != nil && $0.typicalRange != nil })
        else { return .empty }
        return """
            <p class="small nothing"><b>No highlights in the \(Highlight.reportedDays) days to \
            \(PageDateText.short(day)):</b> none of \(watched) was far outside its typical range for three days in a row, or stopped; there \
            was no best week of steps and no longest workout. \
            <a href="/compare">Compare four weeks with those before</a></p>

            """
    }

    /// The metrics that highlights are of: "resting heart rate, sleep and steps".
    private var watched: String {
        let names = Highlight.metrics.map(\.displayName)
        return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    /// The address of a type's page for the period that this page shows.
    private func address(_ metric: Metric) -> HTML {
        metric == .sleep
            ? "/sleep?day=\(day.description)"
            : "/type/\(metric.shortName)?period=\(period.rawValue)&amp;day=\(day.description)"
    }
}

// The cards.
extension SummaryPage {
    private func tile(_ metric: Metric) -> Tile? { tiles.first { $0.metric == metric } }

    private func hasLargeCard(_ card: SummaryCards.Card?) -> Bool {
        guard case .metric(let metric) = card else { return false }
        return tile(metric) != nil
    }

    private func card(_ card: SummaryCards.Card, _ calendar: Calendar) -> HTML? {
        switch card {
        case .metric(.sleep): return sleepCard(calendar)
        case .metric(let metric): return tile(metric).map { smallCard($0, calendar) }
        case .rings: return ringCard
        case .workouts: return workoutCard(calendar)
        }
    }

    /// The first card with its chart; empty for a card that is no metric.
    private func largeCard(
        _ card: SummaryCards.Card?, _ calendar: Calendar, _ notes: [DayNote]
    ) -> HTML {
        guard case .metric(let metric) = card, let tile = tile(metric) else { return .empty }
        let figure = SVGSeries(
            series: tile.series, calendar: calendar, typicalRange: tile.typicalRange,
            typicalDays: .upTo(calendar.civilDate(of: interval.start).advanced(by: -1)),
            goal: metric == .steps && period == .day ? stepGoal : nil,
            picked: interval.start, link: SeriesLink(metric), notes: notes
        ).figure
        let how: HTML =
            metric.kind == .amount
            ? """
            <p class="compare">\(provenanceText(metric))<a href="/why?metric=\(metric.shortName)&amp;\
            day=\(day.description)">How this was counted</a></p>
            """ : .empty
        // The headline has the number of steps.
        let hero = metric == .steps && headline.hasValue ? .empty : number(tile, "hero")
        return """
            <section class="card \(metric.domain.cssClass)"><h2><a href="\(address(metric))">\
            \(metric.title)</a></h2>\(hero)<p class="compare">\(comparison(tile))</p>\
            \(how)\(figure)</section>

            """
    }

    private func provenanceText(_ metric: Metric) -> HTML {
        guard metric == .steps, let provenance else { return .empty }
        return "\(name: provenance). "
    }

    private func smallCard(_ tile: Tile, _ calendar: Calendar) -> HTML {
        let metric = tile.metric
        return """
            <a class="card \(metric.domain.cssClass)" href="\(address(metric))"><h2>\(metric.title)\
            \(when(tile))</h2>\(number(tile, "number"))<p class="compare">\(comparison(tile))</p>\
            \(SVGSparkline(series: tile.series).drawing)</a>
            """
    }

    /// The day of a value that is older than the period.
    private func when(_ tile: Tile) -> HTML {
        guard tile.value == nil, let latest = tile.latest else { return .empty }
        return " <span class=\"when\">\(PageDateText.short(latest.day))</span>"
    }

    private func number(_ tile: Tile, _ kind: HTML) -> HTML {
        let text = tile.value == nil ? tile.latest?.text ?? "–" : tile.text
        // The text is a number and a unit, such as "58 bpm", which are drawn large and small.
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        let average = tile.metric.kind == .reading && period != .day ? ", average" : ""
        guard parts.count == 2 else { return "<p class=\"\(kind)\">\(text)</p>" }
        return "<p class=\"\(kind)\">\(parts[0]) <small>\(parts[1])\(average)</small></p>"
    }

    /// Whether a value is usual, and how it differs from the period before.
    private func comparison(_ tile: Tile) -> HTML {
        let unit = ChartUnit(tile.metric, largest: tile.value ?? 0)
        var parts: [HTML] = []
        if tile.value == nil, tile.latest != nil {
            parts.append("None \(period == .day ? "on" : "in") this \(period.rawValue)")
        }
        let extent = tile.metric.extent(period, interval, freshness, .ofPage(in: timeZone))
        if let usual = tile.typicalRange, let value = tile.value {
            parts.append(
                unit.place(of: value, in: usual, extent))
        } else if extent == .whole(period), let value = tile.value, let before = tile.before {
            let text = unit.text(difference: abs(value - before))
            let isSame = text.allSatisfy { !$0.isNumber || $0 == "0" }
            parts.append(
                isSame
                    ? "Same as the \(period.rawValue) before"
                    : "\(text) \(value > before ? "more" : "less") than the \(period.rawValue) before"
            )
        }
        if let label = AppleTotalText.label(tile.appleTotal, in: period.step) {
            parts.append(
                period == .day
                    ? "\(label); \(unit.text(tile.appleTotal?.own ?? 0)) recorded" : "\(label)")
        }
        return parts.joined("; ")
    }

    private func sleepCard(_ calendar: Calendar) -> HTML? {
        guard period == .day else {
            return nights.map { nights in
                """
                <a class="card d-sleep" href="/sleep?day=\(day.description)"><h2>Sleep</h2>\
                <p class="number">\(NumberText.hours(nights.asleep)) <small>h a night, average</small></p>\
                <p class="compare">\(counted(nights.nights, "night", "nights")), \
                \(NumberText.hours(nights.shortest))–\(NumberText.hours(nights.longest)) h</p>\
                \(self.tile(.sleep).map { SVGSparkline(series: $0.series).drawing })</a>
                """
            }
        }
        let tile = tile(.sleep)
        guard let night else { return tile.map { smallCard($0, calendar) } }
        let usual: HTML =
            tile.flatMap { tile in
                tile.typicalRange.flatMap { range in
                    tile.value.map { value -> HTML in
                        "\(ChartUnit(.sleep, largest: value).place(of: value, in: range, .night))<br/>"
                    }
                }
            } ?? .empty
        let today = calendar.localDate(at: freshness.asOf)
        let missing: HTML =
            night.morning == today.advanced(by: -1) && day == freshness.newest
            ? "<b>No sleep yet for the night to \(PageDateText.short(today))</b><br/>" : .empty
        return """
            <a class="card d-sleep" href="/sleep?day=\(night.morning.description)"><h2>Sleep\
            <span class="when">night to \(PageDateText.short(night.morning))</span></h2>\
            <p class="number">\(night.hours) <small>\(night.hoursLabel)</small></p>\
            <p class="compare">\(missing)\(usual)\(night.made)</p>\
            \(tile.map { SVGSparkline(series: $0.series).drawing })</a>
            """
    }

    private var ringCard: HTML? {
        if let rings {
            return """
                <a class="card" href="/type/activitySummary?day=\(day.description)">\
                <h2>Activity rings</h2>\(SVGRings(rings: rings).figure)</a>
                """
        }
        return ringDays.map { rings in
            let unit = rings.isMoveTime ? "min" : "kcal"
            func row(_ name: HTML, _ ring: RingDays.Ring, _ unit: HTML) -> HTML {
                """
                <li><span>\(name)</span> <b>\(NumberText.grouped(ring.average))</b> \(unit) a day; \
                closed on \(ring.closed) of \(rings.days) days</li>
                """
            }
            return """
                <a class="card" href="/type/activitySummary?period=\(period.rawValue)&amp;\
                day=\(day.description)"><h2>Activity rings</h2><ul class="ring-words">\
                \(row("Move", rings.move, "\(unit)"))\(row("Exercise", rings.exercise, "min"))\
                \(row("Stand", rings.stand, "h"))</ul></a>
                """
        }
    }

    private func workoutCard(_ calendar: Calendar) -> HTML? {
        guard let first = workouts.first else { return nil }
        let seconds = workouts.reduce(0) { $0 + $1.duration }
        let names =
            workouts.count == 1 ? first.activity.capitalizedFirst : "\(workouts.count) workouts"
        return """
            <a class="card d-activity" href="/workouts\(workouts.count == 1 ? "/\(first.id.uuidString)" : "")">\
            <h2>Workouts</h2><p class="number">\(NumberText.hours(seconds)) <small>h</small></p>\
            <p class="compare">\(names)\(distance)</p></a>
            """
    }

    private var distance: HTML {
        let metres = workouts.compactMap(\.distance).reduce(0, +)
        return metres > 0 ? ", \(WorkoutText.distance(metres))" : .empty
    }
}

extension HealthDomain {
    /// The class that gives drawings the colour of the domain.
    var cssClass: HTML {
        switch self {
        case .activity: "d-activity"
        case .heart: "d-heart"
        case .sleep: "d-sleep"
        case .body: "d-body"
        case .vitals: "d-vitals"
        case .nutrition: "d-nutrition"
        case .mindAndCycle: "d-mind"
        }
    }
}

extension Highlight {
    /// The address of the page that shows the highlight.
    var address: HTML {
        if let workout { return "/workouts/\(workout.uuidString)" }
        if metric == .sleep { return "/sleep?day=\(last.description)" }
        let period = kind == .record ? "week" : "month"
        return "/type/\(metric.shortName)?period=\(period)&amp;day=\(last.description)"
    }
}
