import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// The days of a year as squares, a column for each week, in five steps from the lowest to the highest
/// fifth of the values. A day without data is only outlined.
struct SVGYear {
    let series: HealthSeries
    let calendar: Calendar
    /// The notes on the days of the year, in order of day.
    var notes: [DayNote] = []

    private static let (size, pitch) = (14.0, 18.0)
    private static let (left, top) = (28.0, 20.0)

    var figure: HTML {
        let unit = ChartUnit(series.metric, largest: known.max().map(abs) ?? 0)
        var drawing = HTML.empty
        let noted = NotedPoints(notes, of: series.points, .day, calendar)
        for (index, point) in shown.enumerated() {
            drawing += square(point, at: lead + index, unit, noted.text(at: index))
        }
        let width = Self.left + Double((lead + shown.count + 6) / 7) * Self.pitch
        let height = Self.top + 7 * Self.pitch
        return """
            <figure class="chart \(series.metric.domain.cssClass)"><div class="year">\
            <svg class="plot-year" width="\(length: width)" height="\(length: height)" role="img">\
            <title>\(series.metric.title), every day</title><desc>\(description(unit))</desc>\
            \(labels)<g aria-hidden="true">\(drawing)</g></svg></div>\(legend(unit, noted))</figure>

            """
    }

    /// The days up to today.
    private var shown: ArraySlice<HealthSeries.Point> {
        series.points.firstIndex(where: \.isCurrent).map { series.points[...$0] }
            ?? series.points[...]
    }

    private var known: [Double] { series.points.compactMap(\.value).filter(\.isFinite) }

    /// The number of squares that the first column lacks.
    private var lead: Int {
        guard let first = series.points.first else { return 0 }
        return (calendar.localDate(at: first.start).weekday - (calendar.firstWeekday + 5) % 7 + 7)
            % 7
    }

    /// The four values that divide the days with data into fifths.
    private var bounds: [Double] {
        let sorted = known.sorted()
        guard !sorted.isEmpty else { return [] }
        return (1...4).map { sorted[min(sorted.count * $0 / 5, sorted.count - 1)] }
    }

    private func square(
        _ point: HealthSeries.Point, at index: Int, _ unit: ChartUnit, _ note: String?
    ) -> HTML {
        let (x, y) = (
            Self.left + Double(index / 7) * Self.pitch, Self.top + Double(index % 7) * Self.pitch
        )
        let day = calendar.localDate(at: point.start)
        let value = point.value.flatMap { $0.isFinite ? $0 : nil }
        let level = value.map { value in 1 + bounds.count { value >= $0 } } ?? 0
        let text = value.map { unit.amount($0) } ?? "no data"
        let words: HTML =
            "\(DateText.weekday(day.weekday).prefix(3).description) \(DateText.dayAndMonth(day)): \(text)"
        let noted: HTML = note.map { ". \(plain: $0)" } ?? .empty
        var square: HTML = """
            <path class="y\(level)" d="M\(length: x) \(length: y)h14v14h-14z">\
            <title>\(words)\(noted)</title></path>
            """
        if note != nil {
            square +=
                "<circle class=\"noted\" cx=\"\(length: x + 7)\" cy=\"\(length: y + 7)\" r=\"3\"/>"
        }
        guard let address = SeriesLink(series.metric).address(point, .day, calendar), value != nil
        else { return square }
        return "<a href=\"\(address)\" tabindex=\"-1\">\(square)</a>"
    }

    private var labels: HTML {
        var labels = HTML.empty
        for row in [0, 2, 4] {
            let weekday = ((calendar.firstWeekday + 5) % 7 + row) % 7
            labels += """
                <text x="0" y="\(length: Self.top + Double(row) * Self.pitch + 12)">\
                \(String(DateText.weekday(weekday).prefix(2)))</text>
                """
        }
        for (index, point) in shown.enumerated() {
            let day = calendar.localDate(at: point.start)
            guard day.day == 1 else { continue }
            let x = Self.left + Double((lead + index) / 7) * Self.pitch
            labels += "<text x=\"\(length: x)\" y=\"12\">\(PageDateText.month(day))</text>"
        }
        return labels
    }

    private func legend(_ unit: ChartUnit, _ noted: NotedPoints) -> HTML {
        let bounds = bounds
        guard let low = known.min(), let high = known.max(), bounds.count == 4 else {
            return .empty
        }
        let edges = [low] + bounds + [high]
        let keys = (1...5).map { level -> HTML in
            """
            <span class="key">\(SourceColour.swatch("y\(level)"))\
            \(unit.readable(edges[level - 1]))–\(unit.readable(edges[level]))</span>
            """
        }
        return """
            <div class="legend">\(keys)<span class="key">\(SourceColour.swatch("y0"))no data</span>\
            <span class="key">\(unit.symbol)</span>\(noted.isEmpty ? .empty : NotedPoints.key)</div>
            """
    }

    private func description(_ unit: ChartUnit) -> String {
        guard let low = known.min(), let high = known.max() else { return "No data in this year." }
        return "\(counted(known.count, "day", "days")) with data, from \(unit.amount(low)) to "
            + "\(unit.amount(high))."
    }
}
