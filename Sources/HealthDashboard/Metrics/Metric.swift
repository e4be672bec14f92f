package import HealthEngine

/// Something that is measured, in words a person uses; knows no HealthKit.
///
/// ```swift
/// Metric.steps.words        // "steps"
/// Metric.heartRate.unit     // "count/min"
/// ```
public struct Metric: Hashable, Sendable, Codable {
    /// How its values come together.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// Amounts, which add up: steps, energy.
        case amount
        /// Readings, which average: heart rate, weight.
        case reading
        /// Time spent in one of several states: sleep, stand hours.
        case state
    }

    /// HealthKit's identifier, "HKQuantityTypeIdentifierStepCount".
    public let identifier: String
    public let kind: Kind
    /// The unit people read it in, as HealthKit writes units; "s" for states.
    public let unit: String
    /// "steps", "heart rate".
    public let words: String

    /// A metric of the catalogue; nil for an identifier that is unknown or has no values: a workout,
    /// a correlation.
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
        words = TypeWords.words(type)
    }

    private init(_ name: String, _ kind: Kind, _ unit: String, _ words: String) {
        (identifier, self.kind, self.unit, self.words) = (name, kind, unit, words)
    }

    public static let steps = Metric("HKQuantityTypeIdentifierStepCount", .amount, "count", "steps")
    public static let activeEnergy = Metric(
        "HKQuantityTypeIdentifierActiveEnergyBurned", .amount, "kcal", "active energy")
    public static let distance = Metric(
        "HKQuantityTypeIdentifierDistanceWalkingRunning", .amount, "km", "walking and running")
    public static let exercise = Metric(
        "HKQuantityTypeIdentifierAppleExerciseTime", .amount, "min", "exercise")
    public static let heartRate = Metric(
        "HKQuantityTypeIdentifierHeartRate", .reading, "count/min", "heart rate")
    public static let restingHeartRate = Metric(
        "HKQuantityTypeIdentifierRestingHeartRate", .reading, "count/min", "resting heart rate")
    public static let heartRateVariability = Metric(
        "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", .reading, "ms",
        "heart rate variability")
    public static let weight = Metric("HKQuantityTypeIdentifierBodyMass", .reading, "kg", "weight")
    /// Time in workouts: what ``HealthService/revisions(of:)`` tells changes of workouts by.
    public static let workouts = Metric("HKWorkoutTypeIdentifier", .state, "s", "workouts")
    /// Likewise of ``ActivityRings``.
    public static let rings = Metric("HKActivitySummaryTypeIdentifier", .state, "s", "rings")
    public static let sleep = Metric(
        "HKCategoryTypeIdentifierSleepAnalysis", .state, "s", "sleep")
}
