import Foundation
import HealthEngine
import HealthStorage

extension SampleSort {
    /// Converts NSSortDescriptors to the store's sort keys.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a key that samples cannot be sorted by.
    static func list(_ descriptors: [NSSortDescriptor]) throws -> [SampleSort] {
        try descriptors.map { descriptor in
            let key = descriptor.key.flatMap { keys[$0] } ?? key(descriptor.keyPath)
            guard let key else { throw unknownKey(descriptor.key) }
            return SampleSort(key, descriptor.ascending ? .ascending : .descending)
        }
    }

    /// Converts Swift sort descriptors to the store's sort keys.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a key path that samples cannot be sorted by.
    static func list<Sample: HKSample>(_ descriptors: [SortDescriptor<Sample>]) throws
        -> [SampleSort]
    {
        try descriptors.map { descriptor in
            guard let key = key(descriptor.keyPath) else { throw unknownKey(nil) }
            return SampleSort(key, descriptor.order == .forward ? .ascending : .descending)
        }
    }

    /// The sort keys by Apple's identifiers.
    private static let keys: [String: SampleSort.Key] = [
        HKSampleSortIdentifierStartDate: .start,
        HKSampleSortIdentifierEndDate: .end,
        HKWorkoutSortIdentifierDuration: .workoutDuration,
        HKWorkoutSortIdentifierTotalDistance: .workoutTotalDistance,
        HKWorkoutSortIdentifierTotalEnergyBurned: .workoutTotalEnergyBurned,
        HKWorkoutSortIdentifierTotalSwimmingStrokeCount: .workoutTotalSwimmingStrokeCount,
        HKWorkoutSortIdentifierTotalFlightsClimbed: .workoutTotalFlightsClimbed,
    ]

    private static func key(_ path: AnyKeyPath?) -> SampleSort.Key? {
        guard let path else { return nil }
        return (type(of: path).rootType as? any SortedSample.Type)?.key(path)
    }

    private static func unknownKey(_ name: String?) -> HKError {
        HKError(
            .errorInvalidArgument,
            "Samples can't be sorted by \(name ?? "this key path"): use startDate, endDate or a "
                + "workout's duration and totals.")
    }
}

/// A sample class whose key paths can be converted to sort keys.
///
/// A key path includes its root class: `\HKQuantitySample.startDate` differs from
/// `\HKSample.startDate`. So each class compares with its own key paths.
private protocol SortedSample: HKSample {}

extension HKSample: SortedSample {}

extension SortedSample {
    fileprivate static func key(_ path: AnyKeyPath?) -> SampleSort.Key? {
        switch path {
        case \Self.startDate: .start
        case \Self.endDate: .end
        case \HKWorkout.duration: .workoutDuration
        case \HKWorkout.totalDistance: .workoutTotalDistance
        case \HKWorkout.totalEnergyBurned: .workoutTotalEnergyBurned
        case \HKWorkout.totalSwimmingStrokeCount: .workoutTotalSwimmingStrokeCount
        case \HKWorkout.totalFlightsClimbed: .workoutTotalFlightsClimbed
        default: nil
        }
    }
}
