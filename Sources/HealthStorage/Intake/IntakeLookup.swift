import GRDB
import HealthEngine

/// Finds stored samples by the identity of received ones.
final class IntakeLookup {
    /// A stored sample with a UUID of its own.
    struct Row {
        var sequence: Int64
        var type: Int32
        var start: Double
        var end: Double
        /// When it was saved or observed; NaN if not known.
        var created: Double
        var value: Double
        var origin: Int64
        /// The id of the metadata; 0 for none.
        var metadata: Int64
        /// The route on which it arrived; 0 for another way.
        var route: Int64
        /// The details as JSON; nil for none.
        var detail: String?
    }

    private enum Column: Int32, StatementField {
        case sequence, type, startTime, endTime, created, value, origin, metadata, route
    }
    private enum Range: Int32, StatementField { case type, from, to }
    private enum RangeColumn: Int32, StatementField {
        case sequence, startTime, endTime, value, source, unit, uuid

        var sql: String {
            switch self {
            case .unit: "origin.unit"
            case .sequence: "sequence"
            case .startTime: "start_time"
            case .endTime: "end_time"
            case .value: "value"
            case .source: "source"
            case .uuid: "uuid"
            }
        }
    }

    private struct Hours: Hashable {
        var type: Int32
        var source: Int64
        var from: Double
        var to: Double
    }

    let db: Database
    private let findRow: StoreStatement<SingleField, Column>
    private let findRange: StoreStatement<Range, RangeColumn>
    private let findDeleted: StoreStatement<Range, RangeColumn>
    private let findDeletion: StoreStatement<SingleField, SingleField>
    private var routeWithoutUUIDs: Bool?
    private var exportDate: Double?
    /// The hours in which a type and source have no points. A page has many samples of each hour.
    private var hoursWithoutPoints: Set<Hours> = []
    private var sourceNames: [Int64: String] = [:]
    private var symbols: [Int64: String] = [:]

    init(_ db: Database) throws {
        self.db = db
        findRow = try StoreStatement(
            kept: db,
            "SELECT \(Column.columns) FROM sample JOIN origin ON origin.id = origin "
                + "WHERE uuid = \(SingleField.value)")
        findRange = try StoreStatement(
            kept: db,
            "SELECT \(RangeColumn.columns) FROM sample JOIN origin ON origin.id = origin "
                + "WHERE type = \(Range.type) AND start_time BETWEEN \(Range.from) AND \(Range.to)")
        findDeleted = try StoreStatement(
            kept: db,
            "SELECT \(RangeColumn.columns) FROM removed JOIN origin ON origin.id = origin "
                + "JOIN deletion USING (uuid) "
                + "WHERE type = \(Range.type) AND start_time BETWEEN \(Range.from) AND \(Range.to) "
                + "AND removed.reason = 'deleted' AND deletion.reason = 'deleted'")
        findDeletion = try StoreStatement(
            kept: db,
            "SELECT 1 FROM deletion WHERE uuid = \(SingleField.value) AND reason = 'deleted'")
    }

    /// Returns whether any device sends samples without UUIDs, so that one may be stored.
    func hasRouteWithoutUUIDs() throws -> Bool {
        if let known = routeWithoutUUIDs { return known }
        let found =
            try Int.readOne(
                db,
                sql: "SELECT 1 FROM intake_route "
                    + "WHERE dialect IN (\(IntakeRoute.dialectsWithoutUUIDs)) LIMIT 1") != nil
        routeWithoutUUIDs = found
        return found
    }

    /// Returns the stored sample with a UUID.
    func row(_ uuid: SampleUUID) throws -> Row? {
        try findRow.bind(uuid, to: .value)
        defer { findRow.reset() }
        guard try findRow.step() else { return nil }
        return Row(
            sequence: findRow.int(.sequence),
            type: Int32(truncatingIfNeeded: findRow.int(.type)), start: findRow.double(.startTime),
            end: findRow.double(.endTime), created: findRow.doubleOrNaN(.created),
            value: findRow.doubleOrNaN(.value), origin: findRow.int(.origin),
            metadata: findRow.int(.metadata), route: findRow.int(.route),
            detail: try detail(findRow.int(.sequence)))
    }

