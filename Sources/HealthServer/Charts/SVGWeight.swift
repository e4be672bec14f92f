import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

/// A chart of weights as dots in their source's colour, with the trend as a line.
struct SVGWeight {
    /// The maximum number of weights that are marked as having a note. Only the latest are marked;
    /// the chart's table shows the notes of the 600 latest weights.
    private static let maximumNotedWeights = 200

    let page: WeightPage
    let calendar: Calendar

    var figure: HTML {
        let measured = page.measured.filter { $0.value.isFinite }
        let trend = page.trend.filter { $0.value.isFinite }
        let dates = measured.map(\.date) + trend.map(\.date)
        guard let first = dates.min(), let last = dates.max() else { return .empty }
        let start = calendar.midnight(calendar.civilDate(of: first))
        let end = calendar.midnight(calendar.civilDate(of: last).advanced(by: 1))
        let time = ChartTimeAxis(
            DateInterval(start: start, end: max(end, start)), calendar: calendar)
        let unit = ChartUnit(DisplayUnit(page.unit), digits: 1)
        let value = ChartValueAxis(
            (measured.map(\.value) + trend.map(\.value)).map(unit.displayed), from: .data)
        let (top, height) = (ChartFigure.topMargin, ChartFigure.Height.regular.rawValue)
        var drawing = value.grid(top: top, height: height)
        drawing += time.drawing(top: top, height: height)
        for reading in drawn(measured, time) {
            drawing += """
                <circle class="dot \(SourceColour.fill(rank(reading.source)))" \
                cx="\(length: time.x(reading.date))%" \
                cy="\(length: top + value.y(unit.displayed(reading.value), height: height))" r="3.5"/>
                """
        }
        drawing += HTML.stretched(height: height, top: top, line(trend, time, value, height, unit))
        let noted = NotedWeights(page)
        for reading in measured.filter({ noted.words[$0] != nil }).suffix(Self.maximumNotedWeights)
        {
            drawing += """
                <circle class="noted" cx="\(length: time.x(reading.date))%" \
                cy="\(length: top + value.y(unit.displayed(reading.value), height: height))" r="7">\
                <title>\(plain: noted.words[reading] ?? "")</title></circle>
                """
        }
        return ChartFigure(
            title: "Weight and trend", description: description(measured, unit),
            drawing: drawing, height: top + height + ChartFigure.bottomMargin,
            axis: value.labels(top: top, height: height, unit: unit), legend: legend(noted),
            head: "Measured",
            columns: [.init(title: unit.symbol), .init(title: "source", isNumber: false)]
                + (noted.words.isEmpty ? [] : [.init(title: "note", isNumber: false)]),
            rows: measured.suffix(SVGSeries.maximumMarks).map { row($0, noted, time, unit) }
        ).html
    }

    /// The sources in descending order of their number of weights, which determines their colours.
    private var sources: [String] {
        var counts: [String: Int] = [:]
        for reading in page.measured { counts[reading.source, default: 0] += 1 }
        return counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
            .map(\.key)
    }

    private func rank(_ source: String) -> Int { (sources.firstIndex(of: source) ?? 6) + 1 }

    private func legend(_ noted: NotedWeights) -> HTML {
        let keys = sources.enumerated().map { SourceColour.key($0.offset + 1, $0.element) }
        return """
            <div class="legend">\(keys)<span class="key"><svg class="patch" width="24" height="12" \
            aria-hidden="true"><path class="line" d="M0 6h24"/></svg>trend</span>\
            \(noteKey(noted))</div>
            """
    }

    private func noteKey(_ noted: NotedWeights) -> HTML? {
        if noted.words.isEmpty { return nil }
        return """
            <span class="key"><svg class="patch" width="24" height="12" aria-hidden="true">\
            <circle class="noted" cx="12" cy="6" r="5"/></svg>with a note</span>
            """
    }

    /// Returns the weights. If there are more than 600, divides the chart into 300 columns and
    /// returns the lowest and the highest weight of each.
    private func drawn(
        _ measured: [WeightPage.Reading], _ time: ChartTimeAxis
    ) -> [WeightPage.Reading] {
        guard measured.count > SVGSeries.maximumMarks else { return measured }
        let columns = Double(SVGSeries.maximumMarks / 2)
        let groups = Dictionary(grouping: measured) {
            min(columns - 1, (time.x($0.date) / 100 * columns).rounded(.down))
        }
        return groups.sorted { $0.key < $1.key }.flatMap { _, group in
            let low = group.min { $0.value < $1.value }
            let high = group.max { $0.value < $1.value }
            return low == high ? [low].compactMap(\.self) : [low, high].compactMap(\.self)
        }
    }

    private func line(
        _ trend: [WeightPage.TrendPoint], _ time: ChartTimeAxis, _ value: ChartValueAxis,
        _ height: Double, _ unit: ChartUnit
    ) -> HTML {
        let size = max(1, (trend.count + SVGSeries.maximumMarks - 1) / SVGSeries.maximumMarks)
        var path = HTML.empty
        var previous: Date?
        for (index, point) in trend.enumerated() where index % size == 0 || index == trend.count - 1
        {
            let isNear =
                previous.map { point.date.timeIntervalSince($0) < TrendLine.shortestGap } ?? false
            let x = (time.x(point.date) + time.x(point.date.addingTimeInterval(86_400))) * 5
            path += """
                \(isNear ? "L" : "M")\(length: x) \
                \(length: value.y(unit.displayed(point.value), height: height))\(isNear ? "" : "h0")
                """
            previous = point.date
        }
        return "<path class=\"line\" d=\"\(path)\"/>"
    }

    private func description(_ measured: [WeightPage.Reading], _ unit: ChartUnit) -> String {
        guard let low = measured.min(by: { $0.value < $1.value }),
            let high = measured.max(by: { $0.value < $1.value })
        else { return "No weights in this range." }
        return "\(measured.count) weights from \(unit.amount(low.value)) "
            + "(\(PageDateText.short(calendar.civilDate(of: low.date)))) to \(unit.amount(high.value)) "
            + "(\(PageDateText.short(calendar.civilDate(of: high.date))))."
    }

    private func row(
        _ reading: WeightPage.Reading, _ noted: NotedWeights, _ time: ChartTimeAxis,
        _ unit: ChartUnit
    ) -> ChartFigure.Row {
        ChartFigure.Row(
            x: time.x(reading.date), head: PageDateText.moment(reading.date, calendar),
            cells: ["\(unit.text(reading.value))", "\(name: reading.source)"]
                + (noted.words.isEmpty
                    ? [] : [noted.words[reading].map { "\(name: $0)" } ?? .empty]))
    }
}
