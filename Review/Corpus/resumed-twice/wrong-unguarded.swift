// Continuations in handlers that are called again, with tests that decide nothing.
import HealthKit

struct Unguarded {
    let store: HKHealthStore
    let runner: QueryRunner

    func firstChange(of type: HKSampleType) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let query = HKObserverQuery(sampleType: type, predicate: nil) { _, done, error in
                if error == nil {
                    continuation.resume()  // finds resumed-twice
                }
                done()
            }
            runner.start(query)
        }
    }

    func beats(of series: HKHeartbeatSeriesSample) async -> [TimeInterval] {
        await withCheckedContinuation { continuation in
            var times: [TimeInterval] = []
            store.execute(
                HKHeartbeatSeriesQuery(heartbeatSeries: series) { _, time, _, _, _ in
                    times.append(time)
                    continuation.resume(returning: times)  // finds resumed-twice
                })
        }
    }

    func voltages(of ecg: HKElectrocardiogram) async -> [Double] {
        await withUnsafeContinuation { continuation in
            var all: [Double] = []
            store.execute(
                HKElectrocardiogramQuery(ecg) { _, result in
                    switch result {
                    case .measurement(let value):
                        all.append(value.timeSinceSampleStart)
                        continuation.resume(returning: all)  // finds resumed-twice
                    default: break
                    }
                })
        }
    }

    func live(_ type: HKSampleType) async -> [HKSample] {
        await withCheckedContinuation { continuation in
            let query = HKAnchoredObjectQuery(
                type: type, predicate: nil, anchor: nil, limit: 0
            ) { _, _, _, _, _ in }
            query.updateHandler = { _, added, deleted, _, _ in
                DispatchQueue.main.async {
                    continuation.resume(returning: added ?? [])  // finds resumed-twice
                }
                removed(deleted)
            }
            runner.start(query)
        }
    }
}
