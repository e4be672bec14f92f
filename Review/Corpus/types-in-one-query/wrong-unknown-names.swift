// Types declared elsewhere, each under a name of its own: still several in one query.
import HealthKit

struct Watcher {
    let store: HKHealthStore

    func trackedTypes() -> [HKSampleType] {
        return [dietaryEnergyConsumedType, stepCountType, sleepAnalysisType]
    }

    func load(range: NSPredicate, done: @escaping ([HKSample]) -> Void) {
        let descriptors = trackedTypes().map { HKQueryDescriptor(sampleType: $0, predicate: range) };
        let query = HKSampleQuery(  // finds types-in-one-query
            queryDescriptors: descriptors, limit: 100
        ) { _, samples, _ in
            done(samples ?? [])
        }
        store.execute(query)
    }
}