    /// Returns what a device sent of a stored sample. It differs from the row if this has the
    /// content of its twin in an export.
    func sent(_ row: Row, _ uuid: SampleUUID) throws -> Row {
        guard row.route == 0, let received = try TwinTable(db).received(uuid) else { return row }
        let route = try Int64.readOne(
            db, sql: "SELECT route FROM origin WHERE id = ?", arguments: [received.origin])
        return Row(
            sequence: row.sequence, type: row.type, start: received.start, end: received.end,
            created: received.created, value: received.value, origin: received.origin,
            metadata: received.metadata, route: route ?? 0, detail: received.detail)
    }

    /// Returns the details of a stored sample as JSON; nil for none.
    func detail(_ sequence: Int64) throws -> String? {
        try String.readOne(
            db.cachedStatement(sql: "SELECT content FROM detail WHERE sequence = ?"),
            arguments: [sequence])
    }

    /// Returns whether HealthKit reported the deletion of a sample.
    func isDeleted(_ uuid: SampleUUID) throws -> Bool {
        try findDeletion.bind(uuid, to: .value)
        defer { findDeletion.reset() }
        return try findDeletion.step()
    }

    /// Returns whether a row is one of an import, without a UUID.
    func isExported(_ sequence: Int64) throws -> Bool {
        try Int.readOne(
            db.cachedStatement(sql: "SELECT 1 FROM sample WHERE sequence = ? AND uuid IS NULL"),
            arguments: [sequence]) != nil
    }

    /// Returns whether the content of a deleted sample with a start is kept.
    func isRemoved(_ uuid: SampleUUID, type: Int32, start: Double) throws -> Bool {
        try Int.readOne(
            db.cachedStatement(
                sql: """
                    SELECT 1 FROM removed WHERE type = ? AND start_time = ? AND key = ?
                        AND uuid = ? AND reason = 'deleted' LIMIT 1
                    """), arguments: [type, start, uuid.savedKey, uuid.blob]) != nil
    }

    /// Which samples to compare with.
    enum Comparison {
        /// All stored ones.
        case stored
        /// Stored ones of routes without UUIDs.
        case withoutUUID
        /// Stored ones with HealthKit's UUID.
        case withUUID
        /// Those whose deletion HealthKit has reported.
        case deleted
    }

    /// Whether the end of a received sample is known.
    enum End {
        case known
        /// Any end is equal.
        case unknown
    }

    /// Returns the sequence number of a sample of the same source with the same value and times,
    /// with a tolerance of less than a second.
    func equal(
        to sample: Sample, unit: String?, source: Int64, among comparison: Comparison = .stored,
        end: End = .known
    ) throws -> Int64? {
        var result: Int64?
        let range = (from: sample.start - 1, to: sample.start + 1)
        try forEach(sample.type, in: range, source, comparison) { row in
            guard result == nil, abs(row.double(.startTime) - sample.start) < 1,
                end == .unknown || abs(row.double(.endTime) - sample.end) < 1
            else { return }
            let uuid = try row.uuid(.uuid)
            switch comparison {
            case .withoutUUID where uuid.map(IntakeUUID.isDerived) != true: return
            case .withUUID where uuid.map(IntakeUUID.isDerived) != false: return
            default: break
            }
            let stored = row.doubleOrNaN(.value)
            if try isSame(stored, row.int(.unit), sample.value, unit) {
                result = row.int(.sequence)
            }
        }
        return result
    }

    /// A sample with more information than a point of its hour.
    enum Interval: Hashable {
        /// A device sent it.
        case received
        /// The first one of the exports, by its sequence number. No device sent one.
        case exported(Int64)
    }

    /// Returns a sample in the hour of a point, of its type and source, with an end or a UUID of
    /// HealthKit's; nil for none. An export says nothing about points after its date.
    func interval(besides point: Sample, source: Int64) throws -> Interval? {
        let hour = (point.start / 3600).rounded(.down) * 3600
        let isExported = try point.start < lastExportDate()
        var found: Interval?
        try forEach(point.type, in: (hour, hour + 3600), source, .stored) { row in
            guard row.double(.startTime) < hour + 3600, found != .received else { return }
            guard let uuid = try row.uuid(.uuid) else {
                let sequence = row.int(.sequence)
                if case .exported(let first) = found, first < sequence { return }
                if isExported { found = .exported(sequence) }
                return
            }
            if !IntakeUUID.isPoint(uuid) { found = .received }
        }
        return found
    }

