import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// A chart of a metric over time. Amounts and states are bars from zero. Readings, and series with
/// more than 600 points, are a line with a band from the lowest to the highest value. Missing
/// values are gaps; the current bucket is hatched.
struct SVGSeries {
    /// The maximum number of points that are drawn, about two for each CSS pixel of a phone's
    /// width.
    static let maximumMarks = 600

    /// How the table labels a point: with its bucket ("Sat 9 Mar 2024") or with its start
    /// ("14:05").
    enum PointLabels { case period, clock }

    /// The days or other points that a typical range is of: those of the chart, or those up to a day.
    enum TypicalDays { case shown, upTo(CivilDate) }

    let series: HealthSeries
    let calendar: Calendar
    var typicalRange: TypicalRange?
    /// The days that the typical range is of.
    var typicalDays = TypicalDays.shown
    var goal: Double?
    var height = ChartFigure.Height.regular
    var pointLabels = PointLabels.period
    /// The displayed range; nil for the range of the series.
    var range: DateInterval?
    /// The start of the point that is drawn stronger than the others; nil if none is.
    var picked: Date?
    /// The pages that the points lead to; nil for none.
    var link: SeriesLink?
    /// The address to which the script adds `from` and `to` of a selected range, such as
    /// "/type/stepCount?"; nil if ranges can't be selected.
    var address: String?
    /// A series whose values the axis includes, so that two charts can be compared.
    var sameScale: HealthSeries?
    /// The notes on the days of the range, in order of day.
    var notes: [DayNote] = []

    var figure: HTML {
        let points = Self.drawn(series.points)
        let isCondensed = points.count < series.points.count
        let drawsBars = series.metric.kind != .reading && !isCondensed
        let unit = unit
        let time = ChartTimeAxis(displayedRange, calendar: calendar)
        let values = (points + (sameScale?.points ?? [])).flatMap {
            [$0.value, $0.minimum, $0.maximum].compactMap(\.self)
        }
        let lines = [goal, typicalRange?.low, typicalRange?.high].compactMap(\.self)
        let value = ChartValueAxis(
            values + lines, of: series.metric, in: unit, from: drawsBars ? .zero : .data)
        let plot = Plot(
            time: time, value: value, unit: unit, top: ChartFigure.topMargin,
            height: height.rawValue, picked: picked)
        var drawing = typicalRangeBand(plot)
        drawing += value.grid(top: plot.top, height: plot.height)
        drawing += time.drawing(top: plot.top, height: plot.height)
        drawing += drawsBars ? plot.bars(points) : plot.line(points)
        drawing += goalLine(plot)
        drawing += hits(points, plot)
        let noted = NotedPoints(notes, of: points, series.step, calendar)
        drawing += noted.marks(points, plot) { link?.address($0, series.step, calendar) }
        return ChartFigure(
            title: title(unit), description: description(points, unit, isCondensed: isCondensed),
            drawing: drawing,
            height: height.rawValue + ChartFigure.topMargin + ChartFigure.bottomMargin,
            axis: value.labels(top: plot.top, height: plot.height, unit: unit),
            legend: legend(unit, noted),
            head: pointLabels == .clock ? "Time" : series.step.rawValue.capitalized,
            columns: columns(unit, drawsBars: drawsBars) + noted.columns,
            rows: noted.adding(
                to: points.map { row($0, time, unit, drawsBars: drawsBars) }),
            attributes: attributes
        ).html
    }

    private var unit: ChartUnit {
        let values = series.points.flatMap { [$0.value, $0.maximum].compactMap(\.self) }
        return ChartUnit(series.metric, largest: values.filter(\.isFinite).map(abs).max() ?? 0)
    }

    private var displayedRange: DateInterval {
        if let range { return range }
        guard let first = series.points.first, let last = series.points.last,
            first.start <= last.end
        else { return DateInterval(start: .distantPast, duration: 0) }
        return DateInterval(start: first.start, end: last.end)
    }

