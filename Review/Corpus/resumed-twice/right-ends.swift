// Resumed at the last call, behind a flag, or from a handler that is called once.
import HealthKit

struct Ends {
    let store: HKHealthStore

    func voltages(of ecg: HKElectrocardiogram) async throws -> [Double] {
        try await withCheckedThrowingContinuation { continuation in
            var all: [Double] = []
            store.execute(
                HKElectrocardiogramQuery(ecg) { _, result in
                    switch result {
                    case .measurement(let value): all.append(value.timeSinceSampleStart)
                    case .done: continuation.resume(returning: all)
                    case .error(let error): continuation.resume(throwing: error)
                    @unknown default: break
                    }
                })
        }
    }

    func beats(of series: HKHeartbeatSeriesSample) async -> [TimeInterval] {
        await withCheckedContinuation { continuation in
            var times: [TimeInterval] = []
            store.execute(
                HKHeartbeatSeriesQuery(heartbeatSeries: series) { _, time, _, isLast, _ in
                    times.append(time)
                    guard isLast else { return }
                    continuation.resume(returning: times)
                })
        }
    }

    func firstChange(of type: HKSampleType) async {
        await withCheckedContinuation { continuation in
            var isResumed = false
            let query = HKObserverQuery(sampleType: type, predicate: nil) { _, done, _ in
                defer { done() }
                if isResumed { return }
                isResumed = true
                continuation.resume()
            }
            store.execute(query)
        }
    }

    func stopped(_ type: HKSampleType) async {
        await withCheckedContinuation { continuation in
            let query = HKObserverQuery(sampleType: type, predicate: nil) { query, done, _ in
                store.stop(query)
                done()
                continuation.resume()
            }
            store.execute(query)
        }
    }

    func summaries(_ predicate: NSPredicate) async -> [HKActivitySummary] {
        await withCheckedContinuation { continuation in
            store.execute(
                HKActivitySummaryQuery(predicate: predicate) { _, summaries, _ in
                    continuation.resume(returning: summaries ?? [])
                })
        }
    }
}
