// Whole histories of types that are written once a day or less: worth a note.
import HealthKit

struct BodyHistory {
    let store: HKHealthStore

    func workouts() async throws -> [HKWorkout] {
        let descriptor = HKSampleQueryDescriptor(  // finds unbounded-query
            predicates: [.workout()], sortDescriptors: [SortDescriptor(\.startDate)])
        return try await descriptor.result(for: store)
    }

    func weights(completion: @escaping ([HKQuantitySample]) -> Void) {
        let query = HKSampleQuery(  // finds unbounded-query
            sampleType: HKQuantityType(.bodyMass), predicate: nil, limit: HKObjectQueryNoLimit,
            sortDescriptors: nil
        ) { _, samples, _ in
            completion((samples as? [HKQuantitySample]) ?? [])
        }
        store.execute(query)
    }

    func pressures(completion: @escaping ([HKCorrelation]) -> Void) {
        let query = HKCorrelationQuery(  // finds unbounded-query
            type: HKCorrelationType(.bloodPressure), predicate: nil, samplePredicates: nil
        ) { _, correlations, _ in
            completion(correlations ?? [])
        }
        store.execute(query)
    }
}
