import Foundation
import HealthDashboard
import HealthEngine

/// A metric over time: bars from zero for amounts and states, a line with the band from lowest to
/// highest for readings. What is missing is a gap; the step that goes on is hatched.
struct SVGSeries {
    /// At most so many marks, two for each point of a phone's drawing.
    static let mostMarks = 600

    /// How a step is called in the table.
    enum Words { case period, clock }

    let series: HealthSeries
    let calendar: Calendar
    var usual: UsualRange?
    var goal: Double?
    var height = ChartFigure.Height.regular
    var words = Words.period
    /// The whole width; nil for the series' own.
    var range: DateInterval?
    /// Where a stretch of the drawing leads, without its `from` and `to`: "/trends?metric=stepCount".
    var address: String?

    var figure: HTML {
        let points = Self.drawn(series.points)
        let isCondensed = points.count < series.points.count
        let drawsBars = series.metric.kind != .reading && !isCondensed
        let unit = unit
        let time = ChartTimeAxis(wholeRange, calendar: calendar)
        let values = points.flatMap { [$0.value, $0.minimum, $0.maximum].compactMap(\.self) }
        let lines = [goal, usual?.low, usual?.high].compactMap(\.self)
        let value = ChartValueAxis(
            (values + lines).map { $0 * unit.factor }, from: drawsBars ? .zero : .data)
        let plot = Plot(
            time: time, value: value, factor: unit.factor, top: ChartFigure.above,
            height: height.rawValue)
        var drawing = usualBand(plot)
        drawing += value.grid(top: plot.top, height: plot.height)
        drawing += time.drawing(top: plot.top, height: plot.height)
        drawing += drawsBars ? plot.bars(points) : plot.line(points)
        drawing += goalLine(plot)
        return ChartFigure(
            title: title(unit), description: description(points, unit, isCondensed: isCondensed),
            drawing: drawing, height: height.rawValue + ChartFigure.above + ChartFigure.below,
            axis: value.words(top: plot.top, height: plot.height, unit: unit),
            legend: legend(unit), head: words == .clock ? "Time" : series.step.rawValue.capitalized,
            columns: columns(unit, drawsBars: drawsBars),
            rows: points.map { row($0, time, unit, drawsBars: drawsBars) },
            attributes: attributes
        ).html
    }

    private var unit: ChartUnit {
        let values = series.points.flatMap { [$0.value, $0.maximum].compactMap(\.self) }
        return ChartUnit(series.metric, largest: values.filter(\.isFinite).map(abs).max() ?? 0)
    }

    private var wholeRange: DateInterval {
        if let range { return range }
        guard let first = series.points.first, let last = series.points.last,
            first.start <= last.end
        else { return DateInterval(start: .distantPast, duration: 0) }
        return DateInterval(start: first.start, end: last.end)
    }

    private var attributes: HTML {
        guard let address else { return .empty }
        // As if the clock on the wall were UTC: the script turns them into days without a zone.
        func seconds(_ time: Date) -> Int {
            let offset = Double(calendar.timeZone.secondsFromGMT(for: time))
            return Int(clamping: time.timeIntervalSince1970.rounded(.down) + offset)
        }
        return """
             data-zoom="\(address)" data-from="\(seconds(wholeRange.start))" \
            data-to="\(seconds(wholeRange.end))"
            """
    }
}

extension SVGSeries {
    /// The points themselves or, where they are too many, average, lowest and highest of so many at a
    /// time.
    static func drawn(_ points: [HealthSeries.Point]) -> [HealthSeries.Point] {
        guard points.count > mostMarks else { return points }
        let size = (points.count + mostMarks - 1) / mostMarks
        return stride(from: 0, to: points.count, by: size).map { start in
            let group = points[start..<min(start + size, points.count)]
            let values = group.compactMap(\.value)
            return HealthSeries.Point(
                start: group.first?.start ?? .distantPast, end: group.last?.end ?? .distantPast,
                value: values.isEmpty ? nil : values.reduce(0, +) / Double(values.count),
                minimum: group.compactMap { $0.minimum ?? $0.value }.min(),
                maximum: group.compactMap { $0.maximum ?? $0.value }.max(),
                isCurrent: group.contains(where: \.isCurrent))
        }
    }

