// Continuations resumed from handlers that are called again and again.
import HealthKit

final class UpdateWaiter {
    private let store: HKHealthStore
    private var running: [HKQuery] = []

    init(store: HKHealthStore) {
        self.store = store
    }

    func stopAll() {
        running.forEach { store.stop($0) }
    }

    func nextStep() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let query = HKObserverQuery(
                sampleType: HKQuantityType(.stepCount), predicate: nil
            ) { _, completion, _ in
                completion()
                continuation.resume()  // finds resumed-twice
            }
            running.append(query)
            store.execute(query)
        }
    }

    func nextWeight() async throws -> [HKSample] {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKAnchoredObjectQuery(
                type: HKQuantityType(.bodyMass), predicate: nil, anchor: nil, limit: 1
            ) { _, _, _, _, _ in
            }
            query.updateHandler = { _, samples, deleted, _, _ in
                let gone = deleted?.count ?? 0
                continuation.resume(returning: gone > 0 ? [] : samples ?? [])  // finds resumed-twice
            }
            running.append(query)
            store.execute(query)
        }
    }

    func dailySteps(from start: Date) async -> HKStatisticsCollection? {
        await withUnsafeContinuation { continuation in
            let query = HKStatisticsCollectionQuery(
                quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil,
                options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: start),
                intervalComponents: DateComponents(day: 1))
            query.initialResultsHandler = { _, _, _ in }
            query.statisticsUpdateHandler = { _, _, collection, _ in
                continuation.resume(returning: collection)  // finds resumed-twice
            }
            running.append(query)
            store.execute(query)
        }
    }

    func summaries(_ predicate: NSPredicate) async -> [HKActivitySummary] {
        await withCheckedContinuation { continuation in
            let query = HKActivitySummaryQuery(predicate: predicate) { _, _, _ in }
            query.updateHandler = { _, summaries, _ in
                continuation.resume(returning: summaries ?? [])  // finds resumed-twice
            }
            running.append(query)
            store.execute(query)
        }
    }
}
