public import Foundation

/// A workout, in words and numbers.
public struct WorkoutSummary: Hashable, Sendable, Codable, Identifiable {
    public var id: UUID
    /// "running", "traditional strength training".
    public var activity: String
    public var start: Date
    public var end: Date
    /// In seconds, pauses left out.
    public var duration: Double
    /// In metres.
    public var distance: Double?
    /// In kcal.
    public var energy: Double?
    /// In beats a minute.
    public var averageHeartRate: Double?
    public var maximumHeartRate: Double?
    public var source: String
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

/// One workout with what was measured meanwhile.
public struct WorkoutDetail: Hashable, Sendable, Codable {
    /// A point of a route.
    public struct Place: Hashable, Sendable, Codable {
        public var time: Date
        /// In degrees, WGS 84.
        public var latitude: Double
        public var longitude: Double

        public init(time: Date, latitude: Double, longitude: Double) {
            self.time = time
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    public var summary: WorkoutSummary
    /// Beats a minute over the workout; at most some hundred points.
    public var heartRate: [HealthSeries.Point]
    public var route: [Place]

    public init(
        summary: WorkoutSummary, heartRate: [HealthSeries.Point], route: [Place]
    ) {
        self.summary = summary
        self.heartRate = heartRate
        self.route = route
    }
}
