// Ways that exclude each other, and states that only somebody else can judge.
import HealthKit

final class Exclusive {
    private let store: HKHealthStore
    private var isFinished = false
    private var phase = 0
    private var running: [HKQuery] = []

    init(store: HKHealthStore) { self.store = store }

    func unknownEnds(_ ecg: HKElectrocardiogram) async throws -> [Double] {
        try await withCheckedThrowingContinuation { continuation in
            var all: [Double] = []
            let query = HKElectrocardiogramQuery(ecg) { _, result in
                switch result {
                case .measurement(let value): all.append(value.timeSinceSampleStart)
                case .done: continuation.resume(returning: all)
                case .error(let error): continuation.resume(throwing: error)
                @unknown default: continuation.resume(throwing: CancellationError())
                }
            }
            store.execute(query)
        }
    }

    func otherEnds(_ ecg: HKElectrocardiogram) async -> Int {
        await withCheckedContinuation { continuation in
            var count = 0
            let query = HKElectrocardiogramQuery(ecg) { _, result in
                if case .measurement = result {
                    count += 1
                } else {
                    continuation.resume(returning: count)
                }
            }
            store.execute(query)
        }
    }

    func guardedEnds(_ ecg: HKElectrocardiogram) async -> Int {
        await withCheckedContinuation { continuation in
            var count = 0
            let query = HKElectrocardiogramQuery(ecg) { _, result in
                guard case .measurement = result else {
                    continuation.resume(returning: count)
                    return
                }
                count += 1
            }
            store.execute(query)
        }
    }

    func beats(_ series: HKHeartbeatSeriesSample) async -> Int {
        await withCheckedContinuation { continuation in
            var count = 0
            let query = HKHeartbeatSeriesQuery(heartbeatSeries: series) { _, _, _, done, _ in
                if !done {
                    count += 1
                } else {
                    continuation.resume(returning: count)
                }
            }
            store.execute(query)
        }
    }

    func watched(_ type: HKSampleType) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let query = HKObserverQuery(sampleType: type, predicate: nil) { [weak self] _, done, _ in
                defer { done() }
                guard let self, phase == 0 else { return }
                advance()
                continuation.resume()
            }
            running.append(query)
            store.execute(query)
        }
    }

    private func advance() { phase += 1 }

    func stop() {
        for query in running { store.stop(query) }
    }

    func either(_ range: NSPredicate) async throws -> [HKSample] {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKSampleQuery(
                sampleType: HKQuantityType(.heartRate), predicate: range, limit: 100,
                sortDescriptors: nil
            ) { _, samples, error in
                if let error {
                    continuation.resume(throwing: error)
                }
                guard let samples else { return }
                continuation.resume(returning: samples)
            }
            store.execute(query)
        }
    }

    func switched(_ sample: HKSample) async -> Bool {
        await withCheckedContinuation { continuation in
            store.save(sample) { success, error in
                switch (success, error) {
                case (true, _): continuation.resume(returning: true)
                case (false, nil): continuation.resume(returning: false)
                default: continuation.resume(returning: false)
                }
            }
        }
    }

    func flagged(_ sample: HKSample) async -> Bool {
        await withCheckedContinuation { continuation in
            var isAnswered = false
            store.save(sample) { success, error in
                if let error, !isAnswered {
                    print(error)
                    isAnswered = true
                    continuation.resume(returning: false)
                }
                if !isAnswered { continuation.resume(returning: success) }
            }
        }
    }
}
