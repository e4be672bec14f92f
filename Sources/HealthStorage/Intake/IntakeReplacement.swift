import GRDB
import HealthEngine

/// Inserts, replaces and deletes rows for an intake, and assigns their sequence numbers.
final class IntakeReplacement {
    /// Why a row is moved to `removed`.
    enum Reason: String {
        /// The same route sent other content for the same UUID.
        case changed
        /// A sample with more information has taken its place.
        case replaced
        /// HealthKit deleted it.
        case deleted
    }

    private typealias RowColumn = JoinedFields<StoredRow.Column, OwnColumn>
    private enum OwnColumn: Int32, StatementField { case uuid }
    private enum Moving: Int32, StatementField { case reason, successor, sequence }

    private let db: Database
    private let removal: SampleRemoval
    private let insertRow: StoreStatement<RowColumn, NoFields>
    private let insertDetail: StoreStatement<StoredRow.DetailColumn, NoFields>
    private let storeRemoved: StoreStatement<Moving, NoFields>
    private let deleteTombstone: StoreStatement<SingleField, NoFields>
    private var hasTombstones: Bool

    init(_ db: Database) throws {
        self.db = db
        removal = try SampleRemoval(db)
        insertRow = try StoreStatement(kept: db, "INSERT INTO sample \(RowColumn.inserted)")
        insertDetail = try StoreStatement(
            kept: db, "INSERT INTO detail \(StoredRow.DetailColumn.inserted)")
        storeRemoved = try StoreStatement(
            kept: db,
            """
            INSERT INTO removed (import, reason, removed_sequence, sequence, type, start_time,
                key, end_time, created, origin, metadata, value, uuid, detail, members)
            SELECT NULL, \(Moving.reason), \(Moving.successor), sample.sequence, type, start_time,
                key, end_time, created, origin, metadata, value, uuid, detail.content,
                (SELECT json_group_array(child) FROM membership
                 WHERE parent = sample.sequence)
            FROM sample LEFT JOIN detail ON detail.sequence = sample.sequence
            WHERE sample.sequence = \(Moving.sequence)
            """)
        deleteTombstone = try StoreStatement(
            kept: db, "DELETE FROM tombstone WHERE uuid = \(SingleField.value)")
        hasTombstones =
            try Int.readOne(db, sql: "SELECT 1 FROM tombstone WHERE uuid IS NOT NULL LIMIT 1")
            != nil
    }

    func nextSequence() -> Int64 { removal.nextSequence() }

    /// The last sequence number assigned.
    var last: Int64 { removal.last }

    /// Stores the last sequence number assigned.
    func finish() throws { try removal.finish() }

    func insert(_ row: StoredRow, _ uuid: SampleUUID, _ detail: SampleDetail?) throws {
        try row.bind(to: insertRow, as: RowColumn.first)
        try insertRow.bind(uuid, to: .second(.uuid))
        try insertRow.run()
        if hasTombstones {
            try deleteTombstone.bind(uuid, to: .value)
            try deleteTombstone.run()
        }
        if let detail {
            try insertDetail.bind(row.sequence, to: .sequence)
            try insertDetail.bind(StoredText.detail(detail), to: .content)
            try insertDetail.run()
        }
    }

    /// Moves a row to `removed`. It leaves a tombstone, which the insertion of the same UUID
    /// deletes again.
    func replace(_ sequence: Int64, reason: Reason) throws -> SampleRemoval.Memberships {
        try store(sequence, reason)
        hasTombstones = true
        return try removal.replace(sequence)
    }

    func transfer(_ memberships: SampleRemoval.Memberships, to sequence: Int64) throws {
        try removal.transfer(memberships, to: sequence)
    }

    /// Moves a row that HealthKit deleted to `removed`, and with a workout its routes.
    func delete(_ sequence: Int64) throws {
        try store(sequence, .deleted)
        hasTombstones = true
        try removal.delete(sequence)
    }

    /// Removes a row that its sender no longer has, and with a workout its routes. Its content isn't
    /// kept: the sender sends it again if it has it again.
    func withdraw(_ sequence: Int64) throws {
        hasTombstones = true
        try removal.delete(sequence)
    }

    /// The tombstone gets the next sequence number.
    private func store(_ sequence: Int64, _ reason: Reason) throws {
        try storeRemoved.bind(reason.rawValue, to: .reason)
        try storeRemoved.bind(removal.last + 1, to: .successor)
        try storeRemoved.bind(sequence, to: .sequence)
        try storeRemoved.run()
    }
}
