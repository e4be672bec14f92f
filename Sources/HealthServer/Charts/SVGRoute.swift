import Foundation
import HealthDashboard

/// A drawing of a workout's route without a map. North is up, and a bar shows the scale.
struct SVGRoute {
    static let maximumPlaces = 600
    private static let (width, height, margin) = (640.0, 400.0, 24.0)

    let route: [WorkoutDetail.RoutePoint]
    let calendar: Calendar

    /// The drawing; nil if the route has fewer than two valid places.
    var figure: HTML? {
        let places = route.filter {
            abs($0.latitude) <= 90 && abs($0.longitude) <= 180
                && $0.time.timeIntervalSince1970.isFinite
        }
        guard let first = places.first, let last = places.last, places.count > 1 else { return nil }
        let projection = Projection(places)
        let size = (places.count + Self.maximumPlaces - 1) / Self.maximumPlaces
        let (start, end) = (projection.point(first), projection.point(last))
        let (bar, words) = projection.scale
        let low = Self.height - 12
        let timeRange =
            "\(PageDateText.clock(first.time, calendar)) to \(PageDateText.clock(last.time, calendar))"
        return """
            <figure class="chart"><svg class="route" viewBox="0 0 640 400" role="img">\
            <title>Route</title><desc>The route from \(timeRange), north at the top; scale bar \
            \(words).</desc><path class="way" d="\(path(places, every: size, projection))"/>\
            <circle class="way-end" cx="\(length: end.x)" cy="\(length: end.y)" r="10"/>\
            <circle class="way-start" cx="\(length: start.x)" cy="\(length: start.y)" r="5"/>\
            <path class="scale" d="M24 \(length: low - 6)v6h\(length: bar)v-6"/></svg>\
            <figcaption>Filled dot: start, \(PageDateText.clock(first.time, calendar)). \
            Ring: end, \(PageDateText.clock(last.time, calendar)). Scale bar: \(words). \
            North is at the top.</figcaption></figure>

            """
    }

    /// Builds the path from every `size`-th place and the last one. A line that would end at a
    /// place more than a minute after the recorded place before it is left out.
    private func path(
        _ places: [WorkoutDetail.RoutePoint], every size: Int, _ projection: Projection
    ) -> HTML {
        var path = HTML.empty
        var previous: Date?
        for index in places.indices where index % size == 0 || index == places.count - 1 {
            let place = places[index]
            let point = projection.point(place)
            let before = index > 0 ? places[index - 1].time : place.time
            let isNear = previous != nil && place.time.timeIntervalSince(before) <= 60
            path += "\(isNear ? "L" : "M")\(length: point.x) \(length: point.y)"
            previous = place.time
        }
        return path
    }

    /// A projection from degrees to the drawing's units, with the same scale in both directions.
    private struct Projection {
        let west: Double
        let north: Double
        /// Drawing units per degree of latitude.
        let perDegree: Double
        /// The length of a degree of longitude relative to one of latitude, in the middle of the
        /// route.
        let longitudeScale: Double
        let (left, top): (Double, Double)

        init(_ places: [WorkoutDetail.RoutePoint]) {
            let latitudes = places.map(\.latitude)
            let longitudes = places.map(\.longitude)
            let (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
            let (west, east) = (longitudes.min() ?? 0, longitudes.max() ?? 0)
            longitudeScale = max(0.01, cos((south + north) / 2 * .pi / 180))
            let available = (
                SVGRoute.width - 2 * SVGRoute.margin, SVGRoute.height - 3 * SVGRoute.margin
            )
            // At least 0.0001 degrees, about eleven metres, which limits the scale for a stationary
            // route.
            let wide = max((east - west) * longitudeScale, 0.0001)
            let high = max(north - south, 0.0001)
            perDegree = min(available.0 / wide, available.1 / high)
            left = (SVGRoute.width - (east - west) * longitudeScale * perDegree) / 2
            top = SVGRoute.margin + (available.1 - (north - south) * perDegree) / 2
            (self.west, self.north) = (west, north)
        }

        func point(_ place: WorkoutDetail.RoutePoint) -> (x: Double, y: Double) {
            (
                left + (place.longitude - west) * longitudeScale * perDegree,
                top + (north - place.latitude) * perDegree
            )
        }

        private static let scaleNumbers = [
            1.0, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000,
        ]

        /// The length of the scale bar in drawing units, and its label: 1, 2 or 5 times a power of
        /// ten metres or kilometres, feet or miles, at most a quarter of the drawing's width.
        var scale: (length: Double, words: String) {
            let perMetre = perDegree / 111_320
            var best = (metres: 0.0, words: "")
            for (unit, length) in [(DisplayUnit("m"), 1.0), (DisplayUnit("km"), 1000)] {
                for number in Self.scaleNumbers {
                    let metres = number / unit.factor * length
                    guard metres > best.metres, metres * perMetre <= 160 else { continue }
                    if length == 1, metres >= 1000 { continue }
                    best = (metres, "\(NumberText.grouped(number)) \(unit.symbol)")
                }
            }
            return (best.metres * perMetre, best.words)
        }
    }
}
