/// The structured part of a sample that is more than one number.
public enum SampleDetail: Hashable, Sendable {
    case workout(Workout)
    case activitySummary(ActivitySummary)
    case heartbeats([Heartbeat])
    /// The backing quantities of a quantity series, in order of their starts, in the unit of the
    /// sample's origin.
    case series([SeriesQuantity])
    /// The locations of a workout route, in order of time.
    case route([RoutePoint])
    /// What any other type records, as numbers under names: a state of mind's
    /// `["kind": [1], "valence": [0.4], "labels": [3, 17]]`.
    case numbers([String: [Double]])
}

extension SampleDetail: Codable {
    private enum Field: String, CodingKey {
        case workout, activitySummary, heartbeats, series, route, numbers
    }

    /// One key that names the kind: `{"workout":{…}}`.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        if let workout = try fields.decodeIfPresent(Workout.self, forKey: .workout) {
            self = .workout(workout)
        } else if let beats = try fields.decodeIfPresent([Heartbeat].self, forKey: .heartbeats) {
            self = .heartbeats(beats)
        } else if let series = try fields.decodeIfPresent([SeriesQuantity].self, forKey: .series) {
            self = .series(series)
        } else if let points = try fields.decodeIfPresent([RoutePoint].self, forKey: .route) {
            self = .route(points)
        } else if let numbers = try fields.decodeIfPresent(
            [String: [Double]].self, forKey: .numbers)
        {
            self = .numbers(numbers)
        } else {
            self = .activitySummary(
                try fields.decode(ActivitySummary.self, forKey: .activitySummary))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        switch self {
        case .workout(let workout): try fields.encode(workout, forKey: .workout)
        case .activitySummary(let summary): try fields.encode(summary, forKey: .activitySummary)
        case .heartbeats(let beats): try fields.encode(beats, forKey: .heartbeats)
        case .series(let series): try fields.encode(series, forKey: .series)
        case .route(let points): try fields.encode(points, forKey: .route)
        case .numbers(let numbers): try fields.encode(numbers, forKey: .numbers)
        }
    }
}

/// A workout's own facts; its start, end and source stand in its ``Sample``.
public struct Workout: Hashable, Sendable, Codable {
    /// `HKWorkoutActivityType`'s raw value (3000 is other).
    public var activityType: Int
    /// The name as met where the catalogue doesn't know it.
    public var unknownActivityName: String?
    /// Seconds, pauses left out; nil where the file doesn't say.
    public var duration: Double?
    public var events: [WorkoutEvent]
    public var activities: [WorkoutActivity]
    /// Totals and averages by type. iOS before 16 wrote two totals as attributes: they come here too.
    public var statistics: [WorkoutStatistics]
    public var routes: [WorkoutRoute]
    /// Heart-rate and other zones (iOS 27).
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
    public var unknownTypeName: String?
    public var start: Double
    /// Seconds; 0 for a moment.
    public var duration: Double
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

/// One leg of a multi-sport workout. Its statistics repeat parts of the workout's: never add both.
public struct WorkoutActivity: Hashable, Sendable, Codable {
    /// The only real UUIDs in an export.
    public var uuid: String
    /// What was done where; nil where the file doesn't say.
    public var configuration: WorkoutActivityConfiguration?
    public var start: Double?
    public var end: Double?
    public var duration: Double?
    public var events: [WorkoutEvent]
    public var statistics: [WorkoutStatistics]
    public var metadata: Metadata
    /// UUIDs of the effort scores given to this leg; exports don't say it.
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

/// What a leg of a workout was: its activity and where it took place.
public struct WorkoutActivityConfiguration: Hashable, Sendable, Codable {
    /// `HKWorkoutActivityType`'s raw value.
    public var activityType: Int
    /// `HKWorkoutSessionLocationType`'s raw value; 1 is unknown.
    public var locationType: Int
    /// `HKWorkoutSwimmingLocationType`'s raw value; 0 is unknown.
    public var swimmingLocationType: Int
    public var lapLength: Double?
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

/// What a workout says about one quantity: a sum for cumulative types, else average and range.
public struct WorkoutStatistics: Hashable, Sendable, Codable {
    public var type: String
    public var unit: String?
    public var start: Double?
    public var end: Double?
    public var sum: Double?
    public var average: Double?
    public var minimum: Double?
    public var maximum: Double?
    /// The reading that starts last, with its interval; exports don't say it.
    public var mostRecent: Double?
    public var mostRecentStart: Double?
    public var mostRecentEnd: Double?
    /// Seconds that samples cover; exports don't say it.
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

/// A recorded path of a workout: the file that holds it, or the points themselves (iOS 12).
public struct WorkoutRoute: Hashable, Sendable, Codable {
    public var start: Double
    public var end: Double
    /// As written: "/workout-routes/route_2024-09-03_2.21pm.gpx".
    public var path: String?
    public var points: [RoutePoint]
    /// The number under which a store keeps the points apart, equal for equal points; nil where it
    /// has none, or ``points`` alone.
    public var storedPoints: Int64?
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
    public var time: Double
    public var latitude: Double
    public var longitude: Double
    public var altitude: Double
    public var horizontalAccuracy: Double
    public var verticalAccuracy: Double
    public var course: Double
    public var speed: Double
    /// Degrees; nil where nobody said.
    public var courseAccuracy: Double?
    /// Metres a second; nil where nobody said.
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

/// Time spent between limits of one quantity during a workout.
public struct WorkoutZoneGroup: Hashable, Sendable, Codable {
    public var type: String
    public var source: String?
    public var unit: String?
    public var zones: [WorkoutZone]

