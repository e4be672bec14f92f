import Foundation
import GRDB
import HealthEngine

/// Reads the samples of a type and source that may be twins.
final class TwinCandidates {
    /// A range of start times of a type and source.
    struct Window: Hashable {
        var type: Int32
        /// The id of the source.
        var source: Int64
        var from: Double
        var to: Double
    }

    private enum Parameter: Int32, StatementField { case type, source, from, to }
    private enum Column: Int32, StatementField {
        case sequence, startTime, endTime, value, unit, uuid, activity, resource

        /// The type and identifier of a clinical record's resource, `Observation/1`.
        static func resource(_ content: String) -> String {
            "json_extract(\(content), '$.clinicalRecord.resourceType') || '/' "
                + "|| json_extract(\(content), '$.clinicalRecord.identifier')"
        }

        var sql: String {
            switch self {
            case .sequence: "sample.sequence"
            case .startTime: "start_time"
            case .endTime: "end_time"
            case .value: "value"
            case .unit: "origin.unit"
            case .uuid: "uuid"
            case .activity: "json_extract(detail.content, '$.workout.activityType')"
            case .resource: Self.resource("detail.content")
            }
        }
    }

    private let db: Database
    private let findReceived: StoreStatement<Parameter, Column>
    private let findExported: StoreStatement<Parameter, Column>
    private let findDeleted: StoreStatement<Parameter, Column>
    private var symbols: [Int64: String] = [:]

    init(_ db: Database) throws {
        self.db = db
        let range =
            "type = \(Parameter.type) AND start_time BETWEEN \(Parameter.from) AND \(Parameter.to) "
            + "AND origin.source = \(Parameter.source)"
        let rows =
            "SELECT \(Column.columns) FROM sample JOIN origin ON origin.id = sample.origin "
            + "LEFT JOIN detail ON detail.sequence = sample.sequence WHERE \(range)"
        findReceived = try StoreStatement(
            kept: db,
            "\(rows) AND uuid IS NOT NULL AND route IS NOT NULL "
                + "AND NOT EXISTS (SELECT 1 FROM twin WHERE twin.uuid = sample.uuid)")
        findExported = try StoreStatement(kept: db, "\(rows) AND uuid IS NULL")
        let removedColumns = Column.columns([
            .sequence: "sample.id", .activity: "json_extract(detail, '$.workout.activityType')",
            .resource: Column.resource("detail"),
        ])
        findDeleted = try StoreStatement(
            kept: db,
            "SELECT \(removedColumns) FROM removed sample JOIN origin ON origin.id = sample.origin "
                + "JOIN deletion USING (uuid) WHERE \(range) "
                + "AND deletion.reason = 'deleted' AND sample.reason = 'deleted'")
    }

    /// The samples with UUIDs that devices sent and that have no twin yet.
    func received(_ window: Window) throws -> [TwinCandidate] {
        try read(findReceived, window)
    }

    /// The exported samples.
    func exported(_ window: Window) throws -> [TwinCandidate] { try read(findExported, window) }

    /// The samples whose deletion HealthKit has reported. Their `sequence` is their id in `removed`.
    func deleted(_ window: Window) throws -> [TwinCandidate] { try read(findDeleted, window) }

    /// The workouts that devices sent without a stable identifier.
    static func workoutsWithoutIdentifier(_ db: Database) throws -> [TwinCandidate] {
        try workouts("JOIN origin ON origin.id = sample.origin WHERE route IS NOT NULL", db)
            .filter { $0.uuid.map(IntakeUUID.isWorkout) ?? false }
    }

    /// The exported workouts after a sequence number.
    static func exportedWorkouts(after sequence: Int64, _ db: Database) throws -> [TwinCandidate] {
        try workouts("WHERE uuid IS NULL AND sample.sequence > \(sequence)", db)
    }

    private static func workouts(_ condition: String, _ db: Database) throws -> [TwinCandidate] {
        guard let type = Catalogue.type(identifier: "HKWorkoutTypeIdentifier") else { return [] }
        let others: [Column: String] = [.unit: "NULL", .value: "NULL"]
        let rows = try StoreStatement<NoFields, Column>(
            db,
            "SELECT \(Column.columns(others)) FROM sample "
                + "JOIN detail ON detail.sequence = sample.sequence "
                + condition.replacingOccurrences(of: "WHERE", with: "WHERE type = \(type.code) AND")
        )
        var found: [TwinCandidate] = []
        while try rows.step() {
            found.append(
                TwinCandidate(
                    sequence: rows.int(.sequence), start: rows.double(.startTime),
                    end: rows.double(.endTime), value: Double(rows.int(.activity)),
                    uuid: try rows.uuid(.uuid)))
        }
        return found
    }

    /// Returns a window of all times for each type of which one of the sources has samples that
    /// devices sent, or whose deletion they reported.
    static func windows(ofSources sources: [Int64], _ db: Database) throws -> [Window] {
        try sources.flatMap { source in
            try Int32.readAll(
                db,
                sql: """
                    SELECT DISTINCT type FROM (
                        SELECT sample.type FROM sample JOIN origin ON origin.id = sample.origin
                        WHERE origin.source = ?1 AND route IS NOT NULL
                        UNION ALL
                        SELECT removed.type FROM removed JOIN deletion USING (uuid)
                        JOIN origin ON origin.id = removed.origin WHERE origin.source = ?1)
                    ORDER BY type
                    """, arguments: [source]
            ).map { Window(type: $0, source: source, from: -1e12, to: 1e12) }
        }
    }

    private func read(
        _ rows: borrowing StoreStatement<Parameter, Column>, _ window: Window
    ) throws -> [TwinCandidate] {
        try rows.bind(window.type, to: .type)
        try rows.bind(window.source, to: .source)
        try rows.bind(window.from, to: .from)
        try rows.bind(window.to, to: .to)
        defer { rows.reset() }
        let type = Catalogue.type(code: window.type)
        var conversions: [Int64: UnitConversion?] = [:]
        var candidates: [TwinCandidate] = []
        while try rows.step() {
            var value = rows.doubleOrNaN(.value)
            if !rows.isNull(.activity) { value = Double(rows.int(.activity)) }
            if type?.kind == .quantity, let unit = type?.canonicalUnit, !value.isNaN {
                let stored = rows.int(.unit)
                if conversions[stored] == nil {
                    conversions[stored] = .some(try conversion(ofUnit: stored, to: unit))
                }
                if let conversion = conversions[stored] ?? nil { value = conversion(value) }
            }
            let resource = try rows.text(.resource)
            candidates.append(
                TwinCandidate(
                    sequence: rows.int(.sequence), start: rows.double(.startTime),
                    end: rows.double(.endTime), value: value, uuid: try rows.uuid(.uuid),
                    content: resource.map { FNV1a.hash(of: $0) } ?? 0))
        }
        return candidates
    }

    /// Returns the conversion of a stored unit to another one; nil if there is none, or none is
    /// needed.
    private func conversion(ofUnit unit: Int64, to target: String) throws -> UnitConversion? {
        let symbol = try symbol(ofUnit: unit)
        if symbol == target { return nil }
        guard let from = try? HealthUnit(symbol), let to = try? HealthUnit(target) else {
            return nil
        }
        return try? from.conversion(to: to)
    }

    private func symbol(ofUnit unit: Int64) throws -> String {
        if let known = symbols[unit] { return known }
        let symbol = try String.readOne(
            db, sql: "SELECT symbol FROM unit WHERE id = ?", arguments: [unit])
        symbols[unit] = symbol ?? ""
        return symbol ?? ""
    }
}
