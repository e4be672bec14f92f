// Several predicates of different types in one async descriptor.
import HealthKit

struct MorningReport {
    let store: HKHealthStore

    func vitals(on day: DateInterval) async throws -> [HKQuantitySample] {
        let range = HKQuery.predicateForSamples(withStart: day.start, end: day.end)
        let descriptor = HKSampleQueryDescriptor(  // finds types-in-one-query
            predicates: [
                .quantitySample(type: HKQuantityType(.restingHeartRate), predicate: range),
                .quantitySample(type: HKQuantityType(.respiratoryRate), predicate: range),
                .quantitySample(type: HKQuantityType(.bodyTemperature), predicate: range),
            ],
            sortDescriptors: [SortDescriptor(\.startDate)])
        return try await descriptor.result(for: store)
    }

    func pressures(since start: Date) async throws -> [HKQuantitySample] {
        let range = HKQuery.predicateForSamples(withStart: start, end: nil)
        let systolic = HKSamplePredicate.quantitySample(
            type: HKQuantityType(.bloodPressureSystolic), predicate: range)
        let diastolic = HKSamplePredicate.quantitySample(
            type: HKQuantityType(.bloodPressureDiastolic), predicate: range)
        return try await HKSampleQueryDescriptor(  // finds types-in-one-query
            predicates: [systolic, diastolic], sortDescriptors: []
        ).result(for: store)
    }

    func changes(since anchor: HKQueryAnchor?) async throws -> ([HKSample], [HKDeletedObject]) {
        let descriptor = HKAnchoredObjectQueryDescriptor(  // finds types-in-one-query
            predicates: [
                .sample(type: HKCategoryType(.sleepAnalysis)), .sample(type: .workoutType()),
            ],
            anchor: anchor)
        let result = try await descriptor.result(for: store)
        return (result.addedSamples, result.deletedObjects)
    }
}
