// Strong self deeper in: in a task, in a main queue block, under a label.
import HealthKit

@MainActor
final class RingsViewModel: ObservableObject {
    @Published var steps = 0
    private let store: HKHealthStore
    private var running: [HKQuery] = []

    init(store: HKHealthStore) {
        self.store = store
    }

    func observe() {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil,
            updateHandler: { _, completion, _ in  // finds strong-self
                Task { @MainActor in
                    await self.reload()
                    completion()
                }
            })
        running.append(query)
        store.execute(query)
    }

    func days(_ range: NSPredicate, from start: Date) {
        let query = HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: start),
            intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { _, _, _ in }
        query.statisticsUpdateHandler = { _, statistics, _, _ in  // finds strong-self
            let sum = statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0
            DispatchQueue.main.async {
                self.steps = Int(sum)
            }
        }
        running.append(query)
        store.execute(query)
    }

    func summaries(_ predicate: NSPredicate) {
        let query = HKActivitySummaryQuery(predicate: predicate) { _, _, _ in }
        query.updateHandler = { _, _, _ in Task { await self.reload() } }  // finds strong-self
        running.append(query)
        store.execute(query)
    }

    func stop() {
        for query in running {
            store.stop(query)
        }
    }

    private func reload() async {}
}
