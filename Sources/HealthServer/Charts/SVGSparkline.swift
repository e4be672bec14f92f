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
        // Halved, because the difference of two large numbers may overflow.
        let span = maximum / 2 - low / 2
        let step = Self.width / Double(max(points.count, 1))
        func y(_ value: Double) -> Double {
            span > 0 ? 46 - (value / 2 - low / 2) / span * 44 : Self.height / 2
        }
        var path = HTML.empty
        var isConnected = false
        for (index, point) in points.enumerated() {
            guard let value = point.value, value.isFinite else {
                isConnected = false
                continue
            }
            let x = Double(index) * step
            if drawsBars {
                let top = min(y(value), 45)
                path += """
                    M\(length: x + step * 0.15) \(length: top)h\(length: step * 0.7)\
                    V46h\(length: -step * 0.7)z
                    """
            } else {
                let at: HTML = "\(length: x + step / 2) \(length: y(value))"
                // A line without length, whose round ends make it a dot, for a lone value.
                path += isConnected ? "L\(at)" : "M\(at)h0"
                isConnected = true
            }
        }
        let kind: HTML = drawsBars ? "bars" : "line"
        return """
            <svg class="spark" viewBox="0 0 280 48" preserveAspectRatio="none" aria-hidden="true">\
            <path class="\(kind)" d="\(path)"/></svg>
            """
    }
}
