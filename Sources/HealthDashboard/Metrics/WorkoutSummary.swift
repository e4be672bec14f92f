public import Foundation

/// A workout's activity, times and totals.
public struct WorkoutSummary: Hashable, Sendable, Codable, Identifiable {
    /// The workout's UUID.
    public var id: UUID
    /// The activity's display name: "running", "traditional strength training".
    public var activity: String
    /// When the workout started.
    public var start: Date
    /// When the workout ended.
    public var end: Date
    /// The duration without pauses, in seconds.
    public var duration: Double
    /// The distance, in metres; nil if it was not recorded.
    public var distance: Double?
    /// The active energy, in kilocalories; nil if it was not recorded.
    public var energy: Double?
    /// The average heart rate, in beats per minute; nil if it was not recorded.
    public var averageHeartRate: Double?
    /// The maximum heart rate, in beats per minute; nil if it was not recorded.
    public var maximumHeartRate: Double?
    /// The name of the app or device that saved the workout.
    public var source: String
    /// Whether the workout has a route.
    public var hasRoute: Bool

    public init(
        id: UUID, activity: String, start: Date, end: Date, duration: Double, distance: Double?,
        energy: Double?, averageHeartRate: Double?, maximumHeartRate: Double?, source: String,
        hasRoute: Bool
    ) {
        self.id = id
        self.activity = activity
        self.start = start
        self.end = end
        self.duration = duration
        self.distance = distance
        self.energy = energy
        self.averageHeartRate = averageHeartRate
        self.maximumHeartRate = maximumHeartRate
        self.source = source
        self.hasRoute = hasRoute
    }
}

/// A workout with its heart rate, route and splits.
public struct WorkoutDetail: Hashable, Sendable, Codable {
    /// A point of a route.
    public struct RoutePoint: Hashable, Sendable, Codable {
        /// When the point was recorded.
        public var time: Date
        /// The latitude, in degrees (WGS 84).
        public var latitude: Double
        /// The longitude, in degrees (WGS 84).
        public var longitude: Double
        /// The altitude above sea level in metres; nil if it is not known.
        public var altitude: Double?

        public init(
            time: Date, latitude: Double, longitude: Double, altitude: Double? = nil
        ) {
            self.time = time
            self.latitude = latitude
            self.longitude = longitude
            self.altitude = altitude
        }
    }

    /// The workout's activity, times and totals.
    public var summary: WorkoutSummary
    /// The heart rate during the workout, in beats per minute, in at most 200 buckets without empty
    /// ones.
    public var heartRate: [HealthSeries.Point]
    /// The points of the route in order of time, at most 2,000; empty without one.
    public var route: [RoutePoint]
    /// The kilometres of the route, computed from all of its points; empty without one.
    public var splits: [WorkoutSplit]
    /// The miles of the route, computed in the same way.
    public var mileSplits: [WorkoutSplit]
    /// The climb of the route in metres: the sum of all climbs of at least three metres. Nil if the
    /// altitudes are not known.
    public var elevationGain: Double?

    public init(
        summary: WorkoutSummary, heartRate: [HealthSeries.Point], route: [RoutePoint],
        splits: [WorkoutSplit] = [], mileSplits: [WorkoutSplit] = [],
        elevationGain: Double? = nil
    ) {
        self.summary = summary
        self.heartRate = heartRate
        self.route = route
        self.splits = splits
        self.mileSplits = mileSplits
        self.elevationGain = elevationGain
    }
}