    private func title(_ unit: ChartUnit) -> String {
        let words = series.metric.words.capitalizedFirst
        return self.words == .clock ? words : "\(words) by \(series.step.rawValue)"
    }

    private func description(
        _ points: [HealthSeries.Point], _ unit: ChartUnit, isCondensed: Bool
    ) -> String {
        let known = points.filter { $0.value?.isFinite ?? false }
        guard let least = known.min(by: { ($0.value ?? 0) < ($1.value ?? 0) }),
            let most = known.max(by: { ($0.value ?? 0) < ($1.value ?? 0) })
        else { return "No data in this range." }
        let steps = words == .clock ? "moments" : series.step.rawValue + "s"
        var text =
            "\(known.count) of \(points.count) \(steps) have data, from "
            + "\(unit.amount(least.value ?? 0)) (\(name(least))) to "
            + "\(unit.amount(most.value ?? 0)) (\(name(most)))."
        if isCondensed {
            let size = (series.points.count + Self.mostMarks - 1) / Self.mostMarks
            text += " Each mark is \(size) \(steps): average, lowest and highest."
        }
        return text
    }

    private func name(_ point: HealthSeries.Point) -> String {
        switch words {
        case .period: DateWords.period(point.start, point.end, series.step, calendar)
        case .clock: DateWords.clock(point.start, calendar)
        }
    }

    private func columns(_ unit: ChartUnit, drawsBars: Bool) -> [ChartFigure.Column] {
        drawsBars
            ? [.init(title: unit.symbol)]
            : [
                .init(title: "average \(unit.symbol)"), .init(title: "lowest"),
                .init(title: "highest"),
            ]
    }

    private func row(
        _ point: HealthSeries.Point, _ time: ChartTimeAxis, _ unit: ChartUnit, drawsBars: Bool
    ) -> ChartFigure.Row {
        func cell(_ value: Double?) -> HTML {
            value.map { "\(unit.text($0))" } ?? "<span class=\"none\">no data</span>"
        }
        let middle = (time.x(point.start) + time.x(point.end)) / 2
        let isKnown = point.value != nil
        return ChartFigure.Row(
            x: middle, head: name(point) + (point.isCurrent ? " (so far)" : ""),
            cells: drawsBars
                ? [cell(point.value)]
                : [cell(point.value)]
                    + [point.minimum, point.maximum].map { isKnown ? cell($0 ?? point.value) : "" })
    }

    private func usualBand(_ plot: Plot) -> HTML {
        guard let usual else { return .empty }
        let (top, bottom) = (plot.y(usual.high), plot.y(usual.low))
        return HTML.bar("usual", x: 0, width: 100, y: top, height: max(1, bottom - top))
    }

    private func goalLine(_ plot: Plot) -> HTML {
        guard let goal else { return .empty }
        let y = plot.y(goal)
        return """
            <line class="goal" x1="0" x2="100%" y1="\(length: y)" y2="\(length: y)"/>
            """
    }

    /// The names of the line and the band; small drawings have them in the words above.
    private func legend(_ unit: ChartUnit) -> HTML {
        guard height != .small else { return .empty }
        var keys = HTML.empty
        if let goal {
            keys += """
                <span class="key"><svg class="patch" width="24" height="12" aria-hidden="true">\
                <path class="goal" d="M0 6h24"/></svg>goal \(unit.text(goal))</span>
                """
        }
        if let usual {
            keys += """
                <span class="key">\(SourceColour.usual)usual \(unit.text(usual.low))–\
                \(unit.text(usual.high)), 8 in 10 of \(usual.days)</span>
                """
        }
        if series.points.contains(where: \.isCurrent) {
            keys += "<span class=\"key\">\(SourceColour.patch("now"))so far</span>"
        }
        return keys.isEmpty ? .empty : "<div class=\"legend\">\(keys)</div>"
    }
}

extension String {
    /// "Steps" of "steps".
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
