// Handlers that are called once, and streams that may yield as often as they like.
import HealthKit

struct OnceReader {
    let store: HKHealthStore

    func samples(_ predicate: NSPredicate) async throws -> [HKSample] {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKSampleQuery(
                sampleType: HKQuantityType(.heartRate), predicate: predicate, limit: 0,
                sortDescriptors: nil
            ) { _, samples, error in
                if let error {
                    continuation.resume(throwing: error)
                    return
                }
                continuation.resume(returning: samples ?? [])
            }
            store.execute(query)
        }
    }

    func daily(from start: Date) async -> HKStatisticsCollection? {
        await withCheckedContinuation { continuation in
            let query = HKStatisticsCollectionQuery(
                quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil,
                options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: start),
                intervalComponents: DateComponents(day: 1))
            query.initialResultsHandler = { _, collection, _ in
                continuation.resume(returning: collection)
            }
            store.execute(query)
        }
    }

    func changes() -> AsyncStream<Void> {
        AsyncStream { continuation in
            let query = HKObserverQuery(
                sampleType: HKQuantityType(.stepCount), predicate: nil
            ) { _, completion, _ in
                continuation.yield()
                completion()
            }
            continuation.onTermination = { _ in store.stop(query) }
            store.execute(query)
        }
    }

    func saved(_ sample: HKSample) async -> Bool {
        await withCheckedContinuation { continuation in
            store.save(sample) { success, _ in
                continuation.resume(returning: success)
            }
        }
    }
}
