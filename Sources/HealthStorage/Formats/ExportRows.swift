import GRDB
import HealthCalendar
package import HealthEngine

/// Writes samples and their details as rows of a ``ExportDatabase``.
final class ExportRows {
    /// The last ids assigned to rows of `sample` and `route`.
    struct Numbers {
        var sample: Int64 = 0
        var route: Int64 = 0
    }

    /// The reference date (2001-01-01 UTC) in seconds since 1970-01-01 UTC.
    static let unixEpoch: Double = 978_307_200

    private(set) var numbers: Numbers
    private let calendar: CalendarBuckets
    private let sample: StoreStatement<SampleColumn, NoFields>
    private let member: StoreStatement<MemberColumn, NoFields>
    private let workout: StoreStatement<WorkoutColumn, NoFields>
    private let statistics: StoreStatement<StatisticsColumn, NoFields>
    private let event: StoreStatement<EventColumn, NoFields>
    private let route: StoreStatement<RouteColumn, NoFields>
    private let point: StoreStatement<PointColumn, NoFields>
    private let summary: StoreStatement<SummaryColumn, NoFields>

    init(_ db: Database, _ calendar: CalendarBuckets, _ numbers: Numbers) throws {
        func insertion<Column: StatementField>(
            _ table: String
        ) throws -> StoreStatement<Column, NoFields> {
            try StoreStatement(db, "INSERT INTO \(table) \(Column.inserted)")
        }
        self.calendar = calendar
        self.numbers = numbers
        sample = try insertion("sample")
        member = try insertion("member")
        workout = try insertion("workout")
        statistics = try insertion("workout_statistics")
        event = try insertion("workout_event")
        route = try insertion("route")
        point = try insertion("route_point")
        summary = try insertion("activity_summary")
    }

    func write(_ index: Int, _ exported: ExportedBatch) throws {
        let (batch, type, uuid) = (exported.batch, exported.type, exported.uuids[index])
        let row = batch.samples[index]
        let origin = row.origin < 0 ? nil : batch.origins[Int(row.origin)]
        let source = origin.flatMap { $0.source < 0 ? nil : batch.sources[Int($0.source)] }
        numbers.sample += 1
        try sample.bind(numbers.sample, to: .id)
        try sample.bind(uuid, to: .uuid)
        try sample.bind(type.identifier, to: .type)
        let times = Times(calendar.span(of: row, type), row.isUndetermined, calendar)
        try sample.bind(times.start, to: .startDate)
        try sample.bind(orNull: times.end, to: .endDate)
        try sample.bind(times.startUnix, to: .startUnix)
        try sample.bind(orNull: times.endUnix, to: .endUnix)
        try sample.bind(orNull: row.value.isFinite ? row.value : .nan, to: .value)
        try sample.bind(orNull: SampleLines.valueName(row.value, type), to: .valueName)
        try sample.bind(orNull: origin?.unit, to: .unit)
        try sample.bind(orNull: source?.name, to: .source)
        try sample.bind(orNull: source?.bundleIdentifier, to: .bundleIdentifier)
        try sample.bind(orNull: origin?.version, to: .sourceVersion)
        try sample.bind(orNull: origin?.device?.name, to: .device)
        try sample.bind(orNull: origin?.device.map { JSONText.device($0).text }, to: .deviceJson)
        let created = row.created.isFinite ? calendar.text(row.created) : nil
        try sample.bind(orNull: created, to: .createdDate)
        try sample.bind(orNull: json(batch.metadata(of: row)), to: .metadata)
        try sample.bind(orNull: detail(batch.details[index]), to: .detail)
        try sample.bind(calendar.day(of: row, type), to: .day)
        try sample.run()
        for held in exported.members[index] ?? [] {
            try member.bind(uuid, to: .holderUuid)
            try member.bind(type.identifier, to: .holderType)
            try member.bind(held, to: .memberUuid)
            try member.run()
        }
        switch batch.details[index] {
        case .workout(let content): try write(content, uuid, row, source)
        case .activitySummary(let content): try write(content, uuid)
        case .route(let points):
            try write(
                WorkoutRoute(start: row.start, end: row.end, points: points), workout: nil,
                sample: uuid)
        case .heartbeats, .series, .numbers, .medicationDose, nil: break
        case .audiogram, .visionPrescription: break
        case .clinicalRecord, .document, .verifiableClinicalRecord: break
        }
    }

