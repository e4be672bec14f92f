import GRDB
import HealthEngine

extension IntakeWriter {
    /// Adds locations to the routes of stored workouts that came on the same route. A record whose
    /// workout isn't stored is kept as it was sent.
    func takeLateRoutes() throws {
        for route in page.routes {
            guard let stored = try lookup.row(route.workout) else {
                try keep(route.index, name: "series.workoutRoute", reason: "unknown", route.json)
                note(route.index, .unknown, reason: "series.workoutRoute")
                continue
            }
            // With the content of an export, the workout has its whole route.
            guard stored.route == self.route, let text = stored.detail,
                case .workout(var workout) = try StoredText.detail(from: text),
                workout.add(route.points)
            else {
                note(route.index, .duplicate)
                continue
            }
            let next = replacement.nextSequence()
            try db.executeKept(
                sql: "UPDATE sample SET sequence = ? WHERE sequence = ?",
                arguments: [next, stored.sequence])
            try db.executeKept(
                sql: "UPDATE detail SET content = ? WHERE sequence = ?",
                arguments: [try StoredText.detail(.workout(workout)), next])
            note(route.index, .changed, id: route.workout.description)
        }
    }
}

extension SampleDetail {
    /// Adds the locations of a stored workout, which may have arrived after it, to the same workout.
    mutating func addRoutes(of stored: String?) throws {
        guard case .workout(var workout) = self, let stored,
            case .workout(let known) = try StoredText.detail(from: stored),
            workout.add(known.routes.flatMap(\.points))
        else { return }
        self = .workout(workout)
    }
}

extension Workout {
    /// Adds locations to the only route, or as the first one.
    ///
    /// - Returns: False if all locations are known, by their times.
    fileprivate mutating func add(_ points: [RoutePoint]) -> Bool {
        let known = Set(routes.flatMap(\.points).map(\.time))
        let new = points.filter { !known.contains($0.time) }
        if new.isEmpty { return false }
        let all = ((routes.first?.points ?? []) + new).sorted { $0.time < $1.time }
        let route = WorkoutRoute(start: all[0].time, end: all[all.count - 1].time, points: all)
        if routes.isEmpty { routes = [route] } else { routes[0] = route }
        return true
    }
}
