import GRDB
import HealthEngine

/// Routes that exist twice: as a sample that a device sent, and inside the exported content of its
/// workout, because an export has no samples of routes (Semantics §15.3).
struct RouteTwins {
    private static let route = Catalogue.type(named: "workoutRoute")?.code

    private let db: Database

    init(_ db: Database) { self.db = db }

    /// Whether samples of a type are routes.
    static func isRoute(_ type: Int32) -> Bool { type == route }

    /// Leaves out of a workout's content the routes that are members of the workout, with equal
    /// start and end to the second.
    ///
    /// - Parameter workout: The sequence number of the workout.
    func resolve(inWorkout workout: Int64) throws {
        let text = try String.readOne(
            db.cachedStatement(sql: "SELECT content FROM detail WHERE sequence = ?"),
            arguments: [workout])
        guard let text, case .workout(var content) = try StoredText.detail(from: text),
            !content.routes.isEmpty
        else { return }
        let members = try members(of: workout)
        let count = content.routes.count
        content.routes.removeAll { route in
            members.contains {
                abs($0.start - route.start) <= 1 && abs($0.end - route.end) <= 1
            }
        }
        if content.routes.count == count { return }
        try db.executeKept(
            sql: "UPDATE detail SET content = ? WHERE sequence = ?",
            arguments: [try StoredText.detail(.workout(content)), workout])
    }

    /// The times of the workout's routes that are samples with points.
    private func members(of workout: Int64) throws -> [(start: Double, end: Double)] {
        try CheckedRow.readAll(
            db,
            sql: """
                SELECT start_time, end_time FROM membership
                JOIN sample ON sample.sequence = child JOIN detail ON detail.sequence = child
                WHERE parent = ? AND sample.type = ?
                """, arguments: [workout, RouteTwins.route]
        ).map { (try $0["start_time"], try $0["end_time"]) }
    }
}
