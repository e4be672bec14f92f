import Foundation
import HealthDashboard

extension SVGSeries {
    /// Where values and times lie.
    struct Plot {
        let time: ChartTimeAxis
        let value: ChartValueAxis
        let factor: Double
        let top: Double
        let height: Double

        func y(_ value: Double) -> Double {
            top + self.value.y(value * factor, height: height)
        }

        /// All complete steps as one shape; the one that goes on by itself, hatched.
        func bars(_ points: [HealthSeries.Point]) -> HTML {
            let share = points.count > 60 ? 0.9 : 0.76
            let zero = y(0) - top
            var shape = HTML.empty
            var now = HTML.empty
            for point in points {
                guard let value = point.value, value.isFinite else { continue }
                let (left, right) = (time.x(point.start), time.x(point.end))
                let width = (right - left) * share
                let x = left + (right - left) * (1 - share) / 2
                let end = y(value) - top
                // Nothing but zero is a hairline: unlike what is missing it was recorded.
                let (from, to) = (min(end, zero), max(end, zero))
                let tall = max(to - from, 1)
                if point.isCurrent {
                    now += HTML.bar("now", x: x, width: width, y: top + to - tall, height: tall)
                } else {
                    shape += """
                        M\(length: x * 10) \(length: to - tall)h\(length: width * 10)\
                        v\(length: tall)h\(length: -width * 10)z
                        """
                }
            }
            return """
                \(HTML.stretched(height: height, top: top, "<path class=\"bars\" d=\"\(shape)\"/>"))\
                \(now)
                """
        }

        /// Unbroken runs of readings, each a band below its line.
        func line(_ points: [HealthSeries.Point]) -> HTML {
            var (bands, lines, dots) = (HTML.empty, HTML.empty, HTML.empty)
            for run in SVGSeries.runs(points) {
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
                // A run of one would be nothing: round ends make it a dot.
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

    /// Neighbours that have values; what is missing between two runs stays open.
    static func runs(_ points: [HealthSeries.Point]) -> [ArraySlice<HealthSeries.Point>] {
        points.split { !($0.value?.isFinite ?? false) }
    }
}
