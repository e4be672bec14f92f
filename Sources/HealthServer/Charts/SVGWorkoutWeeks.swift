import Foundation
import HealthCalendar
import HealthDashboard

/// A bar chart of the hours of workouts in each week. Its table also has their number and distance.
struct SVGWorkoutWeeks {
    let weeks: [WorkoutWeek]
    let calendar: Calendar
    /// The time at which the page was read. The week that contains it is hatched.
    let now: Date
    /// The address of a week's workouts; nil for none.
    let address: (WorkoutWeek) -> HTML?

    private static let unit = ChartUnit(symbol: "hours", digits: 1, factor: 1 / 3600)

    /// The chart; nil without weeks.
    var figure: HTML? {
        guard let first = weeks.first, let last = weeks.last, first.start <= last.end else {
            return nil
        }
        let time = ChartTimeAxis(
            DateInterval(start: first.start, end: last.end), calendar: calendar)
        let value = ChartValueAxis(weeks.map { $0.seconds * Self.unit.factor }, from: .zero)
        let plot = SVGSeries.Plot(
            time: time, value: value, unit: Self.unit, top: ChartFigure.topMargin,
            height: ChartFigure.Height.regular.rawValue, picked: nil)
        var drawing = value.grid(top: plot.top, height: plot.height)
        drawing += time.drawing(top: plot.top, height: plot.height)
        drawing += plot.bars(weeks.map(point))
        drawing += weeks.map { area($0, plot) }.joined(.empty)
        return ChartFigure(
            title: "Workouts by week", description: description,
            drawing: drawing,
            height: plot.height + ChartFigure.topMargin + ChartFigure.bottomMargin,
            axis: value.labels(top: plot.top, height: plot.height, unit: Self.unit),
            legend: legend, head: "Week",
            columns: [.init(title: "workouts"), .init(title: "h:min"), .init(title: "km")],
            rows: weeks.map { row($0, time) }
        ).html
    }

    private func isCurrent(_ week: WorkoutWeek) -> Bool { week.start <= now && now < week.end }

    private func name(_ week: WorkoutWeek) -> String {
        PageDateText.period(week.start, week.end, .week, calendar)
    }

    /// The bar of a week; a week without workouts has none.
    private func point(_ week: WorkoutWeek) -> HealthSeries.Point {
        HealthSeries.Point(
            start: week.start, end: week.end, value: week.count > 0 ? week.seconds : nil,
            isCurrent: isCurrent(week))
    }

    /// An area as high as the drawing that leads to the week's workouts.
    private func area(_ week: WorkoutWeek, _ plot: SVGSeries.Plot) -> HTML {
        guard week.count > 0, let address = address(week) else { return .empty }
        let (left, right) = (plot.time.x(week.start), plot.time.x(week.end))
        let area = HTML.bar("hit", x: left, width: right - left, y: plot.top, height: plot.height)
        return "<a href=\"\(address)\" tabindex=\"-1\" aria-hidden=\"true\">\(area)</a>"
    }

    private func row(_ week: WorkoutWeek, _ time: ChartTimeAxis) -> ChartFigure.Row {
        ChartFigure.Row(
            x: (time.x(week.start) + time.x(week.end)) / 2,
            head: name(week) + (isCurrent(week) ? " (so far)" : ""),
            address: week.count > 0 ? address(week) : nil,
            cells: [
                "\(week.count)", "\(NumberText.hours(week.seconds))",
                week.distance.map { "\(NumberText.grouped($0 / 1000, digits: 1))" } ?? "–",
            ])
    }

    private var description: String {
        let known = weeks.filter { $0.count > 0 }
        guard let most = known.max(by: { $0.seconds < $1.seconds }) else {
            return "No workouts in these weeks."
        }
        return "\(known.count) of \(weeks.count) weeks have workouts; the most are "
            + "\(NumberText.hours(most.seconds)) hours (\(name(most)))."
    }

    private var legend: HTML {
        weeks.contains { isCurrent($0) && $0.count > 0 }
            ? """
            <div class="legend"><span class="key">\(SourceColour.swatch("now"))so far</span></div>
            """ : .empty
    }
}
