// Bounds that some branch, some caller or some later line gives.
import HealthKit

final class PageLoader {
    private let store: HKHealthStore
    var pageSize = 100

    init(store: HKHealthStore) { self.store = store }

    func pulse(since start: Date?, completion: @escaping ([HKSample]) -> Void) {
        var predicate: NSPredicate?
        if let start {
            predicate = HKQuery.predicateForSamples(withStart: start, end: nil)
        }
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: predicate,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in completion(samples ?? []) }
        store.execute(query)
    }

    func open(from start: Date?, to end: Date?, completion: @escaping ([HKSample]) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.stepCount),
            predicate: HKQuery.predicateForSamples(withStart: start, end: end),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in completion(samples ?? []) }
        store.execute(query)
    }

    func page(completion: @escaping ([HKSample]) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: nil, limit: pageSize,
            sortDescriptors: nil
        ) { _, samples, _ in completion(samples ?? []) }
        store.execute(query)
    }

    func manual(completion: @escaping ([HKSample]) -> Void) {
        let entered = NSPredicate(
            format: "metadata.%K == YES", HKMetadataKeyWasUserEntered)
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bloodGlucose), predicate: entered,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in completion(samples ?? []) }
        store.execute(query)
    }

    func both(_ day: NSPredicate, completion: @escaping ([HKSample]) -> Void) {
        let everything = HKQuery.predicateForSamples(withStart: nil, end: nil)
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate),
            predicate: NSCompoundPredicate(andPredicateWithSubpredicates: [everything, day]),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in completion(samples ?? []) }
        store.execute(query)
    }

    func until(_ end: Date) async throws -> [HKQuantitySample] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: HKQuantityType(.heartRate),
                    predicate: HKQuery.predicateForSamples(withStart: .distantPast, end: end))
            ],
            sortDescriptors: [])
        return try await descriptor.result(for: store)
    }

    func pressures(on day: NSPredicate, completion: @escaping ([HKCorrelation]) -> Void) {
        let query = HKCorrelationQuery(
            type: HKCorrelationType(.bloodPressure), predicate: nil,
            samplePredicates: [HKQuantityType(.bloodPressureSystolic): day]
        ) { _, correlations, _ in completion(correlations ?? []) }
        store.execute(query)
    }
}
