/// The structured part of a sample that has more than one number.
public enum SampleDetail: Hashable, Sendable {
    /// A workout.
    case workout(Workout)
    /// The activity summary of one day.
    case activitySummary(ActivitySummary)
    /// The beats of a heart-rate-variability reading.
    case heartbeats([Heartbeat])
    /// The quantities of a quantity series in order of start, in the unit of the sample's origin.
    case series([SeriesQuantity])
    /// The locations of a route in order of time.
    case route([RoutePoint])
    /// The numbers of any other type by name, for example of a state of mind:
    /// `["kind": [1], "valence": [0.4], "labels": [3, 17]]`.
    case numbers([String: [Double]])
}

extension SampleDetail: Codable {
    /// The key of each kind in stored JSON: `{"workout":{…}}`.
    package enum Name: String, CodingKey {
        case workout, activitySummary, heartbeats, series, route, numbers
    }

    /// The kinds, in the order in which they are tried.
    private static let schema = [
        StoredKind(.workout, workout) { if case .workout(let part) = $0 { part } else { nil } },
        StoredKind(.heartbeats, heartbeats) {
            if case .heartbeats(let part) = $0 { part } else { nil }
        },
        StoredKind(.series, series) { if case .series(let part) = $0 { part } else { nil } },
        StoredKind(.route, route) { if case .route(let part) = $0 { part } else { nil } },
        StoredKind(.numbers, numbers) { if case .numbers(let part) = $0 { part } else { nil } },
        StoredKind(.activitySummary, activitySummary) {
            if case .activitySummary(let part) = $0 { part } else { nil }
        },
    ]

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Name.self)
        for kind in SampleDetail.schema {
            if let detail = try kind.read(fields) {
                self = detail
                return
            }
        }
        throw DecodingError.keyNotFound(
            Name.activitySummary,
            .init(codingPath: decoder.codingPath, debugDescription: "Unknown kind."))
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Name.self)
        for kind in SampleDetail.schema where try kind.write(self, &fields) { return }
        throw EncodingError.invalidValue(
            self,
            .init(codingPath: encoder.codingPath, debugDescription: "The kind has no name."))
    }
}

/// How a kind of ``SampleDetail`` is decoded and encoded.
private struct StoredKind: Sendable {
    typealias Name = SampleDetail.Name

    /// Decodes the detail if it is of this kind.
    let read: @Sendable (KeyedDecodingContainer<Name>) throws -> SampleDetail?
    /// Encodes the detail if it is of this kind. Returns whether it was.
    let write: @Sendable (SampleDetail, inout KeyedEncodingContainer<Name>) throws -> Bool

    init<Part: Codable & Sendable>(
        _ name: Name, _ detail: @escaping @Sendable (Part) -> SampleDetail,
        _ part: @escaping @Sendable (SampleDetail) -> Part?
    ) {
        read = { try $0.decodeIfPresent(Part.self, forKey: name).map(detail) }
        write = { detail, fields in
            guard let part = part(detail) else { return false }
            try fields.encode(part, forKey: name)
            return true
        }
    }
}

/// The data of a workout. Its start, end and source are in its ``Sample``.
public struct Workout: Hashable, Sendable, Codable {
    /// `HKWorkoutActivityType`'s raw value (3000 is other).
    public var activityType: Int
    /// The exported name of an activity that is not in the catalogue.
    public var unknownActivityName: String?
    /// The duration without pauses, in seconds; nil if not recorded.
    public var duration: Double?
    /// Pauses, laps, markers and segments.
    public var events: [WorkoutEvent]
    /// The activities of a workout with several of them.
    public var activities: [WorkoutActivity]
    /// Totals and averages by type, including the two totals that iOS before 16 wrote as
    /// attributes.
    public var statistics: [WorkoutStatistics]
    /// The recorded routes.
    public var routes: [WorkoutRoute]
    /// Times in zones of heart rate and other quantities (iOS 27).
    public var zones: [WorkoutZoneGroup]

    public init(
        activityType: Int, unknownActivityName: String? = nil, duration: Double? = nil,
        events: [WorkoutEvent] = [], activities: [WorkoutActivity] = [],
        statistics: [WorkoutStatistics] = [], routes: [WorkoutRoute] = [],
        zones: [WorkoutZoneGroup] = []
    ) {
        self.activityType = activityType
        self.unknownActivityName = unknownActivityName
        self.duration = duration
        self.events = events
        self.activities = activities
        self.statistics = statistics
        self.routes = routes
        self.zones = zones
    }
}

/// A pause, lap, marker or segment inside a workout.
public struct WorkoutEvent: Hashable, Sendable, Codable {
    /// `HKWorkoutEventType`'s raw value; 0 where the name is unknown.
    public var type: Int
    /// The exported name of an event type that is unknown.
    public var unknownTypeName: String?
    /// The start, in reference seconds.
    public var start: Double
    /// The duration in seconds; 0 for an instant.
    public var duration: Double
    /// The metadata of the event.
    public var metadata: Metadata

