import Foundation
import HealthCalendar
package import HealthDashboard
import HealthEngine

extension SleepPage: HTMLPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let calendar = Calendar.of(timeZone: timeZone)
        var main = HTML.empty
        if let chosen {
            main += night(chosen, calendar)
        } else {
            main += """
                <p>No data. Either no sleep was recorded, or reading is not allowed; the system \
                doesn’t report which.</p>
                """
        }
        main += PageFrame.section("Nights", weeks(calendar))
        return frame.document(self, calendar: calendar, main)
    }

    private func night(_ night: SleepNight, _ calendar: Calendar) -> HTML {
        let (before, after) = (
            nights.last { $0.morning < night.morning }, nights.first { $0.morning > night.morning }
        )
        let naps: HTML? =
            night.naps.isEmpty
            ? nil : "<h3>Naps, counted separately</h3>\(napList(night, calendar))"
        return """
            <ul class="tabs">\(link(before, "← night before"))\(link(after, "night after →"))</ul>
            <section class="card"><h2>Night to \(PageDateText.short(night.morning))</h2>
            <p class="hero">\(night.hours) <small>\(night.hoursLabel)</small></p>
            <p class="compare">\(PageDateText.clock(night.interval.start, calendar)) to \
            \(PageDateText.clock(night.interval.end, calendar)): \(night.made)</p>
            \(SVGNight(night: night, calendar: calendar).figure)\(naps)
            <h3>Sources</h3>\(parts(night))</section>

            """
    }

    private func link(_ night: SleepNight?, _ words: String) -> HTML {
        night.map {
            "<li><a href=\"\(Self.path)?day=\($0.morning.description)\">\(words)</a></li>"
        } ?? "<li><span class=\"off\">\(words)</span></li>"
    }

    private func napList(_ night: SleepNight, _ calendar: Calendar) -> HTML {
        let naps = night.naps.compactMap { nap -> HTML? in
            guard let first = nap.first, let last = nap.last else { return nil }
            let asleep = nap.reduce(0.0) {
                $0 + ($1.stage.isAsleep ? $1.end.timeIntervalSince($1.start) : 0)
            }
            return """
                <li>\(PageDateText.clock(first.start, calendar)) to \
                \(PageDateText.clock(last.end, calendar)): \(NumberText.hours(asleep)) hours asleep \
                (\(name: first.source))</li>
                """
        }
        return "<ul>\(naps)</ul>"
    }

    private func parts(_ night: SleepNight) -> HTML {
        let rows = night.parts.sorted { $0.rank < $1.rank }.map { part -> HTML in
            let reason: HTML? = part.reason.map {
                "<br/><span class=\"small\">not counted: \($0)</span>"
            }
            return """
                <tr><th scope="row">\(SourceColour.key(part.rank, part.source))\(reason)</th>\
                <td class="n">\(part.recorded > 0 ? NumberText.hours(part.recorded) : "–")</td>\
                <td class="n">\(part.recorded > 0 ? NumberText.hours(part.counted) : "–")</td></tr>

                """
        }
        return """
            <div class="scroll"><table><thead><tr><th scope="col">Source, by rank</th>\
            <th scope="col" class="n">sleep recorded</th>\
            <th scope="col" class="n">counted</th></tr></thead>\
            <tbody>\(rows)</tbody></table></div>
            """
    }

    /// A bar chart of the hours asleep on each day, and links to the last 14 nights. A night
    /// without known sleep has no bar, even if it has time in bed.
    private func weeks(_ calendar: Calendar) -> HTML {
        guard !days.isEmpty else { return .empty }
        let byMorning = Dictionary(
            nights.map { ($0.morning, $0) }, uniquingKeysWith: { first, _ in first })
        let points = days.map { day in
            HealthSeries.Point(
                start: calendar.midnight(day),
                end: calendar.midnight(day.advanced(by: 1)),
                value: byMorning[day]?.asleep)
        }
        let figure: HTML =
            points.contains { $0.value != nil }
            ? SVGSeries(
                series: HealthSeries(metric: .sleep, step: .day, points: points),
                calendar: calendar
            ).figure
            : "<p>No sleep was recorded in these nights.</p>"
        let links = nights.suffix(14).reversed().map { night -> HTML in
            """
            <li><a href="\(Self.path)?day=\(night.morning.description)"\
            \(night.morning == chosen?.morning ? " aria-current=\"true\"" as HTML : .empty)>\
            \(night.morning.day) \(PageDateText.month(night.morning)), \
            \(night.hours)\(night.isOnlyInBed ? " in bed" : "")</a></li>
            """
        }
        return "\(figure)<h3>Choose a night</h3><ul class=\"tabs\">\(links)</ul>"
    }
}

extension SleepNight {
    /// Whether no sleep was recorded, only time in bed or awake.
    var isOnlyInBed: Bool { asleep == nil }

    /// The duration of sleep, else of the time in bed, as in "7:06"; "–" if neither is known.
    var hours: String { (asleep ?? inBed).map { NumberText.hours($0) } ?? "–" }

    var hoursLabel: String { isOnlyInBed ? "hours in bed" : "hours asleep" }

    /// The durations by stage, as in "Deep 1:12, core 3:40, REM 1:30; awake 0:20, in bed 7:51".
    /// Without sleep a sentence that says so.
    var made: String {
        if isOnlyInBed { return "No sleep was recorded" }
        let asleep = [SleepStage.deep, .core, .rem, .asleep].filter { seconds($0) > 0 }
            .map {
                "\($0 == .rem ? "REM" : $0.label.lowercased()) \(NumberText.hours(seconds($0)))"
            }
        let awake = seconds(.awake)
        let rest =
            (awake > 0 ? ["awake \(NumberText.hours(awake))"] : [])
            + (inBed.map { ["in bed \(NumberText.hours($0))"] } ?? [])
        return [asleep, rest].filter { !$0.isEmpty }.map { $0.joined(separator: ", ") }
            .joined(separator: "; ").capitalizedFirst
    }
}