    private func lastExportDate() throws -> Double {
        if let known = exportDate { return known }
        let date = try IntakeLookup.lastExportDate(db)
        exportDate = date
        return date
    }

    /// The date of the newest export: in the far future for an unknown one, in the far past without
    /// exports.
    static func lastExportDate(_ db: Database) throws -> Double {
        try Double.readOne(db, sql: "SELECT max(ifnull(export_date, 1e12)) FROM import") ?? -1e12
    }

    /// Returns the sequence numbers of the points of a sample's type and source that start in the
    /// hours that the sample touches.
    func points(besides sample: Sample, source: Int64) throws -> [Int64] {
        let from = (sample.start / 3600).rounded(.down) * 3600
        // A long sample would make this slow, and replaces only the points of its first day.
        let end = min(sample.end, sample.start + 86_400)
        let to = max((end / 3600).rounded(.up) * 3600, from + 3600)
        let hours = Hours(type: sample.type, source: source, from: from, to: to)
        if hoursWithoutPoints.contains(hours) { return [] }
        var points: [Int64] = []
        try forEach(sample.type, in: (from, to), source, .stored) { row in
            if row.double(.startTime) < to, try isPoint(row) { points.append(row.int(.sequence)) }
        }
        if points.isEmpty { hoursWithoutPoints.insert(hours) }
        return points
    }

    /// Forgets what is known of the stored points, because one is inserted.
    func insertsPoint() { hoursWithoutPoints.removeAll() }

    /// A stored workout.
    struct StoredWorkout {
        var sequence: Int64
        /// nil for an exported one.
        var uuid: SampleUUID?
        var content: Workout

        /// Whether its activity and times identify it.
        var isWithoutIdentifier: Bool { uuid.map(IntakeUUID.isWorkout) ?? false }
    }

    /// Returns the stored workouts with the same activity, or an unknown one, and with start and end
    /// within two seconds (Semantics §15.9). Those with exactly this activity come first.
    func workouts(_ sample: Sample, activity: Int) throws -> [StoredWorkout] {
        var found: [(sequence: Int64, uuid: SampleUUID?)] = []
        try findRange.bind(sample.type, to: .type)
        try findRange.bind(sample.start - 2, to: .from)
        try findRange.bind(sample.start + 2, to: .to)
        while try findRange.step() {
            guard abs(findRange.double(.endTime) - sample.end) <= 2 else { continue }
            found.append((findRange.int(.sequence), try findRange.uuid(.uuid)))
        }
        findRange.reset()
        let workouts = try found.compactMap { stored -> StoredWorkout? in
            guard let text = try detail(stored.sequence),
                case .workout(let workout) = try StoredText.detail(from: text),
                Workout.isSameActivity(workout.activityType, activity)
            else { return nil }
            return StoredWorkout(sequence: stored.sequence, uuid: stored.uuid, content: workout)
        }
        return workouts.filter { $0.content.activityType == activity }
            + workouts.filter { $0.content.activityType != activity }
    }

    /// Returns whether HealthKit reported the deletion of a workout with the same activity, or an
    /// unknown one, and with start and end within two seconds.
    func isDeletedWorkout(_ sample: Sample, activity: Int) throws -> Bool {
        try Int.readOne(
            db,
            sql: """
                SELECT 1 FROM removed JOIN deletion USING (uuid)
                WHERE type = ?1 AND start_time BETWEEN ?2 AND ?3 AND abs(end_time - ?4) <= 2
                    AND removed.reason = 'deleted' AND deletion.reason = 'deleted'
                    AND (json_extract(detail, '$.workout.activityType') IN (?5, ?6) OR ?5 = ?6)
                LIMIT 1
                """,
            arguments: [
                sample.type, sample.start - 2, sample.start + 2, sample.end, activity,
                Workout.otherActivity,
            ]) != nil
    }

