// Async descriptors with neither a limit nor a predicate.
import HealthKit

actor SampleArchive {
    let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func heartRates() async throws -> [HKQuantitySample] {
        let descriptor = HKSampleQueryDescriptor(  // finds unbounded-query
            predicates: [.quantitySample(type: HKQuantityType(.heartRate))],
            sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)])
        return try await descriptor.result(for: store)
    }

    func sleep() async throws -> [HKCategorySample] {
        let type = HKCategoryType(.sleepAnalysis)
        return try await HKSampleQueryDescriptor(  // finds unbounded-query
            predicates: [.categorySample(type: type)], sortDescriptors: [], limit: nil
        ).result(for: store)
    }

    func energy() async throws -> [HKQuantitySample] {
        let everything = HKSamplePredicate.quantitySample(
            type: HKQuantityType(.activeEnergyBurned), predicate: nil)
        let descriptor = HKSampleQueryDescriptor(  // finds unbounded-query
            predicates: [everything], sortDescriptors: [SortDescriptor(\.startDate)])
        return try await descriptor.result(for: store)
    }

    func oxygen(completion: @escaping @Sendable ([HKSample]) -> Void) {
        let descriptors = [
            HKQueryDescriptor(sampleType: HKQuantityType(.oxygenSaturation), predicate: nil)
        ]
        let query = HKSampleQuery(  // finds unbounded-query
            queryDescriptors: descriptors, limit: HKObjectQueryNoLimit
        ) { _, samples, _ in
            completion(samples ?? [])
        }
        store.execute(query)
    }
}