    public init(
        type: Int, unknownTypeName: String? = nil, start: Double, duration: Double = 0,
        metadata: Metadata = [:]
    ) {
        self.type = type
        self.unknownTypeName = unknownTypeName
        self.start = start
        self.duration = duration
        self.metadata = metadata
    }
}

/// One activity of a multi-sport workout. Its statistics are part of the workout's statistics, so
/// the two must not be added.
public struct WorkoutActivity: Hashable, Sendable, Codable {
    /// The UUID of the activity. Exports have no other UUIDs.
    public var uuid: String
    /// The kind of activity and its location; nil if not recorded.
    public var configuration: WorkoutActivityConfiguration?
    /// The start, in reference seconds; nil if not recorded.
    public var start: Double?
    /// The end, in reference seconds; nil if not recorded.
    public var end: Double?
    /// The duration without pauses, in seconds; nil if not recorded.
    public var duration: Double?
    /// Pauses, laps, markers and segments of the activity.
    public var events: [WorkoutEvent]
    /// Totals and averages of the activity by type.
    public var statistics: [WorkoutStatistics]
    /// The metadata of the activity.
    public var metadata: Metadata
    /// The UUIDs of the effort scores related to this activity; nil for imported workouts, because
    /// exports do not contain them.
    public var effortSamples: [String]?

    public init(
        uuid: String, configuration: WorkoutActivityConfiguration? = nil, start: Double? = nil,
        end: Double? = nil, duration: Double? = nil, events: [WorkoutEvent] = [],
        statistics: [WorkoutStatistics] = [], metadata: Metadata = [:]
    ) {
        self.uuid = uuid
        self.configuration = configuration
        self.start = start
        self.end = end
        self.duration = duration
        self.events = events
        self.statistics = statistics
        self.metadata = metadata
    }
}

/// The kind of a workout activity and its location.
public struct WorkoutActivityConfiguration: Hashable, Sendable, Codable {
    /// `HKWorkoutActivityType`'s raw value.
    public var activityType: Int
    /// `HKWorkoutSessionLocationType`'s raw value; 1 is unknown.
    public var locationType: Int
    /// `HKWorkoutSwimmingLocationType`'s raw value; 0 is unknown.
    public var swimmingLocationType: Int
    /// The length of a lap in ``lapLengthUnit``; nil if not recorded.
    public var lapLength: Double?
    /// The unit of ``lapLength``, such as "m".
    public var lapLengthUnit: String?

    public init(
        activityType: Int, locationType: Int = 1, swimmingLocationType: Int = 0,
        lapLength: Double? = nil, lapLengthUnit: String? = nil
    ) {
        self.activityType = activityType
        self.locationType = locationType
        self.swimmingLocationType = swimmingLocationType
        self.lapLength = lapLength
        self.lapLengthUnit = lapLengthUnit
    }
}

/// The statistics of one quantity type in a workout: a sum for cumulative types, else average and
/// range.
///
/// Values are in ``unit`` and nil if not recorded.
public struct WorkoutStatistics: Hashable, Sendable, Codable {
    /// The identifier of the quantity type.
    public var type: String
    /// The unit of the values.
    public var unit: String?
    /// The start of the data, in reference seconds.
    public var start: Double?
    /// The end of the data, in reference seconds.
    public var end: Double?
    /// The sum of a cumulative type.
    public var sum: Double?
    /// The average of a discrete type.
    public var average: Double?
    /// The smallest value of a discrete type.
    public var minimum: Double?
    /// The largest value of a discrete type.
    public var maximum: Double?
    /// The value of the sample with the latest start; nil for imported workouts.
    public var mostRecent: Double?
    /// The start of the most recent sample, in reference seconds.
    public var mostRecentStart: Double?
    /// The end of the most recent sample, in reference seconds.
    public var mostRecentEnd: Double?
    /// The time that samples cover, in seconds; nil for imported workouts.
    public var duration: Double?

    public init(
        type: String, unit: String? = nil, start: Double? = nil, end: Double? = nil,
        sum: Double? = nil, average: Double? = nil, minimum: Double? = nil, maximum: Double? = nil
    ) {
        self.type = type
        self.unit = unit
        self.start = start
        self.end = end
        self.sum = sum
        self.average = average
        self.minimum = minimum
        self.maximum = maximum
    }
}

/// A recorded route of a workout: the path of its file, or the points themselves (iOS 12).
public struct WorkoutRoute: Hashable, Sendable, Codable {
    /// The start, in reference seconds.
    public var start: Double
    /// The end, in reference seconds.
    public var end: Double
    /// The path in the export as written: "/workout-routes/route_2024-09-03_2.21pm.gpx".
    public var path: String?
    /// The locations in order of time.
    public var points: [RoutePoint]
    /// The store's identifier of the points, which are kept in a separate table. Equal points have
    /// equal identifiers. Nil if the points are not stored, or are in ``points`` only.
    public var storedPoints: Int64?
    /// The metadata of the route.
    public var metadata: Metadata

