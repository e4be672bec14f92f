/// The data of a sample that does not fit in the properties of ``Sample``.
public enum SampleDetail: Hashable, Sendable {
    /// A workout.
    case workout(Workout)
    /// The activity summary of one day.
    case activitySummary(ActivitySummary)
    /// The beats of a heart-rate-variability reading or of a heartbeat series.
    case heartbeats([Heartbeat])
    /// The quantities of a quantity series in order of start, in the unit of the sample's origin.
    case series([SeriesQuantity])
    /// The locations of a route in order of time.
    case route([RoutePoint])
    /// The numbers of another type by name (`RecordedNumber`), for example of a state of mind:
    /// `["kind": [1], "valence": [0.4], "labels": [3, 17]]`.
    case numbers([String: [Double]])
    /// A clinical record.
    case clinicalRecord(ClinicalRecord)
    /// A clinical document.
    case document(ClinicalDocument)
    /// A signed clinical record.
    case verifiableClinicalRecord(VerifiableClinicalRecord)
    /// A medication dose.
    case medicationDose(MedicationDose)
    /// A hearing test.
    case audiogram(Audiogram)
    /// A prescription for glasses or contact lenses.
    case visionPrescription(VisionPrescription)
}

extension SampleDetail: Codable {
    /// The key of each kind in stored JSON: `{"workout":{…}}`.
    package enum Name: String, CodingKey {
        case workout, activitySummary, heartbeats, series, route, numbers
        case clinicalRecord, document, verifiableClinicalRecord
        case medicationDose
        case audiogram, visionPrescription
    }

