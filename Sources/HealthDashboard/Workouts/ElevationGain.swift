import Foundation

/// The climb along a route: the sum of all climbs of at least three metres.
///
/// A climb begins at the lowest point since the last descent of three metres, and ends at the
/// highest point before the next one. Smaller changes are not counted, because they are noise: the
/// altimeters of watches and phones report an accuracy of one to four metres, and the sum of all
/// small rises of a flat route would be hundreds of metres.
enum ElevationGain {
    /// The smallest climb or descent that counts, in metres.
    static let threshold = 3.0

    /// Returns for each point the metres climbed since the point before it. A climb ends at a
    /// pause, because a lift is no climb.
    ///
    /// - Parameter points: The points in order of time; those without an altitude have no climb.
    /// - Complexity: O(*n*).
    static func climbs(_ points: [WorkoutDetail.RoutePoint]) -> [Double] {
        var climbs = [Double](repeating: 0, count: points.count)
        /// The indices and altitudes of the current climb's lowest and highest point.
        var climb: (low: Place, high: Place)?
        for (index, point) in points.enumerated() {
            if index > 0, point.isAfterPause(since: points[index - 1]) {
                add(climb, of: points, to: &climbs)
                climb = nil
            }
            guard let altitude = point.knownAltitude else { continue }
            let place = Place(index: index, altitude: altitude)
            guard let current = climb else {
                climb = (place, place)
                continue
            }
            if altitude > current.high.altitude {
                climb = (current.low, place)
            } else if current.high.altitude - altitude >= threshold {
                add(current, of: points, to: &climbs)
                climb = (place, place)
            } else if altitude < current.low.altitude {
                climb = (place, place)
            }
        }
        add(climb, of: points, to: &climbs)
        return climbs
    }

    /// Returns whether at least two points have an altitude.
    static func isKnown(of points: [WorkoutDetail.RoutePoint]) -> Bool {
        points.lazy.filter { $0.knownAltitude != nil }.prefix(2).count == 2
    }

    private struct Place {
        var index: Int
        var altitude: Double
    }

    /// Adds a climb of at least ``threshold`` to the points at which a new height was reached.
    private static func add(
        _ climb: (low: Place, high: Place)?, of points: [WorkoutDetail.RoutePoint],
        to climbs: inout [Double]
    ) {
        guard let climb, climb.high.altitude - climb.low.altitude >= threshold else { return }
        var reached = climb.low.altitude
        for index in climb.low.index...climb.high.index {
            guard let altitude = points[index].knownAltitude, altitude > reached else { continue }
            climbs[index] = altitude - reached
            reached = altitude
        }
    }
}

extension WorkoutDetail.RoutePoint {
    /// The altitude in metres; nil if it is unknown or not finite.
    var knownAltitude: Double? { altitude.flatMap { $0.isFinite ? $0 : nil } }
}
