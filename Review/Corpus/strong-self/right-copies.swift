// Weak references by the old ways, and closures that only share a word.
import HealthKit

final class OldWays {
    private let store: HKHealthStore
    private let refresh: @Sendable () -> Void
    private var running: [HKQuery] = []

    init(store: HKHealthStore, refresh: @escaping @Sendable () -> Void) {
        self.store = store
        self.refresh = refresh
    }

    func weakVariable() {
        weak var weakSelf = self
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil
        ) { _, completion, _ in
            weakSelf?.reload()
            completion()
        }
        start(query)
    }

    func captured() {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.heartRate), predicate: nil
        ) { [refresh] _, completion, _ in
            refresh()
            completion()
        }
        start(query)
    }

    func collection(_ range: NSPredicate, from day: Date) {
        let query = HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: day),
            intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { _, _, _ in
            self.refresh()
        }
        store.execute(query)
    }

    func saved(_ sample: HKSample) {
        store.save(sample) { _, _ in
            self.refresh()
        }
    }

    private func start(_ query: HKQuery) {
        running.append(query)
        store.execute(query)
    }

    private func reload() {}

    func stop() {
        running.forEach { store.stop($0) }
    }
}
