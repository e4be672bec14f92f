import HealthKit
final class StepsModel: ObservableObject {
    @Published var steps: [Double] = []
    private let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func load(_ query: HKStatisticsCollectionQuery, _ start: Date, _ end: Date) {
        query.initialResultsHandler = { [weak self] _, results, _ in
            guard let self, let results else { return }
            results.enumerateStatistics(from: start, to: end) { statistics, _ in
                self.steps.append(statistics.sumQuantity()?.doubleValue(for: .count()) ?? 0) // finds main-actor-state
            }
        }
        store.execute(query)
    }
}
