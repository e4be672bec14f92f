import HealthKit
final class Rings {
    private let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func follow(_ predicate: NSPredicate, _ use: @escaping ([HKActivitySummary]) -> Void) {
        let query = HKActivitySummaryQuery(predicate: predicate) { _, summaries, _ in use(summaries ?? []) } // finds never-stopped
        query.updateHandler = { _, summaries, _ in use(summaries ?? []) }
        store.execute(query)
    }
}