    public init(
        start: Double, end: Double, path: String? = nil, points: [RoutePoint] = [],
        storedPoints: Int64? = nil, metadata: Metadata = [:]
    ) {
        self.start = start
        self.end = end
        self.path = path
        self.points = points
        self.storedPoints = storedPoints
        self.metadata = metadata
    }
}

/// One location of a route.
public struct RoutePoint: Hashable, Sendable, Codable {
    /// The time, in reference seconds.
    public var time: Double
    /// The latitude, in degrees (WGS 84).
    public var latitude: Double
    /// The longitude, in degrees (WGS 84).
    public var longitude: Double
    /// The altitude above sea level, in metres.
    public var altitude: Double
    /// The horizontal accuracy, in metres; negative if unknown.
    public var horizontalAccuracy: Double
    /// The accuracy of the altitude, in metres; negative if unknown.
    public var verticalAccuracy: Double
    /// The direction of travel, in degrees clockwise from north; negative if unknown.
    public var course: Double
    /// The speed, in metres per second; negative if unknown.
    public var speed: Double
    /// The accuracy of the course, in degrees; nil if not recorded.
    public var courseAccuracy: Double?
    /// The accuracy of the speed, in metres per second; nil if not recorded.
    public var speedAccuracy: Double?

    public init(
        time: Double, latitude: Double, longitude: Double, altitude: Double,
        horizontalAccuracy: Double, verticalAccuracy: Double, course: Double, speed: Double,
        courseAccuracy: Double? = nil, speedAccuracy: Double? = nil
    ) {
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.speed = speed
        self.courseAccuracy = courseAccuracy
        self.speedAccuracy = speedAccuracy
    }
}

/// The time spent in zones of one quantity during a workout.
public struct WorkoutZoneGroup: Hashable, Sendable, Codable {
    /// The identifier of the quantity type.
    public var type: String
    /// The source of the zones as exported.
    public var source: String?
    /// The unit of the limits.
    public var unit: String?
    /// The zones as recorded, normally in ascending order.
    public var zones: [WorkoutZone]

    public init(type: String, source: String? = nil, unit: String? = nil, zones: [WorkoutZone] = [])
    {
        self.type = type
        self.source = source
        self.unit = unit
        self.zones = zones
    }
}

/// One zone. The first has no minimum, the last no maximum.
public struct WorkoutZone: Hashable, Sendable, Codable {
    /// The lower limit in the group's unit.
    public var minimum: Double?
    /// The upper limit in the group's unit.
    public var maximum: Double?
    /// The time in the zone, in seconds.
    public var duration: Double?

    public init(minimum: Double? = nil, maximum: Double? = nil, duration: Double? = nil) {
        self.minimum = minimum
        self.maximum = maximum
        self.duration = duration
    }
}

/// The activity summary (rings) of one calendar day, as recorded. It is never recomputed
/// (Semantics §10.1).
public struct ActivitySummary: Hashable, Sendable, Codable {
    /// The day in the person's calendar, without a time zone: "2024-03-10".
    public var date: String
    /// The active energy in ``activeEnergyBurnedUnit``.
    public var activeEnergyBurned: Double?
    /// The goal for active energy in ``activeEnergyBurnedUnit``.
    public var activeEnergyBurnedGoal: Double?
    /// The unit of the active energy and its goal.
    public var activeEnergyBurnedUnit: String?
    /// The move time, in minutes.
    public var appleMoveTime: Double?
    /// The goal for move time, in minutes.
    public var appleMoveTimeGoal: Double?
    /// The exercise time, in minutes.
    public var appleExerciseTime: Double?
    /// The goal for exercise time, in minutes.
    public var appleExerciseTimeGoal: Double?
    /// The number of hours with standing.
    public var appleStandHours: Double?
    /// The goal for hours with standing.
    public var appleStandHoursGoal: Double?

    /// Creates a summary without values.
    ///
    /// - Parameter date: The day, such as "2024-03-10".
    public init(date: String) { self.date = date }
}

/// One beat of a heart-rate-variability reading.
public struct Heartbeat: Hashable, Sendable {
    /// The heart rate in beats per minute; NaN if unreadable.
    public var bpm: Double
    /// The local time as written, without a date or a time zone: "6:14:48.94 PM".
    public var time: String
    /// The time since the reading's start in seconds, known modulo 15 minutes; nil if unreadable.
    public var offset: Double?

    public init(bpm: Double, time: String, offset: Double? = nil) {
        self.bpm = bpm
        self.time = time
        self.offset = offset
    }
}

extension Heartbeat: ArrayPart {
    package static let blank = Heartbeat(bpm: .nan, time: "")
    package static let layout: [ArrayField<Heartbeat>] = [
        .numberOrNaN(\.bpm), .text(\.time), .numberOrNil(\.offset),
    ]
}

extension Heartbeat: Codable {
    /// Decodes an array `[61,"6:14:48.94 PM",0.98]`.
    public init(from decoder: any Decoder) throws { try self.init(array: decoder) }
    public func encode(to encoder: any Encoder) throws { try encode(asArray: encoder) }
}
