// Predicates that look like a range and bound nothing.
import HealthKit

struct WalkingReader {
    let store: HKHealthStore

    func speeds() async throws -> [HKSample] {
        let start = Date.distantPast
        let everything = HKQuery.predicateForSamples(withStart: start, end: nil)
        return try await withCheckedThrowingContinuation { continuation in
            let query = HKSampleQuery(  // finds unbounded-query
                sampleType: HKQuantityType(.walkingSpeed),
                predicate: everything,
                limit: HKObjectQueryNoLimit,
                sortDescriptors: nil
            ) { _, samples, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: samples ?? [])
                }
            }
            store.execute(query)
        }
    }

    func steps() async throws -> [HKQuantitySample] {
        let always = HKQuery.predicateForSamples(withStart: .distantPast, end: .distantFuture)
        let descriptor = HKSampleQueryDescriptor(  // finds unbounded-query
            predicates: [.quantitySample(type: HKQuantityType(.stepCount), predicate: always)],
            sortDescriptors: [SortDescriptor(\.startDate)])
        return try await descriptor.result(for: store)
    }
}

extension HKHealthStore {
    func everyHeartbeatSeries(completion: @escaping ([HKSample]) -> Void) {
        execute(
            HKSampleQuery(  // finds unbounded-query
                sampleType: HKSeriesType.heartbeat(),
                predicate: HKQuery.predicateForSamples(withStart: nil, end: nil),
                limit: HKObjectQueryNoLimit,
                sortDescriptors: nil
            ) { _, samples, _ in
                completion(samples ?? [])
            })
    }
}
