import Foundation
import GRDB
public import HealthEngine

extension SampleStore {
    /// The points of an imported route, in order of time.
    ///
    /// ```swift
    /// guard let number = workout.routes.first?.storedPoints else { return }
    /// try store.routePoints(number).count   // 1860, for half an hour
    /// ```
    /// - Parameter number: ``WorkoutRoute/storedPoints``.
    /// - Throws: ``StoreError`` of code `corrupt` if there are none under this number, or what is there
    ///   is none.
    /// - Complexity: O(log routes + points).
    public func routePoints(_ number: Int64) throws -> [RoutePoint] {
        try read { db in try SampleStore.routePoints(number, db) }
    }

    private static func routePoints(_ number: Int64, _ db: Database) throws -> [RoutePoint] {
        guard
            let points = try Data.readOne(
                db, sql: "SELECT points FROM route WHERE id = ?", arguments: [number])
        else {
            throw StoreError(
                .corrupt, "The store lacks the points of a route that a workout names.")
        }
        return try PackedRoute.points(from: [UInt8](points))
    }

    /// Gives the workouts of a batch the points that are kept apart.
    static func addPoints(to batch: inout SampleBatch, _ db: Database) throws {
        for (index, detail) in batch.details {
            guard case .workout(var workout) = detail else { continue }
            for place in workout.routes.indices {
                guard let number = workout.routes[place].storedPoints else { continue }
                workout.routes[place].points = try routePoints(number, db)
            }
            batch.details[index] = .workout(workout)
        }
    }

    /// How many points an imported route has, without reading them; 0 if there are none of the number.
    ///
    /// - Complexity: O(log routes).
    public func routePointCount(_ number: Int64) throws -> Int {
        try read { db in
            try Int.readOne(db, sql: "SELECT count FROM route WHERE id = ?", arguments: [number])
                ?? 0
        }
    }
}
