import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

// Weekly totals and records.
extension WorkoutsPage {
    /// The chart of twelve weeks; empty without workouts.
    func weeksCard(_ calendar: Calendar) -> HTML {
        guard let last = weeks.last, weeks.contains(where: { $0.count > 0 }) else {
            return .empty
        }
        let figure = SVGWorkoutWeeks(
            weeks: weeks, calendar: calendar, now: freshness.asOf,
            address: { weekAddress($0, calendar) }
        ).figure
        let count = weeks.reduce(0) { $0 + $1.count }
        let seconds = weeks.reduce(0) { $0 + $1.seconds }
        let metres = weeks.compactMap(\.distance)
        let distance: HTML =
            metres.isEmpty
            ? .empty : ", \(WorkoutText.distance(metres.reduce(0, +), digits: 1))"
        let name = filter.activity.map { ", " + $0 } ?? ""
        let title: HTML = """
            \(weeks.count) weeks to \
            \(PageDateText.short(calendar.localDate(at: last.end - 1)))\(name)
            """
        return Self.section(
            title,
            """
            <p class="compare">\(counted(count, "workout", "workouts")), \
            \(NumberText.hours(seconds)) h\(distance)</p>\(figure)
            """)
    }

    /// The address of the workouts of a week; nil for a week whose days can't be requested.
    private func weekAddress(_ week: WorkoutWeek, _ calendar: Calendar) -> HTML? {
        let days = calendar.days(
            of: DateInterval(start: week.start, end: max(week.start, week.end)))
        guard CivilDate.supportedRange.contains(days.lowerBound),
            CivilDate.supportedRange.contains(days.upperBound)
        else { return nil }
        return address(
            WorkoutFilter(
                activity: filter.activity, from: days.lowerBound, to: days.upperBound))
    }

    /// The records of each activity; empty without records.
    func recordsCard(_ calendar: Calendar) -> HTML {
        let groups = records.chunked(by: \.activity).map { records -> HTML in
            let rows = records.map { record -> HTML in
                """
                <li><a href="\(Self.path)/\(record.workout.uuidString)">\
                <span>\(WorkoutText.title(of: record))</span> <span class="small when">\
                \(PageDateText.short(calendar.localDate(at: record.date)))</span> \
                <b>\(WorkoutText.value(of: record))</b></a></li>

                """
            }
            let title = (records.first?.activity ?? "").capitalizedFirst
            return "<h3>\(title)</h3><ul class=\"rows\">\n\(rows)</ul>"
        }
        if groups.isEmpty { return .empty }
        return Self.section(
            "Records",
            """
            \(groups)<p class="small">Records of pace and speed are averages of workouts of at \
            least 1 km.</p>
            """)
    }
}

extension [WorkoutRecord] {
    /// Returns successive elements with an equal value as arrays.
    fileprivate func chunked(by value: (Element) -> String) -> [[Element]] {
        var chunks: [[Element]] = []
        for element in self {
            if let last = chunks.last?.first, value(last) == value(element) {
                chunks[chunks.count - 1].append(element)
            } else {
                chunks.append([element])
            }
        }
        return chunks
    }
}