    private var attributes: HTML {
        guard let address else { return .empty }
        // Local times as if they were UTC, so that the script can turn them into days without
        // knowing the time zone.
        func seconds(_ time: Date) -> Int {
            let offset = Double(calendar.offset(at: time))
            return Int(clamping: time.timeIntervalSince1970.rounded(.down) + offset)
        }
        return """
             data-zoom="\(address)" data-from="\(seconds(displayedRange.start))" \
            data-to="\(seconds(displayedRange.end))"
            """
    }
}

extension SVGSeries {
    /// Returns the points. If there are more than ``maximumMarks``, returns one point for each
    /// group of successive ones, with their average, lowest and highest value.
    static func drawn(_ points: [HealthSeries.Point]) -> [HealthSeries.Point] {
        guard points.count > maximumMarks else { return points }
        let size = (points.count + maximumMarks - 1) / maximumMarks
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
        let words = series.metric.displayName.capitalizedFirst
        return self.pointLabels == .clock ? words : "\(words) by \(series.step.rawValue)"
    }

    private func description(
        _ points: [HealthSeries.Point], _ unit: ChartUnit, isCondensed: Bool
    ) -> String {
        let known = points.filter { $0.value?.isFinite ?? false }
        guard let least = known.min(by: { ($0.value ?? 0) < ($1.value ?? 0) }),
            let highest = known.max(by: { ($0.value ?? 0) < ($1.value ?? 0) })
        else { return "No data in this range." }
        let steps = pointLabels == .clock ? "moments" : series.step.rawValue + "s"
        var text =
            "\(known.count) of \(points.count) \(steps) have data, from "
            + "\(unit.amount(least.value ?? 0)) (\(name(least))) to "
            + "\(unit.amount(highest.value ?? 0)) (\(name(highest)))."
        if isCondensed {
            let size = (series.points.count + Self.maximumMarks - 1) / Self.maximumMarks
            text += " Each mark is \(size) \(steps): average, lowest and highest."
        }
        return text
    }

    private func name(_ point: HealthSeries.Point) -> String {
        switch pointLabels {
        case .period: PageDateText.period(point.start, point.end, series.step, calendar)
        case .clock: PageDateText.clock(point.start, calendar)
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
            value.map { "\(unit.readable($0))" } ?? "<span class=\"none\">no data</span>"
        }
        let middle = (time.x(point.start) + time.x(point.end)) / 2
        let isKnown = point.value != nil
        return ChartFigure.Row(
            x: middle, head: name(point) + (point.isCurrent ? " (so far)" : ""),
            address: link?.address(point, series.step, calendar),
            cells: drawsBars
                ? [cell(point.value)]
                : [cell(point.value)]
                    + [point.minimum, point.maximum].map { isKnown ? cell($0 ?? point.value) : "" })
    }

    /// The maximum number of points with an area of their own in the drawing. The script makes the whole
    /// drawing lead to the row of the table that is nearest.
    private static let maximumHits = 62

    /// An area for each point, as high as the drawing, that leads to the point's page.
    private func hits(_ points: [HealthSeries.Point], _ plot: Plot) -> HTML {
        guard let link, points.count <= Self.maximumHits else { return .empty }
        return points.compactMap { point -> HTML? in
            guard point.value != nil,
                let address = link.address(point, series.step, calendar)
            else { return nil }
            let (left, right) = (plot.time.x(point.start), plot.time.x(point.end))
            let area = HTML.bar(
                "hit", x: left, width: right - left, y: plot.top, height: plot.height)
            return "<a href=\"\(address)\" tabindex=\"-1\" aria-hidden=\"true\">\(area)</a>"
        }.joined(.empty)
    }

