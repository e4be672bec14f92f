// Everything is asked for behind a name, a compound predicate, a list of types or an initializer.
import HealthKit

final class HistoryLoader {
    private let store: HKHealthStore
    private let noLimit = HKObjectQueryNoLimit

    init(store: HKHealthStore) { self.store = store }

    private var everything: NSPredicate {
        HKQuery.predicateForSamples(withStart: .distantPast, end: nil, options: .strictStartDate)
    }

    func pulse(completion: @escaping ([HKSample]) -> Void) {
        let query = HKSampleQuery(  // finds unbounded-query
            sampleType: HKQuantityType(.heartRate), predicate: everything, limit: noLimit,
            sortDescriptors: nil
        ) { _, samples, _ in completion(samples ?? []) }
        store.execute(query)
    }

    func steps(completion: @escaping ([HKSample]) -> Void) {
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
            everything, NSPredicate(value: true),
        ])
        let query = HKSampleQuery(  // finds unbounded-query
            sampleType: HKQuantityType(.stepCount), predicate: both, limit: HKObjectQueryNoLimit,
            sortDescriptors: nil
        ) { _, samples, _ in completion(samples ?? []) }
        store.execute(query)
    }

    func mixed(since start: Date, completion: @escaping ([HKSample]) -> Void) {
        let recent = HKQuery.predicateForSamples(withStart: start, end: nil)
        let either = NSCompoundPredicate(type: .or, subpredicates: [recent, everything])
        let query = HKSampleQuery(  // finds unbounded-query
            sampleType: HKQuantityType(.stepCount), predicate: either,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in completion(samples ?? []) }
        store.execute(query)
    }

    func format(completion: @escaping ([HKSample]) -> Void) {
        let old = NSPredicate(format: "startDate >= %@", Date.distantPast as NSDate)
        let query = HKSampleQuery(  // finds unbounded-query
            sampleType: HKQuantityType(.environmentalAudioExposure), predicate: old,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in completion(samples ?? []) }
        store.execute(query)
    }

    func each(_ types: [HKSampleType], completion: @escaping ([HKSample]) -> Void) {
        for type in types {
            let query = HKSampleQuery(  // finds unbounded-query
                sampleType: type, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil
            ) { _, samples, _ in completion(samples ?? []) }
            store.execute(query)
        }
    }

    func made() -> HKSampleQueryDescriptor<HKCategorySample> {
        .init(  // finds unbounded-query
            predicates: [.categorySample(type: HKCategoryType(.sleepAnalysis))],
            sortDescriptors: [])
    }
}
