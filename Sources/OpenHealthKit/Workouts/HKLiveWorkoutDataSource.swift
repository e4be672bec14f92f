public import Foundation
import HealthEngine

/// What a live builder collects: quantity types, each with a predicate or without.
// Unchecked: all that changes is in `collected`, under its lock.
open class HKLiveWorkoutDataSource: NSObject, @unchecked Sendable {
    private let collected: Locked<[HKQuantityType: CollectedPredicate]>

    /// What suits a workout: heart rate, energy, and its distance; nothing without a configuration.
    public init(
        healthStore: HKHealthStore, workoutConfiguration configuration: HKWorkoutConfiguration?
    ) {
        let types = configuration.map(HKLiveWorkoutDataSource.types(for:)) ?? []
        collected = Locked(
            Dictionary(uniqueKeysWithValues: types.map { ($0, CollectedPredicate(value: nil)) }))
    }

    /// What is collected.
    open var typesToCollect: Set<HKQuantityType> { collected { Set($0.keys) } }

    /// Collects a type; samples that a predicate doesn't match are left out.
    open func enableCollection(for quantityType: HKQuantityType, predicate: NSPredicate?) {
        let predicate = CollectedPredicate(value: predicate)
        collected { $0[quantityType] = predicate }
    }

    /// Collects a type no more; what was collected stays.
    open func disableCollection(for quantityType: HKQuantityType) {
        collected { $0[quantityType] = nil }
    }

    /// What is collected, with the predicates.
    var predicates: [HKQuantityType: CollectedPredicate] { collected { $0 } }

    private static func types(for configuration: HKWorkoutConfiguration) -> Set<HKQuantityType> {
        let activity = configuration.activityType
        let distance = Workout.distanceType(ofActivity: Int(activity.rawValue))
        var types: Set<HKQuantityType> = [
            HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned),
            HKQuantityType(.basalEnergyBurned),
        ]
        if HKLiveWorkoutDataSource.movesAlong.contains(activity) {
            types.insert(HKQuantityType(HKQuantityTypeIdentifier(rawValue: distance)))
        }
        if activity == .swimming { types.insert(HKQuantityType(.swimmingStrokeCount)) }
        return types
    }

    /// Activities that have a distance.
    private static let movesAlong: Set<HKWorkoutActivityType> = [
        .walking, .running, .hiking, .cycling, .handCycling, .swimming, .wheelchairWalkPace,
        .wheelchairRunPace, .downhillSkiing, .snowboarding, .snowSports, .crossCountrySkiing,
        .trackAndField, .swimBikeRun, .golf, .soccer, .tennis,
    ]
}

/// A predicate that a data source keeps.
// Unchecked: predicates don't change once made; Foundation on Linux doesn't say so.
struct CollectedPredicate: @unchecked Sendable {
    let value: NSPredicate?
}