    /// Returns whether a sample with a UUID of HealthKit's takes the place of a stored one without,
    /// or took it and was deleted.
    func isReplaced(
        _ sample: Sample, _ uuid: SampleUUID, unit: String?, source: Int64
    ) throws -> Bool {
        let isPoint = IntakeUUID.isPoint(uuid)
        let deleted = try equal(
            to: sample, unit: unit, source: source, among: .deleted,
            end: isPoint ? .unknown : .known)
        if deleted != nil { return true }
        if isPoint { return try interval(besides: sample, source: source) == .received }
        if IntakeUUID.isWorkout(uuid) {
            guard let stored = try row(uuid)?.detail,
                case .workout(let workout) = try StoredText.detail(from: stored)
            else { return false }
            if try isDeletedWorkout(sample, activity: workout.activityType) { return true }
            return try workouts(sample, activity: workout.activityType)
                .contains { $0.uuid != nil && !$0.isWithoutIdentifier }
        }
        return try equal(to: sample, unit: unit, source: source, among: .withUUID) != nil
    }

    // MARK: - Rows of a range

    private func forEach(
        _ type: Int32, in range: (from: Double, to: Double), _ source: Int64,
        _ comparison: Comparison,
        _ body: (borrowing StoreStatement<Range, RangeColumn>) throws -> Void
    ) throws {
        if comparison == .deleted {
            try forEach(type, range, source, findDeleted, body)
        } else {
            try forEach(type, range, source, findRange, body)
        }
    }

    private func forEach(
        _ type: Int32, _ range: (from: Double, to: Double), _ source: Int64,
        _ rows: borrowing StoreStatement<Range, RangeColumn>,
        _ body: (borrowing StoreStatement<Range, RangeColumn>) throws -> Void
    ) throws {
        let name = try self.name(ofSource: source)
        try rows.bind(type, to: .type)
        try rows.bind(range.from, to: .from)
        try rows.bind(range.to, to: .to)
        defer { rows.reset() }
        while try rows.step() {
            let other = rows.int(.source)
            // A source that one route names and another identifies is the same source.
            if try other == source || self.name(ofSource: other) == name { try body(rows) }
        }
    }

    private func name(ofSource source: Int64) throws -> String {
        if let known = sourceNames[source] { return known }
        let name = try String.readOne(
            db, sql: "SELECT name FROM source WHERE id = ?", arguments: [source])
        let folded = StoredText.folded(name ?? "")
        sourceNames[source] = folded
        return folded
    }

    private func isPoint(_ row: borrowing StoreStatement<Range, RangeColumn>) throws -> Bool {
        try row.uuid(.uuid).map(IntakeUUID.isPoint) ?? false
    }

    /// Returns whether a received sample has the times, to the second, and the value of a stored one.
    func agrees(_ sample: Sample, unit: String?, with row: Row) throws -> Bool {
        guard abs(sample.start - row.start) <= 1, abs(sample.end - row.end) <= 1 else {
            return false
        }
        let stored = try Int64.readOne(
            db, sql: "SELECT unit FROM origin WHERE id = ?", arguments: [row.origin])
        return try isSame(row.value, stored ?? 0, sample.value, unit)
    }

    private func isSame(
        _ stored: Double, _ storedUnit: Int64, _ value: Double, _ unit: String?
    ) throws -> Bool {
        if stored.isNaN || value.isNaN { return stored.isNaN && value.isNaN }
        var converted = value
        if let unit {
            let symbol = try symbol(ofUnit: storedUnit)
            if unit != symbol {
                guard let result = SampleFilter.Value.convert(value, from: unit, to: symbol) else {
                    return false
                }
                converted = result
            }
        }
        return abs(converted - stored) <= max(abs(stored), abs(converted)) * 1e-6
    }

    private func symbol(ofUnit unit: Int64) throws -> String {
        if let known = symbols[unit] { return known }
        let symbol =
            try String.readOne(db, sql: "SELECT symbol FROM unit WHERE id = ?", arguments: [unit])
            ?? ""
        symbols[unit] = symbol
        return symbol
    }
}
