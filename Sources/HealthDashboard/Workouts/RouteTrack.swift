import Foundation

/// The legs of a workout: straight lines between successive points of its route, in order of time.
///
/// Points without a valid place are skipped. Between two points that are more than a minute apart
/// the workout was paused or the position unknown, so there is no leg.
struct RouteTrack {
    /// A straight line between two points.
    struct Leg: Hashable {
        var start: Date
        var end: Date
        /// The length, in metres.
        var metres: Double
        /// The climb, in metres; see ``ElevationGain``.
        var climb: Double

        var seconds: Double { end.timeIntervalSince(start) }
    }

    /// The maximum duration of a leg, in seconds.
    static let longestLeg = 60.0
    /// The mean radius of the WGS 84 ellipsoid, in metres: (2 · 6,378,137 + 6,356,752.3142) / 3.
    static let earthRadius = 6_371_008.7714
    /// The legs are scaled to the recorded distance if they differ by less than this share of it.
    static let scaledDifference = 0.2

    private(set) var legs: [Leg] = []
    /// The length of all legs, in metres.
    private(set) var distance = 0.0
    /// The climb of the whole route, in metres; nil with fewer than two known altitudes.
    let climb: Double?

    /// Creates the legs of a route.
    ///
    /// - Parameters:
    ///   - points: The points in order of time.
    ///   - recordedDistance: The workout's distance in metres, which is more exact than the sum of
    ///     the legs; nil if it was not recorded.
    init(_ points: [WorkoutDetail.RoutePoint], recordedDistance: Double?) {
        let points = points.filter(\.isValid)
        let climbs = ElevationGain.climbs(points)
        climb = ElevationGain.isKnown(of: points) ? climbs.reduce(0, +) : nil
        for index in points.indices.dropFirst() {
            let (from, to) = (points[index - 1], points[index])
            guard !to.isAfterPause(since: from) else { continue }
            legs.append(
                Leg(
                    start: from.time, end: to.time, metres: from.metres(to: to),
                    climb: climbs[index]))
        }
        distance = legs.reduce(0) { $0 + $1.metres }
        scale(to: recordedDistance)
    }

    private mutating func scale(to recorded: Double?) {
        guard let recorded, recorded.isFinite, recorded > 0, distance > 0,
            abs(distance - recorded) < Self.scaledDifference * recorded
        else { return }
        let factor = recorded / distance
        for index in legs.indices { legs[index].metres *= factor }
        distance = recorded
    }

    /// Returns the points of several routes of a workout as one route, in order of time. Where
    /// routes overlap in time, the points of the one that starts first are used, because a path
    /// that alternates between two devices would be too long.
    static func joined(
        _ routes: [[WorkoutDetail.RoutePoint]]
    ) -> [WorkoutDetail.RoutePoint] {
        let sorted = routes.map { $0.sorted { $0.time < $1.time } }.filter { !$0.isEmpty }
            .sorted { ($0.first?.time ?? .distantPast) < ($1.first?.time ?? .distantPast) }
        var points: [WorkoutDetail.RoutePoint] = []
        for route in sorted {
            let end = points.last?.time
            points += route.drop { point in end.map { point.time <= $0 } ?? false }
        }
        return points
    }
}

extension WorkoutDetail.RoutePoint {
    /// Whether the time is finite, the latitude within ±90° and the longitude within ±180°.
    var isValid: Bool {
        time.timeIntervalSinceReferenceDate.isFinite && abs(latitude) <= 90
            && abs(longitude) <= 180
    }

    /// Returns whether the workout was paused, or the position unknown, between an earlier point
    /// and this one.
    func isAfterPause(since earlier: Self) -> Bool {
        time.timeIntervalSince(earlier.time) > RouteTrack.longestLeg
    }

    /// Returns the distance of another point in metres, by the haversine formula on a sphere with
    /// the radius ``RouteTrack/earthRadius``.
    func metres(to other: Self) -> Double {
        let radians = Double.pi / 180
        let north = sin((other.latitude - latitude) * radians / 2)
        let east = sin((other.longitude - longitude) * radians / 2)
        let share =
            north * north + cos(latitude * radians) * cos(other.latitude * radians) * east * east
        // Rounding may give slightly more than 1 for opposite points.
        return 2 * RouteTrack.earthRadius * asin(min(1, share.squareRoot()))
    }
}
