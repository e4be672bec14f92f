package import Foundation
import HealthCalendar
package import HealthDashboard
import HealthEngine

/// A chart of a metric over time as an SVG file of its own, in the light theme.
///
/// It is drawn as on the pages: amounts as bars from zero; readings as a line with a band from the
/// lowest to the highest value; missing values as gaps; a bucket that isn't over hatched.
package struct ChartFile {
    private static let width = 960.0
    private static let margin = 16.0
    private static let titleHeight = 40.0
    private static let axisWidth = 72.0

    private let series: HealthSeries
    private let unit: ChartUnit
    private let calendar: Calendar
    private let asked: DateInterval?

    /// - Parameters:
    ///   - series: The values, in the metric's unit or in `unit`.
    ///   - unit: A HealthKit unit string for the axis; nil for the unit that the pages use.
    ///   - range: The range of the axis; nil for that of the series.
    ///   - calendar: The calendar whose days the axis shows.
    package init(
        _ series: HealthSeries, unit: String?, range: DateInterval?, calendar: Calendar
    ) {
        self.series = series
        asked = range
        self.calendar = calendar
        let values = series.points.flatMap { [$0.value, $0.maximum].compactMap(\.self) }
        let largest = values.filter(\.isFinite).map(abs).max() ?? 0
        self.unit =
            unit.map { ChartUnit(symbol: $0, digits: largest < 10 ? 2 : largest < 100 ? 1 : 0) }
            ?? ChartUnit(series.metric, largest: largest)
    }

    /// The text of the file. Its time grows with the number of points.
    package var svg: String {
        let height = ChartFigure.Height.large.rawValue
        let points = SVGSeries.drawn(series.points)
        let drawsBars = series.metric.kind != .reading && points.count == series.points.count
        let plot = SVGSeries.Plot(
            time: ChartTimeAxis(range, calendar: calendar), value: axis(points, drawsBars),
            unit: unit, top: ChartFigure.topMargin, height: height, picked: nil)
        let plotHeight = height + ChartFigure.topMargin + ChartFigure.bottomMargin
        let left = Self.width - Self.margin - Self.axisWidth
        let whole = Self.titleHeight + plotHeight + Self.margin
        let drawing: HTML = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(length: Self.width)" \
            height="\(length: whole)" viewBox="0 0 \(length: Self.width) \(length: whole)" \
            font-family="system-ui, sans-serif" role="img"><title>\(title)</title>\
            \(styles)\(ChartPatterns.definitions)
            <rect class="now-ground" width="100%" height="100%"/>
            <text class="lane" x="\(length: Self.margin)" y="28" style="font-size:17px">\(title)</text>
            <svg x="\(length: Self.margin)" y="\(length: Self.titleHeight)" \
            width="\(length: left - Self.margin)" height="\(length: plotHeight)" overflow="visible">\
            \(plot.value.grid(top: plot.top, height: height))\
            \(plot.time.drawing(top: plot.top, height: height))\
            \(drawsBars ? plot.bars(points) : plot.line(points))</svg>
            <svg x="\(length: left)" y="\(length: Self.titleHeight)" \
            width="\(length: Self.axisWidth)" height="\(length: plotHeight)" overflow="visible">\
            \(plot.value.labels(top: plot.top, height: height, unit: unit))</svg>
            </svg>

            """
        return drawing.markup
    }

    private var styles: HTML {
        let domain = Catalogue.type(identifier: series.metric.identifier)?.domain ?? .vitals
        return "<style>\(Stylesheet.drawing(of: domain))</style>"
    }

    /// "Steps by month, 1 Jan 2025 – 31 Dec 2025"
    private var title: String {
        let name = "\(series.metric.displayName.capitalizedFirst) by \(series.step.rawValue)"
        guard !series.points.isEmpty || asked != nil else { return name }
        let days = [range.start, range.end.addingTimeInterval(-1)]
            .map { PageDateText.short(calendar.civilDate(of: $0)) }
        return "\(name), \(days[0] == days[1] ? days[0] : days.joined(separator: " – "))"
    }

    private var range: DateInterval {
        if let asked { return asked }
        guard let first = series.points.first, let last = series.points.last,
            first.start <= last.end
        else { return DateInterval(start: .distantPast, duration: 0) }
        return DateInterval(start: first.start, end: last.end)
    }

    private func axis(_ points: [HealthSeries.Point], _ drawsBars: Bool) -> ChartValueAxis {
        let values = points.flatMap { [$0.value, $0.minimum, $0.maximum].compactMap(\.self) }
        return ChartValueAxis(
            values, of: series.metric, in: unit, from: drawsBars ? .zero : .data)
    }
}
