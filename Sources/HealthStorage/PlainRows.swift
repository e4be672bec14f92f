import GRDB
import HealthEngine

/// The rows that a sample becomes in a ``PlainDatabase``.
final class PlainRows {
    /// The last numbers given.
    struct Numbers {
        var sample: Int64 = 0
        var route: Int64 = 0
    }

    /// Add it to reference seconds for those since 1970.
    static let unixEpoch: Double = 978_307_200

    private(set) var numbers: Numbers
    private let calendar: CalendarBuckets
    private let sample: RawStatement
    private let member: RawStatement
    private let workout: RawStatement
    private let statistics: RawStatement
    private let event: RawStatement
    private let route: RawStatement
    private let point: RawStatement
    private let summary: RawStatement

    init(_ db: Database, _ calendar: CalendarBuckets, _ numbers: Numbers) throws {
        func insertion(_ table: String, _ columns: Int) throws -> RawStatement {
            let marks = Array(repeating: "?", count: columns).joined(separator: ", ")
            return try RawStatement(db, "INSERT INTO \(table) VALUES (\(marks))")
        }
        self.calendar = calendar
        self.numbers = numbers
        sample = try insertion("sample", 19)
        member = try insertion("member", 3)
        workout = try insertion("workout", 15)
        statistics = try insertion("workout_statistics", 7)
        event = try insertion("workout_event", 6)
        route = try insertion("route", 10)
        point = try insertion("route_point", 12)
        summary = try insertion("activity_summary", 11)
    }

    func write(_ index: Int, _ exported: ExportedBatch) throws {
        let (batch, type, uuid) = (exported.batch, exported.type, exported.uuids[index])
        let row = batch.samples[index]
        let origin = row.origin < 0 ? nil : batch.origins[Int(row.origin)]
        let source = origin.flatMap { $0.source < 0 ? nil : batch.sources[Int($0.source)] }
        numbers.sample += 1
        sample.bind(numbers.sample, at: 1)
        try sample.bind(uuid, at: 2)
        try sample.bind(type.identifier, at: 3)
        try bindTimes(calendar.span(of: row, type), row.isUndetermined, of: sample, at: 4)
        sample.bind(orNull: row.value.isFinite ? row.value : .nan, at: 8)
        try sample.bind(orNull: SampleLines.valueName(row.value, type), at: 9)
        try sample.bind(orNull: origin?.unit, at: 10)
        try sample.bind(orNull: source?.name, at: 11)
        try sample.bind(orNull: source?.bundleIdentifier, at: 12)
        try sample.bind(orNull: origin?.version, at: 13)
        try sample.bind(orNull: origin?.device?.name, at: 14)
        try sample.bind(orNull: origin?.device.map { JSONText.device($0).text }, at: 15)
        try sample.bind(orNull: row.created.isFinite ? calendar.text(row.created) : nil, at: 16)
        try sample.bind(orNull: json(batch.metadata(of: row)), at: 17)
        try sample.bind(orNull: detail(batch.details[index]), at: 18)
        try sample.bind(calendar.day(of: row, type), at: 19)
        try sample.run()
        for held in exported.members[index] ?? [] {
            try member.bind(uuid, at: 1)
            try member.bind(type.identifier, at: 2)
            try member.bind(held, at: 3)
            try member.run()
        }
        switch batch.details[index] {
        case .workout(let content): try write(content, uuid, row, source)
        case .activitySummary(let content): try write(content, uuid)
        case .route(let points):
            try write(
                WorkoutRoute(start: row.start, end: row.end, points: points), workout: nil,
                sample: uuid)
        case .heartbeats, .series, .numbers, nil: break
        }
    }

    /// Four columns: start and end as text, start and end as numbers.
    private func bindTimes(
        _ span: (start: Double, end: Double), _ isUndetermined: Bool,
        of statement: borrowing RawStatement, at first: Int32
    ) throws {
        let end = isUndetermined ? .nan : span.end
        try statement.bind(calendar.text(span.start), at: first)
        try statement.bind(orNull: end.isNaN ? nil : calendar.text(end), at: first + 1)
        statement.bind(span.start + PlainRows.unixEpoch, at: first + 2)
        statement.bind(orNull: end + PlainRows.unixEpoch, at: first + 3)
    }

    private func json(_ metadata: Metadata?) -> String? {
        guard let metadata, !metadata.isEmpty else { return nil }
        return JSONText.metadata(metadata, calendar).text
    }

