import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

/// A chart of days with one row for each value, for what is recorded as one of a few values a day, such as
/// the severity of a symptom. A day can be in several rows.
struct SVGDayLanes {
    /// The days of a value.
    struct Lane: Hashable {
        /// The name of the value: "Moderate".
        var name: String
        /// Whether the value states that there is nothing: "Not present".
        var isAbsence = false
        var days: Set<CivilDate>
    }

    let title: String
    /// The rows from top to bottom.
    let lanes: [Lane]
    let days: ClosedRange<CivilDate>
    let calendar: Calendar
    /// The address that a day's mark leads to.
    let address: (CivilDate) -> HTML

    private static let rowHeight = 32.0
    /// More days would be narrower than a pixel on a phone.
    private static let maximumDays = 400

    /// The chart; empty without rows and for too many days.
    var figure: HTML {
        let count = days.upperBound.dayNumber - days.lowerBound.dayNumber + 1
        guard !lanes.isEmpty, count <= Self.maximumDays, let range = calendar.interval(of: days)
        else { return .empty }
        let time = ChartTimeAxis(range, calendar: calendar)
        let height = Double(lanes.count) * Self.rowHeight
        var (drawing, names) = (HTML.empty, HTML.empty)
        for (index, lane) in lanes.enumerated() {
            let y = Double(index) * Self.rowHeight
            drawing += """
                <line class="grid" x1="0" x2="100%" y1="\(length: y + Self.rowHeight)" \
                y2="\(length: y + Self.rowHeight)"/>
                """
            names += "<text class=\"lane\" x=\"8\" y=\"\(length: y + 21)\">\(lane.name)</text>"
        }
        drawing += time.drawing(top: 0, height: height)
        for (index, lane) in lanes.enumerated() {
            drawing += marks(lane, y: Double(index) * Self.rowHeight + 6, time)
        }
        return ChartFigure(
            title: title, description: description, drawing: drawing,
            height: height + ChartFigure.bottomMargin, axis: names,
            axisWidth: 8 + 8 * (lanes.map(\.name.count).max() ?? 0),
            head: "Day", columns: [.init(title: "value", isNumber: false)], rows: rows(time)
        ).html
    }

    private func span(of day: CivilDate) -> (start: Date, end: Date) {
        (calendar.midnight(day), calendar.midnight(day.advanced(by: 1)))
    }

    private func marks(_ lane: Lane, y: Double, _ time: ChartTimeAxis) -> HTML {
        lane.days.filter(days.contains).sorted().map { day -> HTML in
            let (start, end) = span(of: day)
            let (left, right) = (time.x(start), time.x(end))
            let bar = HTML.bar(
                lane.isAbsence ? "usual-key" : "pair", x: left + (right - left) * 0.1,
                width: (right - left) * 0.8, y: y, height: Self.rowHeight - 12)
            return "<a href=\"\(address(day))\" tabindex=\"-1\" aria-hidden=\"true\">\(bar)</a>"
        }.joined(.empty)
    }

    /// "Severe on 2 days, mild on 5 days."
    private var description: String {
        let parts = lanes.enumerated().map { index, lane in
            let name = index == 0 ? lane.name : lane.name.lowercased()
            return "\(name) on \(counted(lane.days.filter(days.contains).count, "day", "days"))"
        }
        return parts.joined(separator: ", ") + "."
    }

    private func rows(_ time: ChartTimeAxis) -> [ChartFigure.Row] {
        let known = Set(lanes.flatMap(\.days)).filter(days.contains).sorted()
        return known.map { day in
            let (start, end) = span(of: day)
            let names = lanes.filter { $0.days.contains(day) }.map(\.name)
            return ChartFigure.Row(
                x: (time.x(start) + time.x(end)) / 2, head: PageDateText.short(day),
                address: address(day), cells: ["\(names.joined(separator: ", "))"])
        }
    }
}
