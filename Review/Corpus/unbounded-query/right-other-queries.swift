// No predicate where none is needed: statistics, sources, anchors and short lists.
import HealthKit

struct OverviewReader {
    let store: HKHealthStore

    func totalSteps(completion: @escaping (Double?) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil,
            options: .cumulativeSum
        ) { _, statistics, _ in
            completion(statistics?.sumQuantity()?.doubleValue(for: .count()))
        }
        store.execute(query)
    }

    func sources(completion: @escaping (Set<HKSource>) -> Void) {
        let query = HKSourceQuery(
            sampleType: HKQuantityType(.heartRate), samplePredicate: nil
        ) { _, sources, _ in
            completion(sources ?? [])
        }
        store.execute(query)
    }

    func changes(
        since anchor: HKQueryAnchor?,
        completion: @escaping ([HKSample], [HKDeletedObject], HKQueryAnchor?) -> Void
    ) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.heartRate), predicate: nil, anchor: anchor,
            limit: HKObjectQueryNoLimit
        ) { _, samples, deleted, newAnchor, _ in
            completion(samples ?? [], deleted ?? [], newAnchor)
        }
        store.execute(query)
    }

    func lastWorkouts() async throws -> [HKWorkout] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.workout()],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 20)
        return try await descriptor.result(for: store)
    }

    func readings(
        limit: Int = HKObjectQueryNoLimit, in interval: DateInterval?,
        completion: @escaping ([HKSample]) -> Void
    ) {
        let predicate = interval.map {
            HKQuery.predicateForSamples(withStart: $0.start, end: $0.end)
        }
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bloodGlucose), predicate: predicate, limit: limit,
            sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples ?? [])
        }
        store.execute(query)
    }

    func runs(completion: @escaping ([HKWorkout]) -> Void) {
        let query = HKSampleQuery(
            sampleType: .workoutType(), predicate: HKQuery.predicateForWorkouts(with: .running),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples as? [HKWorkout] ?? [])
        }
        store.execute(query)
    }
}
