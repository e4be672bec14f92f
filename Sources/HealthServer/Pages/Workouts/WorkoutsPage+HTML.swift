import Foundation
import HealthCalendar
package import HealthDashboard
import HealthEngine

extension WorkoutsPage: HTMLPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let calendar = Calendar.of(timeZone: timeZone)
        var main = HTML.empty
        if let detail { main += card(detail, calendar) }
        if workouts.isEmpty, detail == nil, total ?? 0 == 0 {
            main += """
                <p>No data: either no workout was recorded or reading was not allowed; the system \
                doesn’t say which.</p>
                """
        }
        if !workouts.isEmpty {
            main += PageFrame.section(
                before == nil ? "Workouts, newest first" : "Older workouts, newest first",
                "\(Self.table(workouts, calendar))\(otherWorkouts)")
        } else if total.map({ $0 > 0 }) ?? false {
            main += otherWorkouts
        }
        return frame.document(self, calendar: calendar, main)
    }

    private var otherWorkouts: HTML {
        let older: HTML? = self.older.map {
            """
            <li><a href="\(Self.path)?before=\(query: "\($0.timeIntervalSinceReferenceDate)")" \
            rel="next">older workouts →</a></li>
            """
        }
        let newest: HTML? =
            before == nil ? nil : "<li><a href=\"\(Self.path)\">← newest workouts</a></li>"
        if older == nil, newest == nil { return .empty }
        return "<ul class=\"tabs\">\(newest)\(older)</ul>"
    }

    /// The maximum number of rows in the list.
    private static let maximumRows = 200

    static func table(_ workouts: [WorkoutSummary], _ calendar: Calendar) -> HTML {
        let rows = workouts.prefix(maximumRows).map { workout -> HTML in
            """
            <tr><th scope="row"><a href="\(path)/\(workout.id.uuidString)">\
            \(workout.activity.capitalizedFirst)</a>\
            <br/><span class="small">\(PageDateText.moment(workout.start, calendar)), \
            \(name: workout.source)</span></th>\
            <td class="n">\(NumberText.hours(workout.duration))</td>\
            <td class="n">\(kilometres(workout))</td><td class="n">\(number(workout.energy))</td>\
            <td class="n">\(number(workout.averageHeartRate))</td></tr>

            """
        }
        let rest = workouts.count - rows.count
        let more: HTML? =
            rest > 0 ? "<p class=\"small\">and \(rest) earlier ones, in the page’s JSON</p>" : nil
        return """
            <div class="scroll"><table><thead><tr><th scope="col">Workout</th>\
            <th scope="col" class="n">h:min</th><th scope="col" class="n">km</th>\
            <th scope="col" class="n">kcal</th><th scope="col" class="n">average bpm</th>\
            </tr></thead><tbody>\(rows)</tbody></table></div>\(more)
            """
    }

    private static func kilometres(_ workout: WorkoutSummary) -> String {
        workout.distance.map { NumberText.grouped($0 / 1000, digits: 2) } ?? "–"
    }

    private static func number(_ value: Double?) -> String {
        value.map { NumberText.grouped($0) } ?? "–"
    }

    private func card(_ detail: WorkoutDetail, _ calendar: Calendar) -> HTML {
        let workout = detail.summary
        var facts: [(String, HTML)] = [
            (
                "When",
                "\(PageDateText.moment(workout.start, calendar)) to \(PageDateText.clock(workout.end, calendar))"
            ),
            ("Duration", "\(NumberText.hours(workout.duration)) h, pauses left out"),
        ]
        if workout.distance != nil { facts.append(("Distance", "\(Self.kilometres(workout)) km")) }
        if let energy = workout.energy {
            facts.append(("Energy", "\(NumberText.grouped(energy)) kcal"))
        }
        if let average = workout.averageHeartRate {
            let most: HTML? = workout.maximumHeartRate.map { ", highest \(NumberText.grouped($0))" }
            facts.append(("Heart rate", "average \(NumberText.grouped(average))\(most) bpm"))
        }
        facts.append(("Source", "\(name: workout.source)"))
        return """
            <section class="card"><h2>\(workout.activity.capitalizedFirst)</h2>\
            <dl>\(facts.map { fact -> HTML in "<dt>\(fact.0)</dt><dd>\(fact.1)</dd>" })</dl>
            \(heartRate(detail, calendar))\(route(detail, calendar))</section>

            """
    }

    private func heartRate(_ detail: WorkoutDetail, _ calendar: Calendar) -> HTML {
        guard detail.heartRate.contains(where: { $0.value != nil }) else {
            return "<p class=\"small\">No heart rate was recorded meanwhile.</p>"
        }
        let range = DateInterval(
            start: detail.summary.start, end: max(detail.summary.start, detail.summary.end))
        let figure = SVGSeries(
            series: HealthSeries(metric: .heartRate, step: .hour, points: detail.heartRate),
            calendar: calendar, pointLabels: .clock, range: range
        ).figure
        return "<h3>Heart rate</h3>\(figure)"
    }

    private func route(_ detail: WorkoutDetail, _ calendar: Calendar) -> HTML {
        guard let figure = SVGRoute(route: detail.route, calendar: calendar).figure else {
            return "<p class=\"small\">No route was recorded.</p>"
        }
        return "<h3>Route</h3>\(figure)"
    }
}
