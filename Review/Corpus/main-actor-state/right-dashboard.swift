// A dashboard: asked once, mapped in the handler, shown on the main actor.
import HealthKit

struct DailySummary {
    let date: Date
    let steps: Int
    let progress: Double
}

extension HKStatistics {
    func dailySummary(goal: Int) -> DailySummary {
        let steps = sumQuantity()?.doubleValue(for: .count()) ?? 0
        return DailySummary(date: startDate, steps: Int(steps), progress: steps / Double(goal))
    }
}

final class Dashboard: ObservableObject {
    @Published var summaries: [DailySummary] = []
    private let store: HKHealthStore
    private let goal = 10_000
    private let read: Set<HKObjectType> = [
        HKQuantityType(.stepCount), HKQuantityType(.heartRate), HKCategoryType(.sleepAnalysis),
    ]

    init(store: HKHealthStore) {
        self.store = store
    }

    func ask() {
        store.requestAuthorization(toShare: nil, read: read) { success, error in
            guard success else {
                // The sheet could not be shown; what was answered is not known either way.
                return
            }
        }
    }

    func load(from start: Date, to end: Date) {
        let query = HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount),
            quantitySamplePredicate: HKQuery.predicateForSamples(
                withStart: start, end: end, options: .strictStartDate),
            options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: Date()),
            intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { [weak self] _, results, error in
            guard let self, let results else { return }
            var summaries: [DailySummary] = []
            results.enumerateStatistics(from: start, to: end) { statistics, _ in
                summaries.append(statistics.dailySummary(goal: self.goal))
            }
            Task { @MainActor in
                self.summaries = summaries
            }
        }
        store.execute(query)
    }
}
