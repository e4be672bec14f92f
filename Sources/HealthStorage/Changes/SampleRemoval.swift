import GRDB
import HealthEngine

/// Deletes samples in a transaction, leaving a tombstone for each, and assigns sequence numbers.
final class SampleRemoval {
    /// The memberships of a replaced sample.
    struct Memberships {
        var type: Int32
        /// The sequence numbers of the correlations and workouts of which it was a member.
        var parents: [Int64]
        /// The sequence numbers of its members if it is a workout; otherwise empty.
        var children: [Int64]
    }

    private let db: Database
    /// The last sequence number assigned.
    private(set) var last: Int64
    /// The last sequence number assigned before this transaction.
    private let before: Int64
    private let insertTombstone: StoreStatement<Renumbering, NoFields>
    private let deleteRow: StoreStatement<SingleField, NoFields>
    private let findParents: StoreStatement<SingleField, SingleField>
    private let findChildren: StoreStatement<SingleField, SingleField>
    private let findRoutes: StoreStatement<RouteOwner, SingleField>
    private let findType: StoreStatement<SingleField, SingleField>
    private let insertMember: StoreStatement<Membership, NoFields>
    private let renumber: StoreStatement<Renumbering, NoFields>

    private enum Renumbering: Int32, StatementField { case new, old }
    private enum RouteOwner: Int32, StatementField { case parent, type }

    init(_ db: Database) throws {
        self.db = db
        before = try SampleStore.lastSequence(db)
        last = before
        insertTombstone = try StoreStatement(
            kept: db,
            """
            INSERT INTO tombstone (sequence, type, start_time, key, end_time, origin, metadata, uuid,
                member_types)
            SELECT \(Renumbering.new), type, start_time, key, end_time, origin, metadata, uuid,
                (SELECT nullif(json_group_array(DISTINCT member.type), '[]')
                 FROM membership JOIN sample member ON member.sequence = child
                 WHERE parent = \(Renumbering.old))
            FROM sample WHERE sequence = \(Renumbering.old)
            """)
        deleteRow = try StoreStatement(
            kept: db, "DELETE FROM sample WHERE sequence = \(SingleField.value)")
        findParents = try StoreStatement(
            kept: db,
            "SELECT parent FROM membership JOIN sample ON sequence = parent "
                + "WHERE child = \(SingleField.value) ORDER BY parent")
        findChildren = try StoreStatement(
            kept: db,
            "SELECT child FROM membership WHERE parent = \(SingleField.value) ORDER BY child")
        findRoutes = try StoreStatement(
            kept: db,
            "SELECT child FROM membership JOIN sample ON sequence = child "
                + "WHERE parent = \(RouteOwner.parent) AND type = \(RouteOwner.type) "
                + "ORDER BY child")
        findType = try StoreStatement(
            kept: db, "SELECT type FROM sample WHERE sequence = \(SingleField.value)")
        insertMember = try StoreStatement(
            kept: db, "INSERT OR IGNORE INTO membership \(Membership.inserted)")
        renumber = try StoreStatement(
            kept: db,
            "UPDATE sample SET sequence = \(Renumbering.new) "
                + "WHERE sequence = \(Renumbering.old)")
    }

    func nextSequence() -> Int64 {
        last += 1
        return last
    }

    /// Stores the last sequence number assigned.
    func finish() throws {
        if last != before { try SampleStore.set(.lastSequence, to: last, db) }
    }

    /// Deletes a sample, and with a workout its routes (Semantics §10.8). Does nothing for a sample
    /// that is already deleted.
    func delete(_ sequence: Int64) throws {
        let type = try type(of: sequence)
        if type == 0 { return }
        if SampleRemoval.kind(type) == .workout, let route = SampleRemoval.route {
            try findRoutes.bind(sequence, to: .parent)
            try findRoutes.bind(route, to: .type)
            for route in try column(findRoutes) { try replaceWithTombstone(route) }
        }
        try replaceWithTombstone(sequence)
    }

    private static let route = Catalogue.type(identifier: "HKWorkoutRouteTypeIdentifier")?.code

    /// Deletes a sample that is being replaced. Returns its memberships, to be passed to
    /// ``transfer(_:to:)``.
    func replace(_ sequence: Int64) throws -> Memberships {
        try findParents.bind(sequence, to: .value)
        try findChildren.bind(sequence, to: .value)
        let type = try type(of: sequence)
        let isWorkout = SampleRemoval.kind(type) == .workout
        let memberships = Memberships(
            type: type, parents: try column(findParents),
            children: isWorkout ? try column(findChildren) : [])
        try replaceWithTombstone(sequence)
        return memberships
    }

    /// Transfers memberships to the replacing sample. A correlation with a replaced member counts
    /// as changed, so it gets the next sequence number.
    func transfer(_ memberships: Memberships, to sequence: Int64) throws {
        for parent in memberships.parents { try insert(child: sequence, of: parent) }
        for child in memberships.children { try insert(child: child, of: sequence) }
        for parent in memberships.parents where try kind(of: parent) == .correlation {
            try renumber.bind(nextSequence(), to: .new)
            try renumber.bind(parent, to: .old)
            try renumber.run()
        }
    }

    private func insert(child: Int64, of parent: Int64) throws {
        try insertMember.bind(parent, to: .parent)
        try insertMember.bind(child, to: .child)
        try insertMember.run()
    }

    private func replaceWithTombstone(_ sequence: Int64) throws {
        try insertTombstone.bind(nextSequence(), to: .new)
        try insertTombstone.bind(sequence, to: .old)
        try insertTombstone.run()
        try deleteRow.bind(sequence, to: .value)
        try deleteRow.run()
    }

    private func kind(of sequence: Int64) throws -> SampleType.Kind {
        SampleRemoval.kind(try type(of: sequence))
    }

    /// Returns the type code of a sample; 0 if it isn't stored.
    private func type(of sequence: Int64) throws -> Int32 {
        try findType.bind(sequence, to: .value)
        defer { findType.reset() }
        return try findType.step() ? Int32(truncatingIfNeeded: findType.int(.value)) : 0
    }

    private static func kind(_ type: Int32) -> SampleType.Kind {
        Catalogue.type(code: type)?.kind ?? .other
    }

    private func column<Parameter>(
        _ statement: borrowing StoreStatement<Parameter, SingleField>
    ) throws -> [Int64] {
        var values: [Int64] = []
        while try statement.step() { values.append(statement.int(.value)) }
        statement.reset()
        return values
    }
}
