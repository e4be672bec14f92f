import Foundation
import GRDB
public import HealthEngine

/// Stores the points of imported routes under numbers derived from a hash of the points.
///
/// Equal points get the same number in every store, except after a hash collision, and are stored
/// once.
struct RouteTable {
    let db: Database
    let importID: Int64

    init(_ db: Database, importID: Int64) {
        self.db = db
        self.importID = importID
    }

    /// Stores the points of a workout's routes, and returns the workout with their numbers instead.
    ///
    /// A route without points gets the number of stored points with the same start, end and file
    /// name, from the latest import that has some; nil if there are none.
    func separatingPoints(_ detail: SampleDetail) throws -> SampleDetail {
        guard case .workout(var workout) = detail, !workout.routes.isEmpty else { return detail }
        for index in workout.routes.indices {
            let route = workout.routes[index]
            if route.points.isEmpty {
                workout.routes[index].storedPoints = try number(ofEarlier: route)
            } else {
                workout.routes[index].storedPoints = try insert(route)
                workout.routes[index].points = []
            }
        }
        return .workout(workout)
    }

    private func number(ofEarlier route: WorkoutRoute) throws -> Int64? {
        guard let file = RouteTable.fileName(of: route) else { return nil }
        return try Int64.readOne(
            db,
            sql: "SELECT id FROM route WHERE start_time = ? AND end_time = ? AND file = ? "
                + "ORDER BY import DESC LIMIT 1",
            arguments: [route.start, route.end, file])
    }

    private func insert(_ route: WorkoutRoute) throws -> Int64 {
        let points = PackedRoute.bytes(of: route.points.inOrderOfTime)
        var number = RouteTable.digest(points)
        while let stored = try Data.readOne(
            db, sql: "SELECT points FROM route WHERE id = ?", arguments: [number])
        {
            if stored.elementsEqual(points) { return number }
            number += 1
        }
        try db.execute(
            sql: "INSERT INTO route (id, import, start_time, end_time, file, count, points) "
                + "VALUES (?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                number, importID, route.start, route.end, RouteTable.fileName(of: route),
                route.points.count, Data(points),
            ])
        return number
    }

    /// Deletes the points that no workout refers to, neither a stored one nor a removed one that an
    /// undo can restore.
    ///
    /// - Complexity: O(workouts + their routes + removed rows); O(1) without any route.
    static func deleteOrphans(_ db: Database) throws {
        guard let workout = Catalogue.type(named: "workout")?.code,
            try Int.readOne(db, sql: "SELECT 1 FROM route LIMIT 1") != nil
        else { return }
        let names = "part.value ->> 'storedPoints'"
        try db.execute(
            sql: """
                DELETE FROM route WHERE id NOT IN (
                    SELECT \(names)
                    FROM sample CROSS JOIN detail ON detail.sequence = sample.sequence,
                        json_each(content, '$.workout.routes') part
                    WHERE sample.type = ?1 AND \(names) IS NOT NULL
                    UNION
                    SELECT \(names) FROM removed, json_each(detail, '$.workout.routes') part
                    WHERE removed.type = ?1 AND \(names) IS NOT NULL)
                """, arguments: [workout])
    }

    /// Takes the routes of an import out of workouts that were removed after it, because they go
    /// with the import.
    static func forgetRoutes(
        ofImport number: Int64, inRemovedAfter id: Int64, _ db: Database
    ) throws {
        try db.execute(
            sql: """
                UPDATE removed SET detail = json_set(detail, '$.workout.routes', json('[]'))
                WHERE id > ?1 AND import IS NULL AND type = ?2 AND EXISTS (
                    SELECT 1 FROM json_each(detail, '$.workout.routes') part
                    JOIN route ON route.id = part.value ->> 'storedPoints'
                    WHERE route.import = ?3)
                """, arguments: [id, Catalogue.type(named: "workout")?.code, number])
    }

    private static func fileName(of route: WorkoutRoute) -> String? {
        route.path?.split(separator: "/").last.map(String.init)
    }

    /// Returns a hash of 52 bits. JSON parsers that read numbers as doubles represent it exactly.
    private static func digest(_ bytes: [UInt8]) -> Int64 {
        let hash = FNV1a.hash(of: bytes)
        return Int64((hash ^ (hash >> 29)) >> 12)
    }

    /// Adds the numbers of points to the routes of a stored workout that have none, from the same
    /// workout in a new file.
    ///
    /// - Returns: The stored text with the added numbers; nil if there are none to add, or the
    ///   two texts don't have equally many routes.
    static func filling(_ old: String?, from new: String?) -> String? {
        // A text that can't be decoded adds nothing.
        guard let old, let new, case .workout(var stored)? = try? StoredText.detail(from: old),
            case .workout(let read)? = try? StoredText.detail(from: new),
            stored.routes.count == read.routes.count
        else { return nil }
        var isFilled = false
        for index in stored.routes.indices
        where stored.routes[index].storedPoints == nil && stored.routes[index].points.isEmpty {
            stored.routes[index].storedPoints = read.routes[index].storedPoints
            isFilled = isFilled || read.routes[index].storedPoints != nil
        }
        return isFilled ? try? StoredText.detail(.workout(stored)) : nil
    }
}

extension [RoutePoint] {
    /// The points in order of time. Points of equal time keep their order.
    fileprivate var inOrderOfTime: [RoutePoint] {
        if zip(self, dropFirst()).allSatisfy({ $0.time <= $1.time }) { return self }
        return enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }.map(\.element)
    }
}

extension SampleStore {
    /// Returns the points of an imported route, in order of time.
    ///
    /// ```swift
    /// let found = try store.objects([SampleRequest(store.type(named: "workout"))])
    /// for case .workout(let workout) in found.batch.details.values {
    ///     for number in workout.routes.compactMap(\.storedPoints) {
    ///         try store.routePoints(number).count   // 1860: one each second for 31 minutes
    ///     }
    /// }
    /// ```
    /// - Parameter number: `WorkoutRoute.storedPoints`.
    /// - Returns: The points, with coordinates in degrees and times in seconds since the reference
    ///   date.
    /// - Throws: ``StoreError`` of code `corrupt` if the store has no route of this number, or it
    ///   is damaged; other codes if the file can't be read.
    /// - Complexity: O(log routes + points).
    public func routePoints(_ number: Int64) throws -> [RoutePoint] {
        try read { db in try SampleStore.routePoints(number, db) }
    }

    private static func routePoints(_ number: Int64, _ db: Database) throws -> [RoutePoint] {
        guard
            let points = try Data.readOne(
                db, sql: "SELECT points FROM route WHERE id = ?", arguments: [number])
        else {
            throw StoreError(.missingRow(at: "route, row \(number)"))
        }
        return try PackedRoute.points(from: [UInt8](points))
    }

    /// Loads the stored points of the routes of a batch's workouts.
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

    /// Returns the number of points of an imported route without reading them.
    ///
    /// - Parameter number: `WorkoutRoute.storedPoints`.
    /// - Returns: The number of points; 0 if the store has no route of this number.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(log routes).
    package func routePointCount(_ number: Int64) throws -> Int {
        try read { db in
            try Int.readOne(db, sql: "SELECT count FROM route WHERE id = ?", arguments: [number])
                ?? 0
        }
    }
}
