import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

/// A small chart of a report's section: bars for amounts and sleep, a line with a band for
/// readings. It has no table, because the numbers stand beside it.
struct ReportChart {
    let chart: ReportPage.Chart
    let title: String
    /// The typical range, which is drawn as a band; nil for none.
    let typicalRange: TypicalRange?
    let calendar: Calendar

    var figure: HTML {
        let known = chart.points.compactMap(\.value)
        guard !known.isEmpty else { return .empty }
        let height = ChartFigure.Height.small.rawValue
        let unit = ChartUnit(chart.metric, largest: known.map(abs).max() ?? 0)
        let axis = axis(unit)
        let time = ChartTimeAxis(range, calendar: calendar)
        let plot = SVGSeries.Plot(
            time: time, value: axis, unit: unit, top: ChartFigure.topMargin,
            height: height, picked: nil)
        let drawing: HTML = """
            \(band(plot))\(axis.grid(top: plot.top, height: height))\
            \(time.drawing(top: plot.top, height: height))\
            \(marks(plot))
            """
        let whole = height + ChartFigure.topMargin + ChartFigure.bottomMargin
        return """
            <figure class="report-chart"><div class="plot-row"><svg class="plot" width="100%" \
            height="\(length: whole)" role="img"><title>\(title)</title>\
            <desc>\(description(unit))</desc>\(drawing)</svg>\
            <svg class="axis" width="56" height="\(length: whole)" aria-hidden="true">\
            \(axis.labels(top: plot.top, height: height, unit: unit))</svg></div></figure>
            """
    }

    /// Bars, a line, or for pairs of blood pressure bars from the diastolic to the systolic value.
    private func marks(_ plot: SVGSeries.Plot) -> HTML {
        if chart.metric.shortName.hasPrefix("bloodPressure") { return plot.pairs(chart.points) }
        return drawsBars ? plot.bars(chart.points) : plot.line(chart.points)
    }

    private var drawsBars: Bool { chart.metric.kind != .reading }

    private var range: DateInterval {
        guard let start = chart.points.first?.start, let end = chart.points.last?.end, start <= end
        else { return DateInterval(start: .distantPast, duration: 0) }
        return DateInterval(start: start, end: end)
    }

    private func axis(_ unit: ChartUnit) -> ChartValueAxis {
        let values = chart.points.flatMap { point -> [Double] in
            drawsBars
                ? [point.value].compactMap(\.self)
                : [point.value, point.minimum, point.maximum].compactMap(\.self)
        }
        let bounds = [typicalRange?.low, typicalRange?.high].compactMap(\.self)
        return ChartValueAxis(
            values + bounds, of: chart.metric, in: unit, from: drawsBars ? .zero : .data)
    }

    private func band(_ plot: SVGSeries.Plot) -> HTML {
        guard let typicalRange else { return .empty }
        let (top, bottom) = (plot.y(typicalRange.high), plot.y(typicalRange.low))
        return HTML.bar("usual", x: 0, width: 100, y: top, height: max(1, bottom - top))
    }

    /// "81 of 90 days have data, from 52 bpm to 66 bpm."
    private func description(_ unit: ChartUnit) -> String {
        let known = chart.points.compactMap(\.value)
        let size = chart.daysPerPoint
        let mark = size == 1 ? "days" : "marks of \(size) days"
        return "\(known.count) of \(chart.points.count) \(mark) have data, from "
            + "\(unit.amount(known.min() ?? 0)) to \(unit.amount(known.max() ?? 0))."
    }
}

extension ReportPage.Section {
    /// The chart of the section; empty without one.
    func figure(_ calendar: Calendar) -> HTML {
        guard let chart else { return .empty }
        let days = chart.daysPerPoint == 1 ? "by day" : "by \(chart.daysPerPoint) days"
        let name = kind == .bloodPressure ? "Systolic, with a band down to diastolic," : kind.title
        let title = kind == .activity ? chart.metric.title : name
        return ReportChart(
            chart: chart, title: "\(title) \(days)",
            typicalRange: kind == .bloodPressure ? nil : measures.first?.typicalRange,
            calendar: calendar
        ).figure
    }

    /// The part of health, which determines the colour.
    var domain: HealthDomain {
        switch kind {
        case .electrocardiograms: .heart
        case .medications: .vitals
        case .restingHeartRate, .bloodPressure, .weight, .sleep, .activity, .glucose:
            measures.first?.metric.domain ?? .vitals
        }
    }
}
