import Foundation
import GRDB
import HealthEngine

/// Keeps the points of imported routes under numbers that follow from the points, so that the same
/// file gives the same number in every store, and an equal route is kept once.
struct RouteTable {
    let db: Database
    let importID: Int64

    init(_ db: Database, importID: Int64) {
        self.db = db
        self.importID = importID
    }

    /// A workout's structured part with numbers in place of its routes' points. A route that names a
    /// file, but comes without points, has those that an earlier import found under the same name.
    func settingPointsApart(_ detail: SampleDetail) throws -> SampleDetail {
        guard case .workout(var workout) = detail, !workout.routes.isEmpty else { return detail }
        for index in workout.routes.indices {
            let route = workout.routes[index]
            if route.points.isEmpty {
                workout.routes[index].storedPoints = try number(ofEarlier: route)
            } else {
                workout.routes[index].storedPoints = try keep(route)
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

    private func keep(_ route: WorkoutRoute) throws -> Int64 {
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

    /// Takes away the points that no workout names, neither a live one nor one that an undo may bring
    /// back: those of a workout that was not applied, or that a program has deleted.
    ///
    /// - Complexity: O(workouts · their routes); O(1) without any route.
    static func forgetOrphans(_ db: Database) throws {
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

    private static func fileName(of route: WorkoutRoute) -> String? {
        route.path?.split(separator: "/").last.map(String.init)
    }

    /// 52 bits, so that the number stays itself in any program that reads JSON.
    private static func digest(_ bytes: [UInt8]) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int64((hash ^ (hash >> 29)) >> 12)
    }

    /// The text of a stored workout with those points' numbers that only a new text has; nil where
    /// there are none to fill in.
    static func filling(_ old: String?, from new: String?) -> String? {
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
    /// Points of equal time stay in the order they came in.
    fileprivate var inOrderOfTime: [RoutePoint] {
        if zip(self, dropFirst()).allSatisfy({ $0.time <= $1.time }) { return self }
        return enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }.map(\.element)
    }
}
