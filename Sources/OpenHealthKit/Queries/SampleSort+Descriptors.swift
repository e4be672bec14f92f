import Foundation
import HealthEngine
import HealthStorage

extension SampleSort {
    /// Sort descriptors as the store sorts.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a key that samples can't be sorted by.
    static func list(_ descriptors: [NSSortDescriptor]) throws -> [SampleSort] {
        try descriptors.map { descriptor in
            let key = descriptor.key.flatMap { keys[$0] } ?? key(descriptor.keyPath)
            guard let key else { throw unknownKey(descriptor.key) }
            return SampleSort(key, descriptor.ascending ? .ascending : .descending)
        }
    }

    /// Swift's sort descriptors as the store sorts.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a key path that samples can't be sorted by.
    static func list<Sample: HKSample>(_ descriptors: [SortDescriptor<Sample>]) throws
        -> [SampleSort]
    {
        try descriptors.map { descriptor in
            guard let key = key(descriptor.keyPath) else { throw unknownKey(nil) }
            return SampleSort(key, descriptor.order == .forward ? .ascending : .descending)
        }
    }

    /// What samples can be sorted by, by the names of Apple's sort identifiers.
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

/// A key path names the class it starts at: `\HKQuantitySample.startDate` is another one than
/// `\HKSample.startDate`, so each class compares its own.
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