    private func typicalRangeBand(_ plot: Plot) -> HTML {
        guard let typicalRange else { return .empty }
        let (top, bottom) = (plot.y(typicalRange.high), plot.y(typicalRange.low))
        let band = HTML.bar("usual", x: 0, width: 100, y: top, height: max(1, bottom - top))
        guard let median = typicalRange.median else { return band }
        let y = plot.y(median)
        return """
            \(band)<line class="median" x1="0" x2="100%" y1="\(length: y)" y2="\(length: y)"/>
            """
    }

    private func goalLine(_ plot: Plot) -> HTML {
        guard let goal else { return .empty }
        let y = plot.y(goal)
        return """
            <line class="goal" x1="0" x2="100%" y1="\(length: y)" y2="\(length: y)"/>
            """
    }

    /// The name of a point: "day", and "night" of sleep.
    private var pointName: String {
        series.metric == .sleep && series.step == .day ? "night" : series.step.rawValue
    }

    /// The last day of the typical range, if it isn't of the chart: " to Wed 25 Nov 2026".
    private var upTo: String {
        if case .upTo(let day) = typicalDays { " to \(PageDateText.short(day))" } else { "" }
    }

    /// The legend of the goal line, the typical range and the current bucket. Small charts have
    /// none; the typical range is stated beside them.
    private func legend(_ unit: ChartUnit, _ noted: NotedPoints) -> HTML {
        guard height != .small else { return .empty }
        var keys = HTML.empty
        if let goal {
            keys += """
                <span class="key"><svg class="patch" width="24" height="12" aria-hidden="true">\
                <path class="goal" d="M0 6h24"/></svg>goal \(unit.readable(goal))</span>
                """
        }
        if let typicalRange {
            let name = pointName
            keys += """
                <span class="key">\(SourceColour.typicalRange)typical \(name) \
                \(unit.readable(typicalRange.low))–\(unit.readable(typicalRange.high)) \
                (8 of 10 \(name)s, from \(counted(typicalRange.days, name, name + "s"))\(upTo))</span>
                """
            if let median = typicalRange.median {
                keys += """
                    <span class="key"><svg class="patch" width="24" height="12" aria-hidden="true">\
                    <path class="median" d="M0 6h24"/></svg>median \(unit.readable(median))</span>
                    """
            }
        }
        if series.points.contains(where: { $0.isCurrent && $0.value != nil }) {
            keys += "<span class=\"key\">\(SourceColour.swatch("now"))so far</span>"
        }
        if !noted.isEmpty { keys += NotedPoints.key }
        return keys.isEmpty ? .empty : "<div class=\"legend\">\(keys)</div>"
    }
}

extension String {
    /// The string with its first letter in uppercase.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension SVGSeries {
    /// The mapping of times and values to coordinates.
    struct Plot {
        let time: ChartTimeAxis
        let value: ChartValueAxis
        let unit: ChartUnit
        let top: Double
        let height: Double
        let picked: Date?

        func y(_ value: Double) -> Double {
            top + self.value.y(unit.displayed(value), height: height)
        }

        /// Bars: one shape for all complete buckets, one for the picked bucket, and a hatched one for the
        /// current bucket.
        func bars(_ points: [HealthSeries.Point]) -> HTML {
            let share = points.count > 60 ? 0.9 : 0.76
            let zero = y(0) - top
            var (shape, pickedShape, now) = (HTML.empty, HTML.empty, HTML.empty)
            for point in points {
                guard let value = point.value, value.isFinite else { continue }
                let (left, right) = (time.x(point.start), time.x(point.end))
                let width = (right - left) * share
                let x = left + (right - left) * (1 - share) / 2
                let end = y(value) - top
                // At least one CSS pixel high, so that a zero differs from a missing value.
                let (from, to) = (min(end, zero), max(end, zero))
                let tall = max(to - from, 1)
                if point.isCurrent {
                    now += HTML.bar("now", x: x, width: width, y: top + to - tall, height: tall)
                    continue
                }
                let bar: HTML = """
                    M\(length: x * 10) \(length: to - tall)h\(length: width * 10)\
                    v\(length: tall)h\(length: -width * 10)z
                    """
                // Without a picked bucket, all are as strong.
                if picked == nil || point.start == picked {
                    pickedShape += bar
                } else {
                    shape += bar
                }
            }
            let paths: HTML = """
                <path class="bars" d="\(shape)"/><path class="bars picked" d="\(pickedShape)"/>
                """
            return "\(HTML.stretched(height: height, top: top, paths))\(now)"
        }

