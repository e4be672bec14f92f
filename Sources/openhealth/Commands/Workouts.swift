import ArgumentParser
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// `openhealth workouts`
struct Workouts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workouts",
        abstract: "Lists workouts, in order of start time.",
        discussion: """
            The pace is the time for a kilometre without pauses; rides and similar show their \
            speed. In JSON, durations are in seconds without pauses, energy is in kcal, distance \
            in km and pace in seconds for a kilometre. The list shows the number of points of a \
            route; export writes the points.
            """)

    @Option(
        help: ArgumentHelp(
            "Only workouts of this activity, for example running. Can be repeated.",
            valueName: "name"))
    var activity: [String] = []

    @OptionGroup var range: DateRange
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.open().withReadSnapshot { store in
            let calendar = try global.calendar(of: store)
            let times = try range.times(calendar)
            let wanted = Set(try activity.map { try ActivityName.activity(named: $0) })
            let rows = try WorkoutList.rows(store, from: times.from, to: times.to)
                .filter { wanted.isEmpty || wanted.contains($0.activity) }
            try global.json
                ? Output.print(WorkoutList.json(rows, calendar))
                : Output.print(WorkoutList.text(rows, calendar))
        }
    }
}

/// The numbers of points of the routes that apps saved as separate samples, by UUID.
struct SavedRoutes {
    private var points: [String: Int] = [:]

    init(_ store: SampleStore) throws {
        guard let type = Catalogue.type(named: "workoutRoute") else { return }
        try store.forEachExportedBatch(ExportSelection(types: [type])) { exported in
            for (index, detail) in exported.batch.details {
                guard case .route(let route) = detail else { continue }
                points[exported.uuids[index]] = route.count
            }
        }
    }

    /// Returns the number of points of each sample that is a route.
    func points(among uuids: [String]) -> [Int] { uuids.compactMap { points[$0] } }
}

/// A workout in the list.
struct WorkoutRow {
    var uuid: String
    /// The activity, such as "running"; the exported name or the number if the catalogue lacks it.
    var activity: String
    var start: Double
    var end: Double
    /// The duration in seconds without pauses, or from start to end if it wasn't recorded.
    var duration: Double
    /// The active energy in kilocalories; nil if it wasn't recorded.
    var energy: Double?
    /// The distance in kilometres, the sum of all distance types; nil if none was recorded.
    var distance: Double?
    var events: Int
    var source: Source
    /// The number of routes.
    var routes = 0
    /// The number of points of all routes. A route whose file was missing in the import has none.
    var routePoints = 0
    private let storedRoutes: [WorkoutRoute]
    private let members: [String]

    init(_ exported: ExportedBatch, _ index: Int) {
        let batch = exported.batch
        let sample = batch.samples[index]
        var workout = Workout(activityType: 3000)
        if case .workout(let known)? = batch.details[index] { workout = known }
        uuid = exported.uuids[index]
        storedRoutes = workout.routes
        members = exported.members[index] ?? []
        activity =
            workout.unknownActivityName ?? Catalogue.workoutActivity(workout.activityType)?.name
            ?? String(workout.activityType)
        start = sample.start
        end = sample.end
        duration = workout.duration ?? (sample.end - sample.start)
        energy = WorkoutRow.sum(workout, in: "kcal") { $0.name == "activeEnergyBurned" }
        distance = WorkoutRow.sum(workout, in: "km") { $0.name.hasPrefix("distance") }
        events = workout.events.count
        source = batch.source(of: sample)
    }

    /// Sets the number of routes and of their points, without reading the points of imported
    /// routes.
    mutating func addPoints(_ store: SampleStore, _ saved: SavedRoutes) throws {
        let own = saved.points(among: members)
        routes = storedRoutes.count + own.count
        routePoints = own.reduce(0, +)
        for route in storedRoutes {
            routePoints +=
                try route.storedPoints.map(store.routePointCount) ?? route.points.count
        }
    }

    /// Returns the sum over the wanted types in the workout's statistics, else in those of its
    /// activities; nil if neither has any. The former include the latter, so adding both would
    /// count twice.
    private static func sum(
        _ workout: Workout, in unit: String, _ isWanted: (SampleType) -> Bool
    ) -> Double? {
        sum(workout.statistics, in: unit, isWanted)
            ?? sum(workout.activities.flatMap(\.statistics), in: unit, isWanted)
    }

    private static func sum(
        _ statistics: [WorkoutStatistics], in unit: String, _ isWanted: (SampleType) -> Bool
    ) -> Double? {
        guard let target = try? HealthUnit(unit) else { return nil }
        let sums = statistics.compactMap { statistics -> Double? in
            guard let type = Catalogue.type(identifier: statistics.type), isWanted(type),
                let sum = statistics.sum, let symbol = statistics.unit,
                let conversion = try? HealthUnit(symbol).conversion(to: target)
            else { return nil }
            return conversion(sum)
        }
        return sums.isEmpty ? nil : sums.reduce(0, +)
    }
}

