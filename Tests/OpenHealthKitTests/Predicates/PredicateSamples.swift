import Foundation
import HealthEngine
import OpenHealthKit

/// Samples for tests of predicates, with times in seconds since the reference date.
enum PredicateSamples {
    static func at(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

    static func steps(
        _ count: Double = 100, from start: Double = 0, to end: Double = 60,
        device: HKDevice? = nil, metadata: [String: Any]? = nil
    ) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.stepCount),
            quantity: HKQuantity(unit: .count(), doubleValue: count), start: at(start),
            end: at(end), device: device, metadata: metadata)
    }

    static func sleep(_ value: HKCategoryValueSleepAnalysis) -> HKCategorySample {
        HKCategorySample(
            type: HKCategoryType(.sleepAnalysis), value: value.rawValue, start: at(0), end: at(60))
    }

    /// Returns a sample as a store returns it.
    static func stored(_ revision: HKSourceRevision, device: HKDevice? = nil) -> HKQuantitySample {
        HKQuantitySample(
            _record: SampleRecord(
                uuid: UUID(), sampleType: HKQuantityType(.stepCount), start: 0, end: 60,
                origin: SampleOrigin(sourceRevision: revision, device: device)),
            value: 1, unit: .count())
    }

    static func workout(
        _ activity: HKWorkoutActivityType = .running, duration: Double = 100,
        activities: [WorkoutActivity] = [], statistics: [WorkoutStatistics] = []
    ) -> HKWorkout {
        HKWorkout(
            _record: SampleRecord(
                uuid: UUID(), sampleType: .workoutType(), start: 0, end: 100),
            content: Workout(
                activityType: Int(activity.rawValue), duration: duration, activities: activities,
                statistics: statistics))
    }
}

extension NSPredicate {
    /// Returns why a store can't evaluate this predicate on a type; nil if it can.
    func rejectionReason(for type: HKObjectType? = HKQuantityType(.stepCount)) -> String? {
        do {
            _ = try SampleFilter(self, for: type)
            return nil
        } catch {
            return error.code == .errorInvalidArgument ? error.localizedDescription : "\(error)"
        }
    }
}
