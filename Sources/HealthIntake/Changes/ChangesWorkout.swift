import HealthEngine
import HealthStorage

/// Reads the details of workouts.
enum ChangesWorkout {
    static func workout(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> Workout {
        guard value.members != nil else { throw .invalid(.value, field: field) }
        let (type, name) = try activity(value, field)
        var workout = Workout(
            activityType: type, unknownActivityName: name,
            duration: try ChangesFields.optionalNumber(value["duration"], field + ".duration"))
        workout.events = try events(value["events"], field + ".events")
        workout.statistics = try statistics(value["statistics"], field + ".statistics")
        let activities = field + ".activities"
        for element in try ChangesFields.elements(value["activities"], activities) {
            workout.activities.append(try part(element, activities))
        }
        let routes = field + ".routes"
        for element in try ChangesFields.elements(value["routes"], routes) {
            workout.routes.append(try route(element, routes))
        }
        let zones = field + ".zones"
        for element in try ChangesFields.elements(value["zones"], zones) {
            workout.zones.append(try zoneGroup(element, zones))
        }
        return workout
    }

    /// Reads the number of an activity, or its name if there is no number.
    private static func activity(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> (type: Int, unknownName: String?) {
        if let type = value["activityType"] {
            guard let number = type.integer, number >= 0 else {
                throw .invalid(.type, field: field + ".activityType")
            }
            return (number, nil)
        }
        guard let name = value["activity"]?.string else {
            throw .invalid(.type, field: field + ".activityType")
        }
        if let known = Catalogue.value(named: name, of: Catalogue.workoutActivityType) {
            return (known.rawValue, nil)
        }
        return (other, String(name.prefix(200)))
    }

    private static let other = 3000

    private static func events(
        _ value: JSONValue?, _ field: String
    ) throws(UnreadableRecord) -> [WorkoutEvent] {
        var events: [WorkoutEvent] = []
        for element in try ChangesFields.elements(value, field) {
            let duration = try ChangesFields.optionalNumber(
                element["duration"], field + ".duration")
            let name = element["type"]?.string
            let known =
                name.flatMap { Catalogue.value(named: $0, of: Catalogue.workoutEventType) }?
                .rawValue ?? element["type"]?.integer
            guard known != nil || name != nil else { throw .invalid(.type, field: field + ".type") }
            events.append(
                WorkoutEvent(
                    type: known ?? 0,
                    unknownTypeName: known == nil ? name.map { String($0.prefix(200)) } : nil,
                    start: try ChangesFields.instant(element["start"], field + ".start"),
                    duration: max(0, duration ?? 0),
                    metadata: try ChangesFields.metadata(element["metadata"])))
        }
        return events
    }

    private static func statistics(
        _ value: JSONValue?, _ field: String
    ) throws(UnreadableRecord) -> [WorkoutStatistics] {
        var list: [WorkoutStatistics] = []
        for element in try ChangesFields.elements(value, field) {
            func number(_ name: String) throws(UnreadableRecord) -> Double? {
                try ChangesFields.optionalNumber(element[name], "\(field).\(name)")
            }
            func instant(_ name: String) throws(UnreadableRecord) -> Double? {
                try ChangesFields.optionalInstant(element[name], "\(field).\(name)")
            }
            guard let type = element["type"]?.string else {
                throw .invalid(.type, field: field + ".type")
            }
            var part = WorkoutStatistics(
                type: type, unit: element["unit"]?.string, start: try instant("start"),
                end: try instant("end"), sum: try number("sum"), average: try number("average"),
                minimum: try number("minimum"), maximum: try number("maximum"))
            part.mostRecent = try number("mostRecent")
            part.mostRecentStart = try instant("mostRecentStart")
            part.mostRecentEnd = try instant("mostRecentEnd")
            part.duration = try number("duration")
            list.append(part)
        }
        return list
    }

    private static func part(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> WorkoutActivity {
        let uuid = try ChangesFields.uuid(value["uuid"], field + ".uuid")
        var part = WorkoutActivity(
            uuid: uuid.description,
            start: try ChangesFields.optionalInstant(value["start"], field + ".start"),
            end: try ChangesFields.optionalInstant(value["end"], field + ".end"),
            duration: try ChangesFields.optionalNumber(value["duration"], field + ".duration"),
            events: try events(value["events"], field + ".events"),
            statistics: try statistics(value["statistics"], field + ".statistics"),
            metadata: try ChangesFields.metadata(value["metadata"]))
        if let type = value["activityType"]?.integer {
            part.configuration = WorkoutActivityConfiguration(
                activityType: type, locationType: value["locationType"]?.integer ?? 1,
                swimmingLocationType: value["swimmingLocationType"]?.integer ?? 0,
                lapLength: try ChangesFields.optionalNumber(
                    value["lapLength"], field + ".lapLength"),
                lapLengthUnit: value["lapLengthUnit"]?.string)
        }
        return part
    }

    private static func route(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> WorkoutRoute {
        WorkoutRoute(
            start: try ChangesFields.instant(value["start"], field + ".start"),
            end: try ChangesFields.instant(value["end"], field + ".end"),
            points: try ChangesDetail.route(value["points"] ?? .array([]), field + ".points"),
            metadata: try ChangesFields.metadata(value["metadata"]))
    }

    private static func zoneGroup(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> WorkoutZoneGroup {
        guard let type = value["type"]?.string else {
            throw .invalid(.type, field: field + ".type")
        }
        var group = WorkoutZoneGroup(
            type: type, source: value["source"]?.string, unit: value["unit"]?.string)
        for element in try ChangesFields.elements(value["zones"], field) {
            func number(_ name: String) throws(UnreadableRecord) -> Double? {
                try ChangesFields.optionalNumber(element[name], "\(field).\(name)")
            }
            group.zones.append(
                WorkoutZone(
                    minimum: try number("minimum"), maximum: try number("maximum"),
                    duration: try number("duration")))
        }
        return group
    }
}
