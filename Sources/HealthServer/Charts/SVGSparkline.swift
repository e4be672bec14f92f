import HealthDashboard

/// A small drawing of a series without axes: bars for amounts and states, a line for readings. Missing
/// values are gaps. It is decoration beside a number, so it is hidden from screen readers.
struct SVGSparkline {
    let series: HealthSeries
    /// The number of last points that are drawn.
    var count = 28

    private static let (width, height) = (280.0, 48.0)

    var drawing: HTML {
        let points = series.points.suffix(count)
        let known = points.compactMap(\.value).filter(\.isFinite)
        guard let maximum = known.max(), let minimum = known.min() else { return .empty }
        let drawsBars = series.metric.kind != .reading
        let low = drawsBars ? min(0, minimum) : minimum
        // Halved, because the difference of two large numbers may overflow. At least as long as the axis
        // of a large chart, so that noise doesn't look like a change.
        let shortest = drawsBars ? 0 : series.metric.minimumAxisSpan / 2
        let span = max(maximum / 2 - low / 2, shortest)
        let middle = low / 2 + maximum / 2
        let base = drawsBars ? low : middle - span
        let step = Self.width / Double(max(points.count, 1))
        func y(_ value: Double) -> Double {
            span > 0 ? 46 - (value / 2 - base / 2) / span * 44 : Self.height / 2
        }
        let paths = drawsBars ? bars(points, step, y) : lines(points, step, y)
        return """
            <svg class="spark" viewBox="0 0 280 48" preserveAspectRatio="none" aria-hidden="true">\
            \(paths)</svg>
            """
    }

    private func bars(
        _ points: ArraySlice<HealthSeries.Point>, _ step: Double, _ y: (Double) -> Double
    ) -> HTML {
        var path = HTML.empty
        for (index, point) in points.enumerated() {
            guard let value = point.value, value.isFinite else { continue }
            let top = min(y(value), 45)
            path += """
                M\(length: (Double(index) + 0.15) * step) \(length: top)h\(length: step * 0.7)\
                V46h\(length: -step * 0.7)z
                """
        }
        return "<path class=\"bars\" d=\"\(path)\"/>"
    }

    /// A line for each run of values, and dots for lone ones.
    private func lines(
        _ points: ArraySlice<HealthSeries.Point>, _ step: Double, _ y: (Double) -> Double
    ) -> HTML {
        let points = Array(points)
        var (line, dots) = (HTML.empty, HTML.empty)
        for run in SVGSeries.lineRuns(points) {
            for (index, point) in zip(run.indices, run) {
                let at: HTML = """
                    \(length: (Double(index) + 0.5) * step) \(length: y(point.value ?? 0))
                    """
                if run.count == 1 {
                    // A line without length, whose round ends make it a dot.
                    dots += "M\(at)h0"
                } else {
                    line += "\(index == run.startIndex ? "M" : "L")\(at)"
                }
            }
        }
        let path: HTML = line.isEmpty ? .empty : "<path class=\"line\" d=\"\(line)\"/>"
        return dots.isEmpty ? path : "\(path)<path class=\"line lone\" d=\"\(dots)\"/>"
    }
}
