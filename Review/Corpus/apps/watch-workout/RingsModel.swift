// Today's rings for the summary.
import Foundation
import HealthKit

@MainActor
final class RingsModel: ObservableObject {
    @Published var summary: HKActivitySummary?
    private let healthStore: HKHealthStore
    private var query: HKActivitySummaryQuery?

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    func start() {
        let calendar = Calendar.current
        var components = calendar.dateComponents([.era, .year, .month, .day], from: Date())
        components.calendar = calendar
        let query = HKActivitySummaryQuery(
            predicate: HKQuery.predicateForActivitySummary(with: components)
        ) { [weak self] _, summaries, _ in
            Task { @MainActor in
                self?.summary = summaries?.first
            }
        }
        query.updateHandler = { [weak self] _, summaries, _ in
            self?.summary = summaries?.first  // finds main-actor-state
        }
        healthStore.execute(query)
        self.query = query
    }

    func stop() {
        if let query {
            healthStore.stop(query)
        }
    }
}