    /// The start and the end as text and as seconds since 1970.
    private struct Times {
        let start: String
        /// The end as text; nil if it is undetermined. Then ``endUnix`` is NaN, which is stored as
        /// NULL.
        let end: String?
        let startUnix: Double
        let endUnix: Double

        init(
            _ span: (start: Double, end: Double), _ isUndetermined: Bool,
            _ calendar: CalendarBuckets
        ) {
            let last = isUndetermined ? .nan : span.end
            start = calendar.text(span.start)
            end = last.isNaN ? nil : calendar.text(last)
            startUnix = span.start + ExportRows.unixEpoch
            endUnix = last + ExportRows.unixEpoch
        }
    }

    private func json(_ metadata: Metadata?) -> String? {
        guard let metadata, !metadata.isEmpty else { return nil }
        return JSONText.metadata(metadata, calendar).text
    }

    /// Returns a sample's details as JSON, without the points of routes, which have their own
    /// table.
    private func detail(_ detail: SampleDetail?) -> String? {
        switch detail {
        case nil, .route: return nil
        case .workout(var workout):
            for index in workout.routes.indices { workout.routes[index].points = [] }
            return JSONText.detail(.workout(workout), calendar).text
        case .some(let other): return JSONText.detail(other, calendar).text
        }
    }

    private func write(
        _ content: Workout, _ uuid: String, _ row: Sample, _ source: Source?
    ) throws {
        let (distance, energy) = (content.total(.distance), content.total(.energyBurned))
        try workout.bind(uuid, to: .uuid)
        try workout.bind(content.activityName, to: .activity)
        let times = Times((row.start, row.end), row.isUndetermined, calendar)
        try workout.bind(times.start, to: .startDate)
        try workout.bind(orNull: times.end, to: .endDate)
        try workout.bind(times.startUnix, to: .startUnix)
        try workout.bind(orNull: times.endUnix, to: .endUnix)
        try workout.bind(orNull: content.duration ?? .nan, to: .duration)
        try workout.bind(orNull: distance?.value ?? .nan, to: .distance)
        try workout.bind(orNull: distance?.unit, to: .distanceUnit)
        try workout.bind(orNull: energy?.value ?? .nan, to: .energy)
        try workout.bind(orNull: energy?.unit, to: .energyUnit)
        let strokes = content.total(.swimmingStrokeCount)?.value
        try workout.bind(orNull: strokes ?? .nan, to: .swimmingStrokes)
        try workout.bind(orNull: content.total(.flightsClimbed)?.value ?? .nan, to: .flightsClimbed)
        try workout.bind(orNull: source?.name, to: .source)
        try workout.bind(Int64(content.routes.count), to: .routes)
        try workout.run()
        for part in content.statistics {
            try statistics.bind(uuid, to: .workoutUuid)
            try statistics.bind(part.type, to: .type)
            try statistics.bind(orNull: part.unit, to: .unit)
            try statistics.bind(orNull: part.sum ?? .nan, to: .sum)
            try statistics.bind(orNull: part.average ?? .nan, to: .average)
            try statistics.bind(orNull: part.minimum ?? .nan, to: .minimum)
            try statistics.bind(orNull: part.maximum ?? .nan, to: .maximum)
            try statistics.run()
        }
        for moment in content.events {
            try event.bind(uuid, to: .workoutUuid)
            try event.bind(moment.name, to: .type)
            try event.bind(calendar.text(moment.start), to: .startDate)
            try event.bind(moment.start + ExportRows.unixEpoch, to: .startUnix)
            try event.bind(orNull: moment.duration, to: .duration)
            try event.bind(orNull: json(moment.metadata), to: .metadata)
            try event.run()
        }
        for path in content.routes { try write(path, workout: uuid, sample: nil) }
    }