extension WorkoutRow {
    /// The time for a kilometre in seconds, without pauses; nil without a distance.
    var pace: Double? {
        guard let distance, distance > 0, duration > 0 else { return nil }
        return duration / distance
    }

    /// The number of points, as in "1,860 points"; empty without a route.
    fileprivate var routeText: String {
        if routes == 0 { return "" }
        return routePoints == 0 ? "no points" : counted(routePoints, "point", "points")
    }
}

enum WorkoutList {
    /// Reads the workouts that touch a range.
    ///
    /// - Parameters:
    ///   - store: A snapshot of the store.
    ///   - from: The start of the range (inclusive), in reference seconds.
    ///   - to: The end of the range (exclusive).
    ///   - earliest: Workouts that start before this time are left out.
    static func rows(
        _ store: SampleStore, from: Double, to: Double, earliest: Double = -.infinity
    ) throws -> [WorkoutRow] {
        let selection = ExportSelection(
            types: [try store.type(named: "workout")], from: from, to: to)
        var rows: [WorkoutRow] = []
        try store.forEachExportedBatch(selection) { exported in
            for (index, sample) in exported.batch.samples.enumerated()
            where sample.start >= earliest {
                rows.append(WorkoutRow(exported, index))
            }
        }
        let saved = try SavedRoutes(store)
        for index in rows.indices { try rows[index].addPoints(store, saved) }
        return rows
    }

    static func json(_ rows: [WorkoutRow], _ calendar: CalendarBuckets) -> JSONText {
        let totals = WorkoutTotals(rows)
        return .object([
            "totals": .object([
                "workouts": .integer(rows.count), "duration": .number(totals.duration),
                "energy": .amount(totals.energy), "distance": .amount(totals.distance),
                "pace": .amount(totals.pace),
            ]),
            "workouts": .array(
                rows.map {
                    .object([
                        "uuid": .string($0.uuid),
                        "activity": .string($0.activity),
                        "start": .string(calendar.text($0.start)),
                        "end": .string(calendar.text($0.end)),
                        "duration": .number($0.duration),
                        "source": .string($0.source.name),
                        "bundleIdentifier": .string($0.source.bundleIdentifier),
                        "energy": .amount($0.energy),
                        "distance": .amount($0.distance),
                        "pace": .amount($0.pace),
                        "events": .integer($0.events),
                        "routes": .integer($0.routes),
                        "routePoints": .integer($0.routePoints),
                    ])
                }),
        ])
    }

    static func text(_ rows: [WorkoutRow], _ calendar: CalendarBuckets) -> String {
        guard let last = rows.last else { return "No workouts were recorded in that period.\n" }
        let time = rows.reduce(0) { $0 + $1.duration }
        let withRoute = rows.count { $0.routes > 0 }
        var columns: [Table.Column] = [
            .text("start"), .text("activity", maximumWidth: 22), .number("h:mm"), .number("kcal"),
            .number("km"), .number("pace"),
        ]
        if withRoute > 0 { columns.append(.number("route")) }
        var table = Table(columns + [.text("source", maximumWidth: 20)])
        for row in rows {
            var cells = [
                DateText.minute(row.start, calendar), row.activity, NumberText.hours(row.duration),
                row.energy.map { NumberText.grouped($0) } ?? "",
                row.distance.map { NumberText.grouped($0, digits: 2) } ?? "",
                PaceText.text(row.pace, of: row.activity),
            ]
            if withRoute > 0 { cells.append(row.routeText) }
            table.rows.append(cells + [row.source.name])
        }
        if rows.count > 1 {
            let totals = WorkoutTotals(rows)
            let activities = Set(rows.map(\.activity))
            table.addRule()
            table.rows.append(
                [
                    "total", counted(rows.count, "workout", "workouts"),
                    NumberText.hours(totals.duration),
                    totals.energy.map { NumberText.grouped($0) } ?? "",
                    totals.distance.map { NumberText.grouped($0, digits: 2) } ?? "",
                    activities.count == 1 ? PaceText.text(totals.pace, of: rows[0].activity) : "",
                ] + (withRoute > 0 ? [""] : []) + [""])
        }
        let sentence =
            "\(counted(rows.count, "workout", "workouts")), \(NumberText.hours(time)) hours in "
            + "total, the last on \(DateText.long(last.start, calendar))."
            + (withRoute > 0 ? " \(counted(withRoute, "has", "have")) a route." : "")
        return sentence.wrapped() + "\n\n" + table.text
    }
}