    /// A sample's structured part, but for the points of routes, which have a table.
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
        try workout.bind(uuid, at: 1)
        try workout.bind(content.activityName, at: 2)
        try bindTimes((row.start, row.end), row.isUndetermined, of: workout, at: 3)
        workout.bind(orNull: content.duration ?? .nan, at: 7)
        workout.bind(orNull: distance?.value ?? .nan, at: 8)
        try workout.bind(orNull: distance?.unit, at: 9)
        workout.bind(orNull: energy?.value ?? .nan, at: 10)
        try workout.bind(orNull: energy?.unit, at: 11)
        workout.bind(orNull: content.total(.swimmingStrokeCount)?.value ?? .nan, at: 12)
        workout.bind(orNull: content.total(.flightsClimbed)?.value ?? .nan, at: 13)
        try workout.bind(orNull: source?.name, at: 14)
        workout.bind(Int64(content.routes.count), at: 15)
        try workout.run()
        for part in content.statistics {
            try statistics.bind(uuid, at: 1)
            try statistics.bind(part.type, at: 2)
            try statistics.bind(orNull: part.unit, at: 3)
            statistics.bind(orNull: part.sum ?? .nan, at: 4)
            statistics.bind(orNull: part.average ?? .nan, at: 5)
            statistics.bind(orNull: part.minimum ?? .nan, at: 6)
            statistics.bind(orNull: part.maximum ?? .nan, at: 7)
            try statistics.run()
        }
        for moment in content.events {
            try event.bind(uuid, at: 1)
            try event.bind(moment.name, at: 2)
            try event.bind(calendar.text(moment.start), at: 3)
            event.bind(moment.start + PlainRows.unixEpoch, at: 4)
            event.bind(orNull: moment.duration, at: 5)
            try event.bind(orNull: json(moment.metadata), at: 6)
            try event.run()
        }
        for path in content.routes { try write(path, workout: uuid, sample: nil) }
    }

    private func write(_ path: WorkoutRoute, workout: String?, sample: String?) throws {
        numbers.route += 1
        route.bind(numbers.route, at: 1)
        try route.bind(orNull: workout, at: 2)
        try route.bind(orNull: sample, at: 3)
        try route.bind(calendar.text(path.start), at: 4)
        try route.bind(calendar.text(path.end), at: 5)
        route.bind(path.start + PlainRows.unixEpoch, at: 6)
        route.bind(orNull: path.end + PlainRows.unixEpoch, at: 7)
        try route.bind(orNull: path.path, at: 8)
        route.bind(Int64(path.points.count), at: 9)
        try route.bind(orNull: json(path.metadata), at: 10)
        try route.run()
        for (position, place) in path.points.enumerated() {
            point.bind(numbers.route, at: 1)
            point.bind(Int64(position), at: 2)
            point.bind(place.time + PlainRows.unixEpoch, at: 3)
            point.bind(orNull: place.latitude, at: 4)
            point.bind(orNull: place.longitude, at: 5)
            point.bind(orNull: place.altitude, at: 6)
            point.bind(orNull: place.horizontalAccuracy, at: 7)
            point.bind(orNull: place.verticalAccuracy, at: 8)
            point.bind(orNull: place.course, at: 9)
            point.bind(orNull: place.speed, at: 10)
            point.bind(orNull: place.courseAccuracy ?? .nan, at: 11)
            point.bind(orNull: place.speedAccuracy ?? .nan, at: 12)
            try point.run()
        }
    }

    private func write(_ content: ActivitySummary, _ uuid: String) throws {
        try summary.bind(uuid, at: 1)
        try summary.bind(content.date, at: 2)
        summary.bind(orNull: content.activeEnergyBurned ?? .nan, at: 3)
        summary.bind(orNull: content.activeEnergyBurnedGoal ?? .nan, at: 4)
        try summary.bind(orNull: content.activeEnergyBurnedUnit, at: 5)
        summary.bind(orNull: content.appleMoveTime ?? .nan, at: 6)
        summary.bind(orNull: content.appleMoveTimeGoal ?? .nan, at: 7)
        summary.bind(orNull: content.appleExerciseTime ?? .nan, at: 8)
        summary.bind(orNull: content.appleExerciseTimeGoal ?? .nan, at: 9)
        summary.bind(orNull: content.appleStandHours ?? .nan, at: 10)
        summary.bind(orNull: content.appleStandHoursGoal ?? .nan, at: 11)
        try summary.run()
    }
}

extension RawStatement {
    fileprivate func bind(orNull text: String?, at index: Int32) throws {
        if let text { try bind(text, at: index) } else { bindNull(at: index) }
    }
}

extension Workout {
    /// "running"; as met, or the number, where the catalogue doesn't know it.
    var activityName: String {
        unknownActivityName ?? Catalogue.workoutActivity(activityType)?.name
            ?? String(activityType)
    }
}

extension WorkoutEvent {
    /// "pause"; as met, or the number, where the catalogue doesn't know it.
    var name: String {
        unknownTypeName ?? Catalogue.value(type, of: Catalogue.workoutEventType)?.name
            ?? String(type)
    }
}
