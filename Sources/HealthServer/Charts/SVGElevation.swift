import Foundation
import HealthCalendar
import HealthDashboard

/// A chart of the altitude along a workout's route over time. Pauses of more than a minute are
/// gaps.
struct SVGElevation {
    /// The maximum number of points, which are spread evenly over the route.
    static let maximumPoints = 120
    /// The axis is at least as long in metres, so that noise doesn't look like a hill.
    private static let minimumSpan = 20.0
    /// Two points of the route that are more seconds apart are not connected.
    private static let longestGap = 60.0

    let route: [WorkoutDetail.RoutePoint]
    /// The climb of the whole route in metres; nil if it is not known.
    let gain: Double?
    let calendar: Calendar
    /// The displayed range: that of the workout.
    let range: DateInterval

    /// A point of the chart.
    private struct Place {
        var time: Date
        var altitude: Double
        /// The number of pauses before the point. Points are connected if it is equal.
        var pauses: Int
    }

    /// The chart; nil with fewer than two altitudes.
    var figure: HTML? {
        let places = places
        guard let low = places.min(by: { $0.altitude < $1.altitude }),
            let high = places.max(by: { $0.altitude < $1.altitude }), places.count > 1
        else { return nil }
        let time = ChartTimeAxis(range, calendar: calendar)
        let unit = ChartUnit(DisplayUnit("m"), digits: 0)
        let value = ChartValueAxis(
            places.map { unit.displayed($0.altitude) }, from: .data,
            minimumSpan: Self.minimumSpan * unit.factor)
        let (top, height) = (ChartFigure.topMargin, ChartFigure.Height.regular.rawValue)
        var drawing = value.grid(top: top, height: height)
        drawing += time.drawing(top: top, height: height)
        drawing += HTML.stretched(height: height, top: top, line(places, time, value, height, unit))
        let climb = gain.map { "; \(unit.amount($0)) of climbs" } ?? ""
        return ChartFigure(
            title: "Altitude",
            description: "From \(unit.amount(low.altitude)) "
                + "(\(PageDateText.clock(low.time, calendar))) to \(unit.amount(high.altitude)) "
                + "(\(PageDateText.clock(high.time, calendar)))\(climb).",
            drawing: drawing, height: top + height + ChartFigure.bottomMargin,
            axis: value.labels(top: top, height: height, unit: unit), head: "Time",
            columns: [.init(title: unit.symbol)],
            rows: places.map { place in
                ChartFigure.Row(
                    x: time.x(place.time), head: PageDateText.clock(place.time, calendar),
                    cells: ["\(unit.text(place.altitude))"])
            }
        ).html
    }

    private var places: [Place] {
        var all: [Place] = []
        var pauses = 0
        var last: Date?
        for point in route where point.time.timeIntervalSince1970.isFinite {
            if let last, point.time.timeIntervalSince(last) > Self.longestGap { pauses += 1 }
            last = point.time
            guard let altitude = point.altitude, altitude.isFinite else { continue }
            all.append(Place(time: point.time, altitude: altitude, pauses: pauses))
        }
        let size = max(1, (all.count + Self.maximumPoints - 1) / Self.maximumPoints)
        return stride(from: 0, to: all.count, by: size).map { all[$0] }
    }

    private func line(
        _ places: [Place], _ time: ChartTimeAxis, _ value: ChartValueAxis, _ height: Double,
        _ unit: ChartUnit
    ) -> HTML {
        var path = HTML.empty
        var previous: Int?
        for place in places {
            let isConnected = place.pauses == previous
            // A line without length, whose round ends make it a dot, begins each part.
            path += """
                \(isConnected ? "L" : "M")\(length: time.x(place.time) * 10) \
                \(length: value.y(unit.displayed(place.altitude), height: height))\(isConnected ? "" : "h0")
                """
            previous = place.pauses
        }
        return "<path class=\"line\" d=\"\(path)\"/>"
    }
}
