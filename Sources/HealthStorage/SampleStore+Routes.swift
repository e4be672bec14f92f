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
        try read { db in
            guard
                let points = try Data.fetchOne(
                    db, sql: "SELECT points FROM route WHERE id = ?", arguments: [number])
            else {
                throw StoreError(
                    .corrupt, "The store lacks the points of a route that a workout names.")
            }
            return try PackedRoute.points(from: [UInt8](points))
        }
    }

    /// How many points an imported route has, without reading them; 0 if there are none of the number.
    ///
    /// - Complexity: O(log routes).
    public func routePointCount(_ number: Int64) throws -> Int {
        try read { db in
            try Int.fetchOne(db, sql: "SELECT count FROM route WHERE id = ?", arguments: [number])
                ?? 0
        }
    }
}