    public init(type: String, source: String? = nil, unit: String? = nil, zones: [WorkoutZone] = [])
    {
        self.type = type
        self.source = source
        self.unit = unit
        self.zones = zones
    }
}

/// One zone: the first has no minimum, the last no maximum.
public struct WorkoutZone: Hashable, Sendable, Codable {
    public var minimum: Double?
    public var maximum: Double?
    /// Seconds.
    public var duration: Double?

    public init(minimum: Double? = nil, maximum: Double? = nil, duration: Double? = nil) {
        self.minimum = minimum
        self.maximum = maximum
        self.duration = duration
    }
}

/// The rings of one calendar day, as recorded; never recomputed (Semantics §10.1).
public struct ActivitySummary: Hashable, Sendable, Codable {
    /// "2024-03-10": a day in the person's calendar, without a zone.
    public var date: String
    public var activeEnergyBurned: Double?
    public var activeEnergyBurnedGoal: Double?
    public var activeEnergyBurnedUnit: String?
    /// Minutes.
    public var appleMoveTime: Double?
    public var appleMoveTimeGoal: Double?
    /// Minutes.
    public var appleExerciseTime: Double?
    public var appleExerciseTimeGoal: Double?
    public var appleStandHours: Double?
    public var appleStandHoursGoal: Double?

    public init(date: String) { self.date = date }
}

/// One beat of a heart-rate-variability reading.
public struct Heartbeat: Hashable, Sendable {
    public var bpm: Double
    /// The wall-clock text as written ("6:14:48.94 PM"): the file gives neither date nor zone.
    public var time: String
    /// Seconds since the reading's start, known modulo a quarter of an hour; nil if unreadable.
    public var offset: Double?

    public init(bpm: Double, time: String, offset: Double? = nil) {
        self.bpm = bpm
        self.time = time
        self.offset = offset
    }
}

extension Heartbeat: Codable {
    /// Beats come by the million: an array `[61,"6:14:48.94 PM",0.98]`, not an object.
    ///
    /// What should be a number and is none reads as NaN for a rate and as nil for an offset, so
    /// that one bad beat doesn't cost all samples of its type.
    public init(from decoder: any Decoder) throws {
        var fields = try decoder.unkeyedContainer()
        bpm = try Heartbeat.number(&fields) ?? .nan
        time = try fields.decode(String.self)
        offset = try Heartbeat.number(&fields)
    }

    /// The next element if it is a number; whatever it is, the one after it comes next.
    private static func number(_ fields: inout any UnkeyedDecodingContainer) throws -> Double? {
        if try fields.decodeNil() { return nil }
        if let number = try? fields.decode(Double.self) { return number }
        _ = try fields.decode(String.self)
        return nil
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.unkeyedContainer()
        try fields.encode(bpm)
        try fields.encode(time)
        try fields.encode(offset)
    }
}
