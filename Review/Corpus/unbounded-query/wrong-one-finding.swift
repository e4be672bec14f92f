// One finding for one cause, and for a type that only the calls show.
import HealthKit

final class Archive {
    private let store: HKHealthStore
    private let sampleType: HKSampleType

    init(store: HKHealthStore, sampleType: HKSampleType) {
        self.store = store
        self.sampleType = sampleType
    }

    func sleep(isFirst: Bool, completion: @escaping ([HKSample]) -> Void) {
        let type = HKCategoryType(.sleepAnalysis)
        if isFirst {
            let query = HKSampleQuery(  // finds unbounded-query
                sampleType: type, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil
            ) { _, samples, _ in completion(samples ?? []) }
            store.execute(query)
        } else {
            let query = HKSampleQuery(
                sampleType: type, predicate: nil, limit: HKObjectQueryNoLimit,
                sortDescriptors: [NSSortDescriptor(key: "startDate", ascending: true)]
            ) { _, samples, _ in completion(samples ?? []) }
            store.execute(query)
        }
    }

    func all(completion: @escaping ([HKSample]) -> Void) {
        let query = HKSampleQuery(  // finds unbounded-query
            sampleType: sampleType, predicate: nil, limit: HKObjectQueryNoLimit,
            sortDescriptors: nil
        ) { _, samples, _ in completion(samples ?? []) }
        store.execute(query)
    }

    func documents(completion: @escaping ([HKSample]) -> Void) {
        guard let type = HKObjectType.documentType(forIdentifier: .CDA) else { return }
        load(documents: type, completion)
    }

    private func load(documents: HKSampleType, _ completion: @escaping ([HKSample]) -> Void) {
        let query = HKSampleQuery(
            sampleType: documents, predicate: nil, limit: HKObjectQueryNoLimit,
            sortDescriptors: nil
        ) { _, samples, _ in completion(samples ?? []) }
        store.execute(query)
    }

    func glucose(completion: @escaping ([HKSample]) -> Void) {
        load(vitals: HKQuantityType(.bloodGlucose), completion)
    }

    private func load(vitals: HKSampleType, _ completion: @escaping ([HKSample]) -> Void) {
        let query = HKSampleQuery(  // finds unbounded-query
            sampleType: vitals, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in completion(samples ?? []) }
        store.execute(query)
    }
}
