// Deletes in the handlers of queries, and in clean-ups that nobody asked for.
import HealthKit

final class GlucoseSync {
    private let store: HKHealthStore
    private let database: GlucoseDatabase

    init(store: HKHealthStore, database: GlucoseDatabase) {
        self.store = store
        self.database = database
    }

    func load(since anchor: HKQueryAnchor?) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.bloodGlucose), predicate: nil, anchor: anchor, limit: 0
        ) { [store, database] _, samples, deleted, _, _ in
            database.remove(deleted ?? [])
            for sample in samples ?? [] where database.isDismissed(sample.uuid) {
                store.delete(sample) { _, _ in }  // finds mirror-deletes
            }
        }
        store.execute(query)
    }

    func tidy(_ day: DateInterval) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bloodGlucose),
            predicate: HKQuery.predicateForSamples(withStart: day.start, end: day.end),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            let extra = (samples ?? []).filter { !self.database.contains($0.uuid) }
            self.store.delete(extra) { _, _ in }  // finds mirror-deletes
        }
        store.execute(query)
    }

    func cleanup(olderThan date: Date) {
        let old = HKQuery.predicateForSamples(withStart: nil, end: date)
        store.deleteObjects(of: HKQuantityType(.bloodGlucose), predicate: old) { _, _, _ in }  // finds mirror-deletes
    }
}
