// Many calls and one resume: at the end, or the first time only.
import CoreLocation
import HealthKit

final class CarefulSeries {
    private let store: HKHealthStore
    private var waiting: CheckedContinuation<Void, Never>?
    private var observer: HKObserverQuery?

    init(store: HKHealthStore) {
        self.store = store
    }

    func locations(of route: HKWorkoutRoute) async throws -> [CLLocation] {
        try await withCheckedThrowingContinuation { continuation in
            var all: [CLLocation] = []
            let query = HKWorkoutRouteQuery(route: route) { _, batch, done, error in
                if let error {
                    continuation.resume(throwing: error)
                    return
                }
                all.append(contentsOf: batch ?? [])
                if done {
                    continuation.resume(returning: all)
                }
            }
            store.execute(query)
        }
    }

    func beats(of series: HKHeartbeatSeriesSample) async -> [TimeInterval] {
        await withCheckedContinuation { continuation in
            var times: [TimeInterval] = []
            let query = HKHeartbeatSeriesQuery(heartbeatSeries: series) { _, time, _, done, _ in
                times.append(time)
                guard done else { return }
                continuation.resume(returning: times)
            }
            store.execute(query)
        }
    }

    func voltages(of ecg: HKElectrocardiogram) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            var count = 0
            let query = HKElectrocardiogramQuery(ecg) { _, result in
                switch result {
                case .measurement: count += 1
                case .error(let error): continuation.resume(throwing: error)
                case .done: continuation.resume(returning: count)
                @unknown default: break
                }
            }
            store.execute(query)
        }
    }

    func firstChange() async {
        await withCheckedContinuation { continuation in
            waiting = continuation
            let query = HKObserverQuery(
                sampleType: HKQuantityType(.stepCount), predicate: nil
            ) { [weak self] _, completion, _ in
                self?.waiting?.resume()
                self?.waiting = nil
                completion()
            }
            observer = query
            store.execute(query)
        }
    }

    deinit {
        if let observer { store.stop(observer) }
    }
}
