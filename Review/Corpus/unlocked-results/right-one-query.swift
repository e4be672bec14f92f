// Handlers of one query, and handlers in functions that nobody starts together.
import HealthKit

final class Feed {
    let store: HKHealthStore
    private var samples: [HKSample] = []
    private var dates: [Date] = []
    private var query: HKAnchoredObjectQuery?

    init(store: HKHealthStore) { self.store = store }

    func start(_ predicate: NSPredicate) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.heartRate), predicate: predicate, anchor: nil,
            limit: HKObjectQueryNoLimit
        ) { [weak self] _, added, deleted, _, _ in
            self?.samples.append(contentsOf: added ?? [])
            self?.drop(deleted)
        }
        query.updateHandler = { [weak self] _, added, deleted, _, _ in
            self?.samples.append(contentsOf: added ?? [])
            self?.drop(deleted)
        }
        self.query = query
        store.execute(query)
    }

    func stop() { if let query { store.stop(query) } }

    private func drop(_ deleted: [HKDeletedObject]?) {
        let gone = Set((deleted ?? []).map(\.uuid))
        samples.removeAll { gone.contains($0.uuid) }
    }

    func morning(_ predicate: NSPredicate) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bodyMass), predicate: predicate, limit: 1,
            sortDescriptors: nil
        ) { _, samples, _ in for sample in samples ?? [] { self.dates.append(sample.startDate) } }
        store.execute(query)
    }

    func evening(_ predicate: NSPredicate) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.height), predicate: predicate, limit: 1,
            sortDescriptors: nil
        ) { _, samples, _ in for sample in samples ?? [] { self.dates.append(sample.startDate) } }
        store.execute(query)
    }
}