    private func write(_ path: WorkoutRoute, workout: String?, sample: String?) throws {
        numbers.route += 1
        try route.bind(numbers.route, to: .id)
        try route.bind(orNull: workout, to: .workoutUuid)
        try route.bind(orNull: sample, to: .sampleUuid)
        try route.bind(calendar.text(path.start), to: .startDate)
        try route.bind(calendar.text(path.end), to: .endDate)
        try route.bind(path.start + ExportRows.unixEpoch, to: .startUnix)
        try route.bind(orNull: path.end + ExportRows.unixEpoch, to: .endUnix)
        try route.bind(orNull: path.path, to: .file)
        try route.bind(Int64(path.points.count), to: .points)
        try route.bind(orNull: json(path.metadata), to: .metadata)
        try route.run()
        for (position, place) in path.points.enumerated() {
            try point.bind(numbers.route, to: .route)
            try point.bind(Int64(position), to: .position)
            try point.bind(place.time + ExportRows.unixEpoch, to: .unix)
            try point.bind(orNull: place.latitude, to: .latitude)
            try point.bind(orNull: place.longitude, to: .longitude)
            try point.bind(orNull: place.altitude, to: .altitude)
            try point.bind(orNull: place.horizontalAccuracy, to: .horizontalAccuracy)
            try point.bind(orNull: place.verticalAccuracy, to: .verticalAccuracy)
            try point.bind(orNull: place.course, to: .course)
            try point.bind(orNull: place.speed, to: .speed)
            try point.bind(orNull: place.courseAccuracy ?? .nan, to: .courseAccuracy)
            try point.bind(orNull: place.speedAccuracy ?? .nan, to: .speedAccuracy)
            try point.run()
        }
    }

    private func write(_ content: ActivitySummary, _ uuid: String) throws {
        try summary.bind(uuid, to: .uuid)
        try summary.bind(content.date, to: .date)
        try summary.bind(orNull: content.activeEnergyBurned ?? .nan, to: .activeEnergy)
        try summary.bind(orNull: content.activeEnergyBurnedGoal ?? .nan, to: .activeEnergyGoal)
        try summary.bind(orNull: content.activeEnergyBurnedUnit, to: .activeEnergyUnit)
        try summary.bind(orNull: content.appleMoveTime ?? .nan, to: .moveMinutes)
        try summary.bind(orNull: content.appleMoveTimeGoal ?? .nan, to: .moveMinutesGoal)
        try summary.bind(orNull: content.appleExerciseTime ?? .nan, to: .exerciseMinutes)
        try summary.bind(orNull: content.appleExerciseTimeGoal ?? .nan, to: .exerciseMinutesGoal)
        try summary.bind(orNull: content.appleStandHours ?? .nan, to: .standHours)
        try summary.bind(orNull: content.appleStandHoursGoal ?? .nan, to: .standHoursGoal)
        try summary.run()
    }
}

// The columns of each table of ``ExportTables``.
extension ExportRows {
    fileprivate enum SampleColumn: Int32, StatementField {
        case id, uuid, type, startDate, endDate, startUnix, endUnix, value, valueName, unit
        case source, bundleIdentifier, sourceVersion, device, deviceJson, createdDate, metadata
        case detail, day
    }

    fileprivate enum MemberColumn: Int32, StatementField {
        case holderUuid, holderType, memberUuid
    }

    fileprivate enum WorkoutColumn: Int32, StatementField {
        case uuid, activity, startDate, endDate, startUnix, endUnix, duration, distance
        case distanceUnit, energy, energyUnit, swimmingStrokes, flightsClimbed, source, routes
    }

    fileprivate enum StatisticsColumn: Int32, StatementField {
        case workoutUuid, type, unit, sum, average, minimum, maximum
    }

    fileprivate enum EventColumn: Int32, StatementField {
        case workoutUuid, type, startDate, startUnix, duration, metadata
    }

    fileprivate enum RouteColumn: Int32, StatementField {
        case id, workoutUuid, sampleUuid, startDate, endDate, startUnix, endUnix, file, points
        case metadata
    }

    fileprivate enum PointColumn: Int32, StatementField {
        case route, position, unix, latitude, longitude, altitude, horizontalAccuracy
        case verticalAccuracy, course, speed, courseAccuracy, speedAccuracy
    }

    fileprivate enum SummaryColumn: Int32, StatementField {
        case uuid, date, activeEnergy, activeEnergyGoal, activeEnergyUnit, moveMinutes
        case moveMinutesGoal, exerciseMinutes, exerciseMinutesGoal, standHours, standHoursGoal
    }
}

extension Workout {
    /// The name of the activity: the exported name if the importer didn't know it, else the name
    /// in the catalogue, such as "running", else the number.
    package var activityName: String {
        unknownActivityName ?? Catalogue.workoutActivity(activityType)?.name
            ?? String(activityType)
    }
}

extension WorkoutEvent {
    /// The name of the event's type: the exported name if the importer didn't know it, else the
    /// name in the catalogue, such as "pause", else the number.
    package var name: String {
        unknownTypeName ?? Catalogue.value(type, of: Catalogue.workoutEventType)?.name
            ?? String(type)
    }
}
