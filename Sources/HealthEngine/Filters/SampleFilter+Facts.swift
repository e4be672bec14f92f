/// What a filter can ask of one sample: a stored row and an object in memory both answer.
///
/// Only the first six must be given; whatever a kind of sample doesn't have is absent by default.
public protocol SampleFacts {
    var typeIdentifier: String { get }
    /// Reference seconds, as is ``end``.
    var start: Double { get }
    var end: Double { get }
    var uuid: SampleUUID { get }
    var bundleIdentifier: String? { get }
    func metadata(_ key: String) -> MetadataValue?

    /// The value with the unit it came in; of a series its sum or average.
    var quantity: (value: Double, unit: String)? { get }
    /// The values of a series, in ``quantity``'s unit; nil for any other sample.
    var seriesValues: [Double]? { get }
    /// A quantity in a unit; nil if there is none or it doesn't convert. Override it to keep
    /// conversions from one sample to the next.
    func quantity(_ measure: SampleFilter.Measure, in unit: String) -> Double?
    var categoryValue: Int? { get }

    var sourceName: String? { get }
    var sourceVersion: String? { get }
    var productType: String? { get }
    var operatingSystem: SystemVersion? { get }
    var device: Device? { get }

    /// Whether the sample belongs to this correlation or is associated with this workout.
    func isMember(of container: SampleUUID) -> Bool
    /// Whether the sample is a member of any correlation.
    var hasCorrelation: Bool { get }

    var workout: Workout? { get }
    /// What is known of a type over the workout, the associated samples included.
    func workoutStatistics(of type: String) -> WorkoutStatistics?
    /// The day of an activity summary, "2024-03-10".
    var day: String? { get }
    var stateOfMind: StateOfMindFacts? { get }
}

/// What a filter can ask of a state of mind, by the raw values of Apple's enumerations.
public struct StateOfMindFacts: Hashable, Sendable {
    public var kind: Int
    public var valence: Double
    public var labels: [Int]
    public var associations: [Int]

    public init(kind: Int, valence: Double, labels: [Int], associations: [Int]) {
        self.kind = kind
        self.valence = valence
        self.labels = labels
        self.associations = associations
    }
}

extension SampleFacts {
    /// None.
    public var quantity: (value: Double, unit: String)? { nil }
    /// No series.
    public var seriesValues: [Double]? { nil }
    /// None.
    public var categoryValue: Int? { nil }
    /// Not known.
    public var sourceName: String? { nil }
    /// Not known.
    public var sourceVersion: String? { nil }
    /// Not known.
    public var productType: String? { nil }
    /// Not known.
    public var operatingSystem: SystemVersion? { nil }
    /// None.
    public var device: Device? { nil }
    /// A member of nothing.
    public func isMember(of container: SampleUUID) -> Bool { false }
    /// A member of nothing.
    public var hasCorrelation: Bool { false }
    /// No workout.
    public var workout: Workout? { nil }
    /// No summary.
    public var day: String? { nil }
    /// No state of mind.
    public var stateOfMind: StateOfMindFacts? { nil }

    /// The first of the workout's own.
    public func workoutStatistics(of type: String) -> WorkoutStatistics? {
        workout?.statistics.first { $0.type == type }
    }

    /// Reads both units' strings at every call.
    public func quantity(_ measure: SampleFilter.Measure, in unit: String) -> Double? {
        guard let quantity, let value = measured(measure) else { return nil }
        return SampleFilter.Value.convert(value, from: quantity.unit, to: unit)
    }

    /// A measure in the unit of ``quantity``.
    func measured(_ measure: SampleFilter.Measure) -> Double? {
        switch measure {
        case .value, .sum, .average: quantity?.value
        case .minimum: seriesValues?.min() ?? quantity?.value
        case .maximum: seriesValues?.max() ?? quantity?.value
        case .mostRecent: seriesValues?.last ?? quantity?.value
        }
    }
}

/// One activity of a workout, asked as if it were a sample.
struct ActivityFacts: SampleFacts {
    let activity: WorkoutActivity
    let parent: Workout
    let typeIdentifier: String

    var start: Double { activity.start ?? .nan }
    var end: Double { activity.end ?? .nan }
    var uuid: SampleUUID { SampleUUID(activity.uuid) ?? SampleUUID(high: 0, low: 0) }
    var bundleIdentifier: String? { nil }
    func metadata(_ key: String) -> MetadataValue? { activity.metadata[key] }

    var workout: Workout? {
        Workout(
            activityType: activity.configuration?.activityType ?? parent.activityType,
            duration: activity.duration, events: activity.events, statistics: activity.statistics)
    }
}
