package import HealthEngine

/// A measured quantity or state, with its unit and display name; independent of HealthKit.
///
/// ```swift
/// Metric.steps.displayName  // "steps"
/// Metric.heartRate.unit     // "count/min"
/// ```
public struct Metric: Hashable, Sendable, Codable {
    /// How values are aggregated.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// Amounts are summed: steps, energy.
        case amount
        /// Readings are averaged: heart rate, weight.
        case reading
        /// Time in states is added up: sleep, stand hours.
        case state
    }

    /// HealthKit's type identifier, for example "HKQuantityTypeIdentifierStepCount".
    public let identifier: String
    /// How values are aggregated.
    public let kind: Kind
    /// The display unit, as a HealthKit unit string; "s" for states.
    public let unit: String
    /// The display name: "steps", "heart rate".
    public let displayName: String

    /// Creates the metric of a type in the catalogue.
    ///
    /// The result is nil for an unknown identifier and for types without a value, such as workouts
    /// and correlations.
    ///
    /// - Parameter identifier: HealthKit's type identifier.
    public init?(identifier: String) {
        guard let type = Catalogue.type(identifier: identifier) else { return nil }
        self.init(type)
    }

    package init?(_ type: SampleType) {
        switch type.kind {
        case .quantity: kind = type.aggregation == .cumulative ? .amount : .reading
        case .category: kind = .state
        default: return nil
        }
        identifier = type.identifier
        unit = kind == .state ? "s" : type.displayUnit ?? type.canonicalUnit ?? ""
        displayName = TypeText.name(type)
    }

    /// Creates a metric that counts the samples of a type of any kind.
    package init(counting type: SampleType) {
        self.init(type.identifier, .amount, "count", TypeText.name(type))
    }

    private init(_ name: String, _ kind: Kind, _ unit: String, _ displayName: String) {
        (identifier, self.kind, self.unit, self.displayName) = (name, kind, unit, displayName)
    }

    private enum CodingKeys: String, CodingKey {
        case identifier, kind, unit
        case displayName = "words"
    }

    /// Steps, in count.
    public static let steps = Metric("HKQuantityTypeIdentifierStepCount", .amount, "count", "steps")
    /// Active energy, in kilocalories.
    public static let activeEnergy = Metric(
        "HKQuantityTypeIdentifierActiveEnergyBurned", .amount, "kcal", "active energy")
    /// Distance walked and run, in kilometres.
    public static let distance = Metric(
        "HKQuantityTypeIdentifierDistanceWalkingRunning", .amount, "km", "walking and running")
    /// Exercise time, in minutes.
    public static let exercise = Metric(
        "HKQuantityTypeIdentifierAppleExerciseTime", .amount, "min", "exercise")
    /// Heart rate, in beats per minute.
    public static let heartRate = Metric(
        "HKQuantityTypeIdentifierHeartRate", .reading, "count/min", "heart rate")
    /// Resting heart rate, in beats per minute.
    public static let restingHeartRate = Metric(
        "HKQuantityTypeIdentifierRestingHeartRate", .reading, "count/min", "resting heart rate")
    /// Heart rate variability (SDNN), in milliseconds.
    public static let heartRateVariability = Metric(
        "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", .reading, "ms",
        "heart rate variability")
    /// Body mass, in kilograms.
    public static let weight = Metric("HKQuantityTypeIdentifierBodyMass", .reading, "kg", "weight")
    /// Workouts, for ``HealthService/revisions(of:)``. For this metric, ``HealthKitService``
    /// returns series and totals without values, and no readings.
    public static let workouts = Metric("HKWorkoutTypeIdentifier", .state, "s", "workouts")
    /// The activity rings, for ``HealthService/revisions(of:)``, although ``AnchorRevisions`` has
    /// no revision for them. For this metric, ``HealthKitService`` returns series and totals
    /// without values, and no readings. ``HealthService/rings(_:)`` returns the rings.
    public static let rings = Metric("HKActivitySummaryTypeIdentifier", .state, "s", "rings")
    /// Time asleep, in seconds.
    public static let sleep = Metric(
        "HKCategoryTypeIdentifierSleepAnalysis", .state, "s", "sleep")
}
