public import Foundation

/// A kilometre or mile of a workout with a route.
public struct WorkoutSplit: Hashable, Sendable, Codable {
    /// The length of a split.
    public enum Unit: String, Hashable, Sendable, Codable, CaseIterable {
        case kilometre, mile

        /// The length in metres.
        public var metres: Double {
            switch self {
            case .kilometre: 1000
            case .mile: 1609.344
            }
        }

        /// The unit of the reader of the page that is being made.
        package static var ofReader: Unit {
            PageSettings.current.units == .imperial ? .mile : .kilometre
        }
    }

    /// When the split began, interpolated between two points of the route.
    public var start: Date
    /// When the split ended.
    public var end: Date
    /// The distance, in metres.
    public var distance: Double
    /// The duration without pauses of more than a minute, in seconds.
    public var seconds: Double
    /// The average heart rate in beats per minute; nil if it is not known.
    public var averageHeartRate: Double?
    /// The climb in metres; nil if the altitudes are not known.
    public var elevationGain: Double?
    /// Whether it is the last split and shorter than the unit.
    public var isPartial: Bool

    public init(
        start: Date, end: Date, distance: Double, seconds: Double, averageHeartRate: Double?,
        elevationGain: Double?, isPartial: Bool
    ) {
        self.start = start
        self.end = end
        self.distance = distance
        self.seconds = seconds
        self.averageHeartRate = averageHeartRate
        self.elevationGain = elevationGain
        self.isPartial = isPartial
    }
}
