import GRDB
import HealthEngine

/// Takes samples out of the store, each leaving a tombstone, and numbers the changes of a
/// transaction.
final class SampleRemoval {
    /// Where a sample that another replaces belonged.
    struct Ties {
        var type: Int32
        /// Correlations and workouts it was a member of.
        var parents: [Int64]
        /// What was associated with it, if it is a workout.
        var children: [Int64]
    }

    private let db: Database
    /// The number of the last change.
    private(set) var last: Int64
    private let before: Int64
    private let insertTombstone: RawStatement
    private let deleteRow: RawStatement
    private let findParents: RawStatement
    private let findChildren: RawStatement
    private let findRoutes: RawStatement
    private let findType: RawStatement
    private let insertMember: RawStatement
    private let renumber: RawStatement

    init(_ db: Database) throws {
        self.db = db
        before = try SampleStore.lastSequence(db)
        last = before
        insertTombstone = try RawStatement(
            db,
            """
            INSERT INTO tombstone (sequence, type, start_time, key, end_time, origin, metadata, uuid,
                member_types)
            SELECT ?1, type, start_time, key, end_time, origin, metadata, uuid,
                (SELECT nullif(json_group_array(DISTINCT member.type), '[]')
                 FROM membership JOIN sample member ON member.sequence = child
                 WHERE parent = ?2)
            FROM sample WHERE sequence = ?2
            """)
        deleteRow = try RawStatement(db, "DELETE FROM sample WHERE sequence = ?")
        findParents = try RawStatement(
            db,
            "SELECT parent, sample.type FROM membership JOIN sample ON sequence = parent "
                + "WHERE child = ? ORDER BY parent")
        findChildren = try RawStatement(
            db, "SELECT child FROM membership WHERE parent = ? ORDER BY child")
        findRoutes = try RawStatement(
            db,
            "SELECT child FROM membership JOIN sample ON sequence = child "
                + "WHERE parent = ? AND type = ? ORDER BY child")
        findType = try RawStatement(db, "SELECT type FROM sample WHERE sequence = ?")
        insertMember = try RawStatement(
            db, "INSERT OR IGNORE INTO membership (parent, child) VALUES (?, ?)")
        renumber = try RawStatement(db, "UPDATE sample SET sequence = ? WHERE sequence = ?")
    }

    func nextSequence() -> Int64 {
        last += 1
        return last
    }

    /// Writes down how far the numbers have come.
    func finish() throws {
        if last != before { try SampleStore.set(.lastSequence, to: last, db) }
    }

    /// Deletes a sample, and with a workout its routes (Semantics §10.8). One that is gone
    /// already is passed over.
    func delete(_ sequence: Int64) throws {
        let type = try type(of: sequence)
        if type == 0 { return }
        if SampleRemoval.kind(type) == .workout, let route = SampleRemoval.route {
            findRoutes.bind(sequence, at: 1)
            findRoutes.bind(route, at: 2)
            for route in try column(findRoutes) { try bury(route) }
        }
        try bury(sequence)
    }

    private static let route = Catalogue.type(identifier: "HKWorkoutRouteTypeIdentifier")?.code

    /// Deletes a sample that another is about to replace; the answer is what ``give(_:to:)`` needs.
    func replace(_ sequence: Int64) throws -> Ties {
        findParents.bind(sequence, at: 1)
        findChildren.bind(sequence, at: 1)
        let type = try type(of: sequence)
        let isWorkout = SampleRemoval.kind(type) == .workout
        let ties = Ties(
            type: type, parents: try column(findParents),
            children: isWorkout ? try column(findChildren) : [])
        try bury(sequence)
        return ties
    }

    /// Lets a sample take the place of the one it replaced. A correlation is another one with its new
    /// member, so it takes the next number.
    func give(_ ties: Ties, to sequence: Int64) throws {
        for parent in ties.parents { try insert(child: sequence, of: parent) }
        for child in ties.children { try insert(child: child, of: sequence) }
        for parent in ties.parents where try kind(of: parent) == .correlation {
            renumber.bind(nextSequence(), at: 1)
            renumber.bind(parent, at: 2)
            try renumber.run()
        }
    }

    private func insert(child: Int64, of parent: Int64) throws {
        insertMember.bind(parent, at: 1)
        insertMember.bind(child, at: 2)
        try insertMember.run()
    }

    private func bury(_ sequence: Int64) throws {
        insertTombstone.bind(nextSequence(), at: 1)
        insertTombstone.bind(sequence, at: 2)
        try insertTombstone.run()
        deleteRow.bind(sequence, at: 1)
        try deleteRow.run()
    }

    private func kind(of sequence: Int64) throws -> SampleType.Kind {
        SampleRemoval.kind(try type(of: sequence))
    }

    /// 0 for what is not there.
    private func type(of sequence: Int64) throws -> Int32 {
        findType.bind(sequence, at: 1)
        defer { findType.reset() }
        return try findType.step() ? Int32(truncatingIfNeeded: findType.int(0)) : 0
    }

    private static func kind(_ type: Int32) -> SampleType.Kind {
        Catalogue.type(code: type)?.kind ?? .other
    }

    private func column(_ statement: borrowing RawStatement) throws -> [Int64] {
        var values: [Int64] = []
        while try statement.step() { values.append(statement.int(0)) }
        statement.reset()
        return values
    }
}