    /// The kinds, in the order in which decoding and encoding try them.
    private static let schema = [
        StoredKind(.workout, workout) { if case .workout(let part) = $0 { part } else { nil } },
        StoredKind(.heartbeats, heartbeats) {
            if case .heartbeats(let part) = $0 { part } else { nil }
        },
        StoredKind(.series, series) { if case .series(let part) = $0 { part } else { nil } },
        StoredKind(.route, route) { if case .route(let part) = $0 { part } else { nil } },
        StoredKind(.numbers, numbers) { if case .numbers(let part) = $0 { part } else { nil } },
        StoredKind(.medicationDose, medicationDose) {
            if case .medicationDose(let part) = $0 { part } else { nil }
        },
        StoredKind(.audiogram, audiogram) {
            if case .audiogram(let part) = $0 { part } else { nil }
        },
        StoredKind(.visionPrescription, visionPrescription) {
            if case .visionPrescription(let part) = $0 { part } else { nil }
        },
        StoredKind(.activitySummary, activitySummary) {
            if case .activitySummary(let part) = $0 { part } else { nil }
        },
        StoredKind(.clinicalRecord, clinicalRecord) {
            if case .clinicalRecord(let part) = $0 { part } else { nil }
        },
        StoredKind(.document, document) { if case .document(let part) = $0 { part } else { nil } },
        StoredKind(.verifiableClinicalRecord, verifiableClinicalRecord) {
            if case .verifiableClinicalRecord(let part) = $0 { part } else { nil }
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
    /// `HKWorkoutActivityType`'s raw value; 3000 is other.
    public var activityType: Int
    /// The exported name of an activity type that is not in the catalogue; nil for known ones.
    public var unknownActivityName: String?
    /// The duration without pauses, in seconds; nil if not recorded.
    public var duration: Double?
    /// Pauses, resumptions, laps, markers and segments.
    public var events: [WorkoutEvent]
    /// The recorded activities, for example three of a triathlon; empty if none were recorded.
    public var activities: [WorkoutActivity]
    /// Totals and averages by type. For exports of older iOS versions, they include the totals that
    /// the `Workout` element has as attributes: energy, distance, flights and strokes.
    public var statistics: [WorkoutStatistics]
    /// The recorded routes.
    public var routes: [WorkoutRoute]
    /// The time in each zone of heart rate and other quantities (iOS 27 and later).
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

/// A pause, resumption, lap, marker or segment of a workout.
public struct WorkoutEvent: Hashable, Sendable, Codable {
    /// `HKWorkoutEventType`'s raw value; 0 if the catalogue does not have the exported name.
    public var type: Int
    /// The exported name of an event type that is not in the catalogue; nil for known ones.
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

/// One activity of a workout, for example the swim of a triathlon. Its statistics are part of the
/// workout's statistics, so the two must not be added.
public struct WorkoutActivity: Hashable, Sendable, Codable {
    /// The UUID of the activity. Activities are the only objects that have a UUID in an export.
    public var uuid: String
    /// The kind of activity and its location; nil if not recorded.
    public var configuration: WorkoutActivityConfiguration?
    /// The start, in reference seconds; nil if not recorded.
    public var start: Double?
    /// The end, in reference seconds; nil if not recorded.
    public var end: Double?
    /// The duration without pauses, in seconds; nil if not recorded.
    public var duration: Double?
    /// Pauses, resumptions, laps, markers and segments of the activity.
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

/// The statistics of one quantity type in a workout: the sum of a cumulative type, or the average,
/// minimum and maximum of a discrete type.
///
/// Values are in ``unit``. A property is nil if it was not recorded.
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
    /// The start of the sample with the latest start, in reference seconds.
    public var mostRecentStart: Double?
    /// The end of the sample with the latest start, in reference seconds.
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

/// A recorded route of a workout: the path of its file in the export, the locations, or both.
/// Exports of iOS 12 contain the locations.
public struct WorkoutRoute: Hashable, Sendable, Codable {
    /// The start, in reference seconds.
    public var start: Double
    /// The end, in reference seconds.
    public var end: Double
    /// The path of the file in the export as written:
    /// "/workout-routes/route_2024-09-03_2.21pm.gpx"; nil if there is no file.
    public var path: String?
    /// The locations in order of time; empty if they are only in the file or in the store's
    /// separate table (``storedPoints``).
    public var points: [RoutePoint]
    /// The identifier of the locations in the store's separate table. Equal lists of locations have
    /// equal identifiers. Nil if the locations are not in that table.
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

/// The time in each zone of one quantity, such as heart rate, during a workout.
public struct WorkoutZoneGroup: Hashable, Sendable, Codable {
    /// The identifier of the quantity type.
    public var type: String
    /// The `source` attribute of the group in the export, unchanged; nil if there is none.
    public var source: String?
    /// The unit of the minimum and maximum of each zone, such as "count/min".
    public var unit: String?
    /// The zones in the order in which they were recorded, normally from the lowest to the highest.
    public var zones: [WorkoutZone]

    public init(type: String, source: String? = nil, unit: String? = nil, zones: [WorkoutZone] = [])
    {
        self.type = type
        self.source = source
        self.unit = unit
        self.zones = zones
    }
}

/// A range of values of a quantity, and the time that a workout spent in it.
public struct WorkoutZone: Hashable, Sendable, Codable {
    /// The lower limit in the unit of the ``WorkoutZoneGroup``; nil in the lowest zone.
    public var minimum: Double?
    /// The upper limit in the unit of the ``WorkoutZoneGroup``; nil in the highest zone.
    public var maximum: Double?
    /// The time in the zone, in seconds; nil if not recorded.
    public var duration: Double?

    public init(minimum: Double? = nil, maximum: Double? = nil, duration: Double? = nil) {
        self.minimum = minimum
        self.maximum = maximum
        self.duration = duration
    }
}

/// The activity summary (rings) of one calendar day, as recorded. It is never computed from samples
/// (Semantics §10.1). A property is nil if it was not recorded.
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
    /// The number of hours in which the person stood.
    public var appleStandHours: Double?
    /// The goal for the number of hours in which the person stood.
    public var appleStandHoursGoal: Double?

    /// Creates a summary without values.
    ///
    /// - Parameter date: The day, such as "2024-03-10".
    public init(date: String) { self.date = date }
}

/// One beat of a heart-rate-variability reading or of a heartbeat series.
public struct Heartbeat: Hashable, Sendable {
    /// The heart rate in beats per minute; NaN if unreadable or not recorded.
    public var bpm: Double
    /// The local time as written, without a date or a time zone: "6:14:48.94 PM".
    public var time: String
    /// The time since the start of the reading, in seconds; nil if unreadable. For imported samples
    /// it is known only modulo 15 minutes, because ``time`` has no date and no time zone.
    public var offset: Double?
    /// Whether beats may be missing before this one. Exports don't contain this, so it is false for
    /// imported readings.
    public var precededByGap = false

    public init(bpm: Double, time: String, offset: Double? = nil) {
        self.bpm = bpm
        self.time = time
        self.offset = offset
    }
}

extension Heartbeat: ArrayCodable {
    package static let blank = Heartbeat(bpm: .nan, time: "")
    package static let layout: [ArrayField<Heartbeat>] = [
        .numberOrNaN({ $0.bpm }, { $0.bpm = $1 }), .text({ $0.time }, { $0.time = $1 }),
        .numberOrNil({ $0.offset }, { $0.offset = $1 }),
        .flag({ $0.precededByGap }, { $0.precededByGap = $1 }),
    ]
}

extension Heartbeat: Codable {
    /// Decodes an array `[61,"6:14:48.94 PM",0.98]`, with a 1 at the end after a gap.
    public init(from decoder: any Decoder) throws { try self.init(array: decoder) }
    public func encode(to encoder: any Encoder) throws { try encode(asArray: encoder) }
}