        /// A bar from the minimum to the maximum of each point, for values that are two numbers.
        func pairs(_ points: [HealthSeries.Point]) -> HTML {
            points.compactMap { point -> HTML? in
                guard let value = point.value, value.isFinite else { return nil }
                let (low, high) = (y(point.minimum ?? value), y(point.maximum ?? value))
                let middle = (time.x(point.start) + time.x(point.end)) / 2
                return HTML.bar(
                    "pair", x: middle - 0.4, width: 0.8, y: high, height: max(2, low - high))
            }.joined(.empty)
        }

        /// Lines with their bands, one for each run of points without missing values.
        func line(_ points: [HealthSeries.Point]) -> HTML {
            var (bands, lines, dots) = (HTML.empty, HTML.empty, HTML.empty)
            for run in SVGSeries.lineRuns(points) {
                let places = run.map {
                    point -> (x: Double, low: Double, at: Double, high: Double) in
                    let value = point.value ?? 0
                    return (
                        (time.x(point.start) + time.x(point.end)) * 5,
                        y(point.minimum ?? value) - top, y(value) - top,
                        y(point.maximum ?? value) - top
                    )
                }
                for (index, place) in places.enumerated() {
                    lines += """
                        \(index == 0 ? "M" : "L")\(length: place.x) \(length: place.at)
                        """
                    bands += """
                        \(index == 0 ? "M" : "L")\(length: place.x) \(length: place.high)
                        """
                }
                // A run of one point is a line without length, whose round ends make it a dot.
                if let only = places.first, places.count == 1 {
                    dots += "M\(length: only.x) \(length: only.at)h0"
                }
                for place in places.reversed() {
                    bands += "L\(length: place.x) \(length: place.low)"
                }
                bands += "z"
            }
            var now = HTML.empty
            for point in points where point.isCurrent && point.value != nil {
                let (left, right) = (time.x(point.start), time.x(point.end))
                let value = point.value ?? 0
                let (high, low) = (y(point.maximum ?? value), y(point.minimum ?? value))
                now += HTML.bar(
                    "now", x: left, width: right - left, y: high - 2, height: low - high + 4)
            }
            let (band, line): (HTML, HTML) = (
                "<path class=\"band\" d=\"\(bands)\"/>", "<path class=\"line\" d=\"\(lines)\"/>"
            )
            let dot: HTML = dots.isEmpty ? .empty : "<path class=\"line lone\" d=\"\(dots)\"/>"
            return """
                \(HTML.stretched(height: height, top: top, band))\(now)\
                \(HTML.stretched(height: height, top: top, "\(line)\(dot)"))
                """
        }
    }

    /// Splits the points at missing values, or into single ones, if most values have no neighbour: a
    /// few short lines among dots would look like another kind of value.
    static func lineRuns(_ points: [HealthSeries.Point]) -> [ArraySlice<HealthSeries.Point>] {
        let runs = runs(points)
        let known = runs.reduce(0) { $0 + $1.count }
        guard runs.count * 3 > known * 2 else { return runs }
        return runs.flatMap { run in run.indices.map { run[$0...$0] } }
    }

    /// Splits the points at missing values. Values that aren't finite count as missing.
    static func runs(_ points: [HealthSeries.Point]) -> [ArraySlice<HealthSeries.Point>] {
        points.split { !($0.value?.isFinite ?? false) }
    }
}
