import Foundation
import HealthCalendar
package import HealthDashboard
import HealthEngine
import HealthStorage

extension SleepPage: HTMLPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let calendar = Calendar.ofPage(in: timeZone)
        let day = chosen?.morning ?? days.last ?? calendar.localDate(at: freshness.asOf)
        var main = DateNavigation(
            address: "\(Self.path)?", period: nil, day: day, newest: freshness.newest,
            calendar: calendar
        ).html
        if let chosen {
            main += night(chosen, calendar)
        } else {
            main += """
                <p>No data. Either no sleep was recorded, or reading is not allowed; the system \
                doesn’t report which.</p>
                """
        }
        main += section("Last four weeks", weeks(calendar, frame.notes.all))
        main += section("By weekday", weekdayChart)
        main += goalForm(frame)
        main += frame.notes.form
        return frame.document(self, calendar: calendar, main)
    }

    package var headline: Headline { .value(sentence) }

    /// The days of the four weeks, and the morning of the night.
    package var notedDays: NotedDays {
        guard let first = days.first, let last = days.last, first <= last else {
            return NotedDays()
        }
        let day = chosen?.morning
        return NotedDays(
            charts: [first...last], day: day,
            address: "\(Self.path)\(day.map { "?day=\($0)" } ?? "")")
    }

    private func section(_ title: String, _ content: HTML) -> HTML {
        content.isEmpty
            ? .empty : "<section class=\"card d-sleep\"><h2>\(title)</h2>\n\(content)</section>\n"
    }

    private func night(_ night: SleepNight, _ calendar: Calendar) -> HTML {
        let naps: HTML? =
            night.naps.isEmpty
            ? nil : "<h3>Naps, counted separately</h3>\(napList(night, calendar))"
        let counted = night.parts.filter { $0.counted > 0 }.map { part -> HTML in
            "\(name: part.source)"
        }
        let recorded: HTML =
            counted.isEmpty ? .empty : "<p>Recorded by \(counted.joined(" and ")).</p>"
        return """
            <section class="card d-sleep"><h2>Night to \(PageDateText.short(night.morning))</h2>
            <p class="compare">\(missingNight(night, calendar))\(usual(night))\(againstGoal(night))\
            \(PageDateText.clock(night.interval.start, calendar)) to \
            \(PageDateText.clock(night.interval.end, calendar)): \(night.made)</p>
            \(SVGNight(night: night, calendar: calendar).figure)\(naps)\(recorded)
            <details><summary>How this night was counted</summary>\(parts(night))</details></section>

            """
    }

    /// Says that the latest night isn't the last one, which a glance could take it for.
    private func missingNight(_ night: SleepNight, _ calendar: Calendar) -> HTML {
        let today = calendar.localDate(at: freshness.asOf)
        guard night.morning == nights.last?.morning, night.morning == today.advanced(by: -1)
        else { return .empty }
        return "<b>No sleep yet for the night to \(PageDateText.short(today)).</b><br/>"
    }

    /// Whether the night is usual among those of the four weeks.
    private func usual(_ night: SleepNight) -> HTML {
        guard let asleep = night.asleep,
            let range = TypicalRange(of: nights.compactMap(\.asleep))
        else { return .empty }
        return "\(ChartUnit(.sleep, largest: asleep).place(of: asleep, in: range, .night))<br/>"
    }

    /// How far the night is from the goal: "0:48 under the goal of 8:00".
    private func againstGoal(_ night: SleepNight) -> HTML {
        guard let goal, let asleep = night.asleep else { return .empty }
        let difference = asleep - goal
        if abs(difference) < 60 { return "The goal of \(NumberText.hours(goal)) reached<br/>" }
        return """
            \(NumberText.hours(abs(difference))) \(difference < 0 ? "under" : "over") the goal of \
            \(NumberText.hours(goal))<br/>
            """
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

    /// A bar chart of the hours asleep on each day. A night without known sleep has no bar, even if it has
    /// time in bed.
    private func weeks(_ calendar: Calendar, _ notes: [DayNote]) -> HTML {
        guard !days.isEmpty else { return .empty }
        let byMorning = Dictionary(
            nights.map { ($0.morning, $0) }, uniquingKeysWith: { first, _ in first })
        let points = days.map { day in
            HealthSeries.Point(
                start: calendar.midnight(day),
                end: calendar.midnight(day.advanced(by: 1)),
                value: byMorning[day]?.asleep)
        }
        guard points.contains(where: { $0.value != nil }) else {
            return "<p>No sleep was recorded in these nights.</p>"
        }
        let figure = SVGSeries(
            series: HealthSeries(metric: .sleep, step: .day, points: points), calendar: calendar,
            typicalRange: TypicalRange(of: points.compactMap(\.value)), goal: goal,
            picked: chosen.map { calendar.midnight($0.morning) }, link: SeriesLink(.sleep),
            notes: notes
        ).figure
        return "\(facts)\(figure)"
    }

    /// The average, the nights on which the goal was reached, and the regularity.
    private var facts: HTML {
        let known = nights.compactMap(\.asleep)
        guard !known.isEmpty else { return .empty }
        let average = known.reduce(0, +) / Double(known.count)
        var parts: [HTML] = [
            "Average \(NumberText.hours(average)) h of \(counted(known.count, "night", "nights"))"
        ]
        if let goal {
            parts.append(
                "goal of \(NumberText.hours(goal)) h reached in \(known.count { $0 >= goal })")
        }
        let missing = days.count - known.count
        if missing > 0 {
            parts.append("no sleep recorded for \(counted(missing, "night", "nights"))")
        }
        if let regularity {
            parts.append(
                """
                regularity \(NumberText.grouped(regularity)) of 100 \
                (100: asleep at the same times every day; 0: as by chance)
                """)
        }
        return "<p>\(parts.joined("; ")).</p>"
    }

    /// The average sleep of each weekday as a table with bars.
    private var weekdayChart: HTML {
        guard weekdays.count == 7, let longest = weekdays.compactMap(\.self).max(), longest > 0
        else { return .empty }
        let rows = weekdays.enumerated().map { index, seconds -> HTML in
            let bar: HTML =
                seconds.map { seconds in
                    """
                    <svg class="patch" width="160" height="16" aria-hidden="true">\
                    \(HTML.bar("bars picked", x: 0, width: seconds / longest * 100, y: 2, height: 12))</svg>
                    """
                } ?? .empty
            return """
                <tr><th scope="row">\(DateText.weekday(index))</th>\
                <td class="n">\(seconds.map { NumberText.hours($0) } ?? "–")</td><td>\(bar)</td></tr>

                """
        }
        return """
            <div class="scroll"><table><thead><tr><th scope="col">Night to</th>\
            <th scope="col" class="n">h asleep, average</th><td></td></tr></thead>\
            <tbody>\(rows)</tbody></table></div>
            """
    }

    private func goalForm(_ frame: PageFrame) -> HTML {
        let minutes = goal.map { Int(clamping: ($0 / 60).rounded()) }
        let value: HTML = minutes.map { "\(DateText.clock(hour: $0 / 60, minute: $0 % 60))" } ?? ""
        return """
            <section class="card d-sleep"><h2>Goal</h2><form class="line" action="\(Self.path)" \
            method="post"><input type="hidden" name="csrf" value="\(frame.formKey)"/>\
            <div><label for="goal">Sleep a night, hours and minutes</label>\
            <input id="goal" name="goal" value="\(value)" placeholder="8:00" size="6" \
            pattern="[0-9]{1,2}:[0-5][0-9]"/></div>\
            <button type="submit">Save goal</button></form></section>

            """
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
