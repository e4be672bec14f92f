public import Foundation
import HealthEngine

/// The quantity types that a live builder collects, each with an optional predicate.
// Unchecked: all mutable state is in `collected`, which is locked.
open class HKLiveWorkoutDataSource: NSObject, @unchecked Sendable {
    private let collected: Locked<[HKQuantityType: SendablePredicate]>

    /// Creates a data source with the default types: heart rate, active and basal energy, the
    /// distance for activities such as running and cycling, and strokes for swimming.
    ///
    /// - Parameters:
    ///   - healthStore: Unused.
    ///   - configuration: The activity type of the workout; nil for no types.
    public init(
        healthStore: HKHealthStore, workoutConfiguration configuration: HKWorkoutConfiguration?
    ) {
        let types = configuration.map(HKLiveWorkoutDataSource.types(for:)) ?? []
        collected = Locked(
            Dictionary(uniqueKeysWithValues: types.map { ($0, SendablePredicate(value: nil)) }))
    }

    /// The collected types.
    open var typesToCollect: Set<HKQuantityType> { collected { Set($0.keys) } }

    /// Starts collecting a type. Replaces the predicate of a type that is already collected.
    ///
    /// - Parameters:
    ///   - quantityType: The type.
    ///   - predicate: Which samples to collect; nil for all.
    open func enableCollection(for quantityType: HKQuantityType, predicate: NSPredicate?) {
        let predicate = SendablePredicate(value: predicate)
        collected { $0[quantityType] = predicate }
    }

    /// Stops collecting a type. Samples that are already collected are kept.
    ///
    /// - Parameter quantityType: The type.
    open func disableCollection(for quantityType: HKQuantityType) {
        collected { $0[quantityType] = nil }
    }

    /// The predicates of the collected types.
    var predicates: [HKQuantityType: SendablePredicate] { collected { $0 } }

    private static func types(for configuration: HKWorkoutConfiguration) -> Set<HKQuantityType> {
        let activity = configuration.activityType
        let distance = Workout.distanceType(ofActivity: Int(activity.rawValue))
        var types: Set<HKQuantityType> = [
            HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned),
            HKQuantityType(.basalEnergyBurned),
        ]
        if HKLiveWorkoutDataSource.distanceActivities.contains(activity) {
            types.insert(HKQuantityType(HKQuantityTypeIdentifier(rawValue: distance)))
        }
        if activity == .swimming { types.insert(HKQuantityType(.swimmingStrokeCount)) }
        return types
    }

    /// The activities whose distance is collected by default.
    private static let distanceActivities: Set<HKWorkoutActivityType> = [
        .walking, .running, .hiking, .cycling, .handCycling, .swimming, .wheelchairWalkPace,
        .wheelchairRunPace, .downhillSkiing, .snowboarding, .snowSports, .crossCountrySkiing,
        .trackAndField, .swimBikeRun, .golf, .soccer, .tennis,
    ]
}

/// An optional predicate that can be passed to another thread.
// Unchecked: predicates are immutable, but Foundation on Linux does not declare them Sendable.
struct SendablePredicate: @unchecked Sendable {
    let value: NSPredicate?
}
