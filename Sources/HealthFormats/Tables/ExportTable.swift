package import HealthEngine
package import HealthStorage

/// A table of an export, with the name of its file.
///
/// The columns are those of the tables that `export --format sqlite` writes
/// (`Documentation/ExportSchema.md`), except that times are timestamps and days are dates.
package enum ExportTable: String, CaseIterable, Sendable {
    case samples
    case workouts
    case workoutStatistics = "workout_statistics"
    case workoutEvents = "workout_events"
    case routes
    case routePoints = "route_points"
    case activitySummaries = "activity_summaries"
    case members
    case dayNotes = "day_notes"
    /// The merged intervals.
    case intervals

    /// Returns the tables of recorded samples of some types.
    ///
    /// - Parameter types: The types; empty for all.
    /// - Returns: The tables that can have rows, in order.
    package static func tables(of types: [SampleType]) -> [ExportTable] {
        let all = allCases.filter { $0 != .intervals }
        if types.isEmpty { return all }
        var tables: Set<ExportTable> = [.samples]
        for type in types {
            switch type.kind {
            case .workout:
                tables.formUnion([.workouts, .workoutStatistics, .workoutEvents])
                tables.formUnion([.routes, .routePoints, .members])
            case .activitySummary: tables.insert(.activitySummaries)
            case .correlation: tables.insert(.members)
            case .quantity, .category: break
            case .other: tables.formUnion([.routes, .routePoints])
            }
        }
        return all.filter(tables.contains)
    }

    /// Returns the table that best holds samples of some types alone.
    ///
    /// - Parameter types: The types; empty for all.
    /// - Returns: The table of workouts or of activity summaries if all are such, else that of
    ///   samples.
    package static func only(of types: [SampleType]) -> ExportTable {
        if types.isEmpty { return .samples }
        if types.allSatisfy({ $0.kind == .workout }) { return .workouts }
        return types.allSatisfy { $0.kind == .activitySummary } ? .activitySummaries : .samples
    }

    /// The columns.
    ///
    /// - Parameter width: Which columns of samples and merged intervals there are.
    package func columns(_ width: ExportColumns) -> [ParquetColumn] {
        switch self {
        case .samples: width == .lean ? ExportTable.lean : ExportTable.sample
        case .intervals: width == .lean ? ExportTable.lean : ExportTable.interval
        case .workouts: ExportTable.workout
        case .workoutStatistics: ExportTable.statistics
        case .workoutEvents: ExportTable.event
        case .routes: ExportTable.route
        case .routePoints: ExportTable.point
        case .activitySummaries: ExportTable.summary
        case .members: ExportTable.member
        case .dayNotes: ExportTable.dayNote
        }
    }
}

// The columns, in the order in which ``ParquetExport`` writes their values.
extension ExportTable {
    private static let lean: [ParquetColumn] = [
        .init("type", .text), .init("start_date", .timestamp), .init("end_date", .timestamp),
        .init("day", .date), .init("value", .double), .init("unit", .text),
        .init("source", .text),
    ]

    private static let interval: [ParquetColumn] =
        lean + [
            .init("value_name", .text), .init("bundle_identifier", .text), .init("zone", .text),
        ]

    private static let sample: [ParquetColumn] =
        interval + [
            .init("source_version", .text), .init("device", .text), .init("device_json", .text),
            .init("uuid", .text, .incompressible), .init("created_date", .timestamp),
            .init("metadata", .text), .init("detail", .text),
        ]

    private static let workout: [ParquetColumn] = [
        .init("uuid", .text, .incompressible), .init("activity", .text),
        .init("start_date", .timestamp), .init("end_date", .timestamp), .init("day", .date),
        .init("zone", .text), .init("duration", .double), .init("distance", .double),
        .init("distance_unit", .text), .init("energy", .double), .init("energy_unit", .text),
        .init("swimming_strokes", .double), .init("flights_climbed", .double),
        .init("source", .text), .init("routes", .int32),
    ]

    private static let statistics: [ParquetColumn] = [
        .init("workout_uuid", .text), .init("type", .text), .init("unit", .text),
        .init("sum", .double), .init("average", .double), .init("minimum", .double),
        .init("maximum", .double),
    ]

    private static let event: [ParquetColumn] = [
        .init("workout_uuid", .text), .init("type", .text), .init("start_date", .timestamp),
        .init("duration", .double), .init("metadata", .text),
    ]

    private static let route: [ParquetColumn] = [
        .init("id", .int64), .init("workout_uuid", .text), .init("sample_uuid", .text),
        .init("start_date", .timestamp), .init("end_date", .timestamp), .init("file", .text),
        .init("points", .int32), .init("metadata", .text),
    ]

    private static let point: [ParquetColumn] = [
        .init("route", .int64, .dictionary), .init("position", .int32),
        .init("time", .timestamp), .init("latitude", .double), .init("longitude", .double),
        .init("altitude", .double), .init("horizontal_accuracy", .double),
        .init("vertical_accuracy", .double), .init("course", .double), .init("speed", .double),
        .init("course_accuracy", .double), .init("speed_accuracy", .double),
    ]

    private static let summary: [ParquetColumn] = [
        .init("uuid", .text, .incompressible), .init("date", .date),
        .init("active_energy", .double), .init("active_energy_goal", .double),
        .init("active_energy_unit", .text), .init("move_minutes", .double),
        .init("move_minutes_goal", .double), .init("exercise_minutes", .double),
        .init("exercise_minutes_goal", .double), .init("stand_hours", .double),
        .init("stand_hours_goal", .double),
    ]

    private static let member: [ParquetColumn] = [
        .init("holder_uuid", .text), .init("holder_type", .text),
        .init("member_uuid", .text, .incompressible),
    ]

    private static let dayNote: [ParquetColumn] = [
        .init("day", .date), .init("text", .text), .init("modified_date", .timestamp),
    ]
}
