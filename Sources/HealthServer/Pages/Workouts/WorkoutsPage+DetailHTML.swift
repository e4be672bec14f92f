import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

// The details of a workout.
extension WorkoutsPage {
    /// The sections of a workout: its totals and route, heart rate, splits and altitude.
    func detailCards(_ detail: WorkoutDetail, _ calendar: Calendar) -> HTML {
        let title: HTML = "\(detail.summary.activity.capitalizedFirst)"
        let first: HTML = "\(totals(detail, calendar))\(route(detail, calendar))"
        let splits = WorkoutSplitTable(detail: detail, unit: splitUnit)
        return """
            \(Self.section(title, first))\(heartRateCard(detail, calendar))\(splits.section)\
            \(altitudeCard(detail, calendar))
            """
    }

    private func totals(_ detail: WorkoutDetail, _ calendar: Calendar) -> HTML {
        let workout = detail.summary
        let end = PageDateText.clock(workout.end, calendar)
        var facts: [(String, HTML)] = [
            ("When", "\(PageDateText.moment(workout.start, calendar)) to \(end)"),
            ("Duration", "\(NumberText.hours(workout.duration)) h, pauses left out"),
        ]
        if let distance = workout.distance {
            facts.append(("Distance", "\(WorkoutText.distance(distance))"))
            let speed = WorkoutSpeed(of: workout.activity)
            if let text = speed.text(metres: distance, seconds: workout.duration) {
                facts.append((speed.title, "\(text) on average"))
            }
        }
        if let gain = detail.elevationGain {
            facts.append(("Climb", "\(WorkoutText.height(gain))"))
        }
        if let energy = workout.energy {
            facts.append(("Energy", "\(NumberText.grouped(energy)) kcal"))
        }
        if let average = workout.averageHeartRate {
            let most: HTML? = workout.maximumHeartRate.map { ", highest \(NumberText.grouped($0))" }
            facts.append(("Heart rate", "average \(NumberText.grouped(average))\(most) bpm"))
        }
        facts.append(("Source", "\(name: workout.source)"))
        return "<dl>\(facts.map { fact -> HTML in "<dt>\(fact.0)</dt><dd>\(fact.1)</dd>" })</dl>\n"
    }

    private func route(_ detail: WorkoutDetail, _ calendar: Calendar) -> HTML {
        guard let figure = SVGRoute(route: detail.route, calendar: calendar).figure else {
            return "<p class=\"small\">No route was recorded.</p>"
        }
        return "<h3>Route</h3>\(figure)"
    }

    private func interval(_ workout: WorkoutSummary) -> DateInterval {
        DateInterval(start: workout.start, end: max(workout.start, workout.end))
    }

    private func heartRateCard(_ detail: WorkoutDetail, _ calendar: Calendar) -> HTML {
        guard detail.heartRate.contains(where: { $0.value != nil }) else {
            return "<p class=\"small\">No heart rate was recorded meanwhile.</p>\n"
        }
        let figure = SVGSeries(
            series: HealthSeries(metric: .heartRate, step: .hour, points: detail.heartRate),
            calendar: calendar, pointLabels: .clock, range: interval(detail.summary)
        ).figure
        return """
            <section class="card d-heart"><h2>Heart rate</h2>\(figure)\(zoneTable)</section>

            """
    }

    /// The time in each zone as a table with bars, the highest zone first.
    private var zoneTable: HTML {
        guard let zones else { return .empty }
        let longest = max(zones.zones.map(\.seconds).max() ?? 0, zones.below)
        guard longest > 0 else { return .empty }
        let rows = zones.zones.enumerated().reversed().map { index, zone -> HTML in
            let range: HTML = "\(50 + index * 10)–\(60 + index * 10) %"
            let bounds = "\(NumberText.grouped(zone.low))–\(NumberText.grouped(zone.high))"
            return zoneRow("\(index + 1)", range, bounds, zone.seconds, longest)
        }
        let lowest = NumberText.grouped(zones.zones.first?.low ?? 0)
        let below: HTML =
            zones.below > 0
            ? zoneRow("below", "under 50 %", "under \(lowest)", zones.below, longest) : .empty
        let known = zones.below + zones.zones.reduce(0) { $0 + $1.seconds }
        let whole = detail?.summary.duration ?? known
        // The rest has no heart rate.
        let coverage: HTML =
            known < 0.95 * whole
            ? """
            Heart rate is known for \(WorkoutText.minutes(known)) of \(WorkoutText.minutes(whole)) \
            min:s. \

            """ : .empty
        return """
            <h3>Zones</h3><div class="scroll"><table><thead><tr><th scope="col">Zone</th>\
            <th scope="col" class="n">of highest</th><th scope="col" class="n">bpm</th>\
            <th scope="col" class="n">min:s</th><td></td></tr></thead>\
            <tbody>\(rows)\(below)</tbody></table></div>
            <p class="small">\(coverage)Zones are tenths of \(NumberText.grouped(zones.maximum)) bpm, the \
            highest heart rate from \(DateText.month(zones.first.description)) to \
            \(DateText.month(zones.last.description)). A gap of up to a minute counts with the \
            value before it.</p>
            """
    }

    private func zoneRow(
        _ name: HTML, _ share: HTML, _ bounds: String, _ seconds: Double, _ longest: Double
    ) -> HTML {
        """
        <tr><th scope="row">\(name)</th><td class="n">\(share)</td><td class="n">\(bounds)</td>\
        <td class="n">\(WorkoutText.minutes(seconds))</td><td><svg class="patch" width="96" \
        height="16" aria-hidden="true">\
        \(HTML.bar("bars picked", x: 0, width: seconds / longest * 100, y: 2, height: 12))</svg>\
        </td></tr>

        """
    }

    private func altitudeCard(_ detail: WorkoutDetail, _ calendar: Calendar) -> HTML {
        let figure = SVGElevation(
            route: detail.route, gain: detail.elevationGain, calendar: calendar,
            range: interval(detail.summary)
        ).figure
        guard let figure else { return .empty }
        return Self.section(
            "Altitude",
            """
            \(figure)<p class="small">Climbs of less than 3 m are not counted: they are noise.</p>
            """)
    }
}
