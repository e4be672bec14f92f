import ArgumentParser
import HealthDashboard
import HealthEngine
import HealthStorage

/// `openhealth workouts`
struct Workouts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workouts",
        abstract: "Lists workouts, in order of start.",
        discussion: "Durations are seconds without pauses, energy is in kcal, distance in km.")

    @OptionGroup var range: DateRange
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let store = try global.open()
        let type = try global.type("workout", in: store)
        let calendar = try global.calendar(of: store)
        var question = SampleQuestion(type)
        try range.apply(to: &question, calendar)
        var rows: [WorkoutRow] = []
        try store.forEachBatch(question) { batch, uuids in
            for (index, uuid) in uuids.enumerated() {
                rows.append(WorkoutRow(batch, index, uuid: uuid))
            }
        }
        try global.json
            ? Output.print(WorkoutList.json(rows, calendar))
            : Output.print(WorkoutList.text(rows, calendar))
    }
}

/// One workout as a list shows it.
struct WorkoutRow {
    var uuid: String
    /// "running"; as met where the catalogue doesn't know it.
    var activity: String
    var start: Double
    var end: Double
    /// Seconds, pauses left out where the file says so.
    var duration: Double
    /// Kilocalories.
    var energy: Double?
    /// Kilometres, of all ways of moving.
    var distance: Double?
    var events: Int
    var source: Source

    init(_ batch: SampleBatch, _ index: Int, uuid: String) {
        let sample = batch.samples[index]
        var workout = Workout(activityType: 3000)
        if case .workout(let known)? = batch.details[index] { workout = known }
        self.uuid = uuid
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

    /// The workout's own sums of some types in one unit, else those of its activities, which would
    /// repeat its own; nil where neither has any.
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

enum WorkoutList {
    static func json(_ rows: [WorkoutRow], _ calendar: CalendarBuckets) -> JSONText {
        .object([
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
                        "events": .integer($0.events),
                    ])
                })
        ])
    }

    static func text(_ rows: [WorkoutRow], _ calendar: CalendarBuckets) -> String {
        guard let last = rows.last else { return "No workouts were recorded in that time.\n" }
        let time = rows.reduce(0) { $0 + $1.duration }
        var table = Table([
            .words("start"), .words("activity", widest: 22), .number("h:mm"), .number("kcal"),
            .number("km"), .words("source", widest: 20),
        ])
        for row in rows {
            table.rows.append([
                DayWords.minute(row.start, calendar), row.activity, NumberText.hours(row.duration),
                row.energy.map { NumberText.grouped($0) } ?? "",
                row.distance.map { NumberText.grouped($0, digits: 2) } ?? "", row.source.name,
            ])
        }
        let sentence =
            "\(counted(rows.count, "workout", "workouts")) of \(NumberText.hours(time)) hours, the "
            + "last on \(DayWords.long(last.start, calendar))."
        return sentence.wrapped() + "\n\n" + table.text
    }
}
