import HealthEngine
import HealthStorage

/// A workout. Its totals are HealthKit's own statistics of the workout, so they stay with it and
/// never become samples.
struct OpenHealthExporterWorkout {
    let uuid: SampleUUID
    private var received: ReceivedSample
    private var workout: Workout

    init(_ record: JSONValue, receivedAt: Double) throws(UnreadableRecord) {
        guard let type = Catalogue.type(named: "workout") else { throw .unknown("workout") }
        let frame = try OpenHealthExporterFrame(record, receivedAt: receivedAt)
        uuid = frame.uuid
        received = frame.sample(type)
        workout = try OpenHealthExporterWorkout.activity(of: record)
        if let duration = record["durationSeconds"]?.number, duration >= 0 {
            workout.duration = duration
        }
        if let isIndoor = record["isIndoor"]?.bool {
            received.metadata["HKIndoorWorkout"] = .number(isIndoor ? 1 : 0)
        }
        for total in record["totals"]?.members ?? [] { add(total) }
        addEvents(record["events"]?.array ?? [])
    }

    /// Returns the sample of the workout, with a route if there are locations.
    func sample(with route: WorkoutRoute?) -> ReceivedSample {
        var workout = self.workout
        if let route { workout.routes.append(route) }
        var sample = received
        sample.detail = .workout(workout)
        return sample
    }

    /// Reads the activity. The raw value counts, since the sender has words for eight activities.
    private static func activity(of record: JSONValue) throws(UnreadableRecord) -> Workout {
        if let raw = record["activityTypeRaw"]?.integer { return Workout(activityType: raw) }
        guard let name = record["activityType"], name != .string("") else {
            throw .invalid(.type, field: "activityTypeRaw")
        }
        if let raw = OpenHealthExporterSample.rawValue(name) { return Workout(activityType: raw) }
        guard let word = name.string else { throw .invalid(.type, field: "activityType") }
        let known = Catalogue.value(named: word, of: Catalogue.workoutActivityType)
        return Workout(
            activityType: known?.rawValue ?? other,
            unknownActivityName: known == nil ? String(word.prefix(200)) : nil)
    }

    private static let other = 3000

    // MARK: - Totals

    /// Adds a total as statistics. One that isn't understood becomes metadata, as JSON.
    private mutating func add(_ total: JSONValue.Member) {
        let type =
            total.name == "distance"
            ? Catalogue.type(identifier: Workout.distanceType(ofActivity: workout.activityType))
            : OpenHealthExporterMetric.type(named: total.name)
        guard let type, let measured = try? OpenHealthExporterValue(total.value, of: type) else {
            return keep(total.value, "totals." + total.name)
        }
        var part = WorkoutStatistics(
            type: type.identifier, unit: measured.unit, start: received.start, end: received.end)
        switch total.value["statistic"]?.string {
        case "sum": part.sum = measured.value
        case "mean": part.average = measured.value
        case "min": part.minimum = measured.value
        case "max": part.maximum = measured.value
        case nil where type.aggregation == .cumulative: part.sum = measured.value
        default: return keep(total.value, "totals." + total.name)
        }
        workout.statistics.append(part)
    }

    private mutating func keep(_ value: JSONValue, _ name: String) {
        received.metadata["openhealthexporter." + String(name.prefix(100))] = .string(value.text)
    }

    // MARK: - Events

    /// Adds events. Those without a valid time become metadata, as JSON.
    private mutating func addEvents(_ elements: [JSONValue]) {
        var unread: [JSONValue] = []
        for element in elements {
            guard let start = try? OpenHealthExporterFrame.instant(element, "timestamp") else {
                unread.append(element)
                continue
            }
            let name = element["type"]?.string ?? ""
            let known = Catalogue.value(named: name, of: Catalogue.workoutEventType)?.rawValue
            let type = known ?? OpenHealthExporterSample.rawValue(element["type"])
            let duration = element["durationSeconds"]?.number ?? 0
            workout.events.append(
                WorkoutEvent(
                    type: type ?? 0,
                    unknownTypeName: type == nil && !name.isEmpty
                        ? String(name.prefix(200)) : nil,
                    start: start, duration: max(0, duration)))
        }
        if !unread.isEmpty { keep(.array(unread), "events") }
    }
}
