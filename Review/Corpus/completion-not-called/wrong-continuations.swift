// Continuations, promises and groups that some way out leaves waiting.
import Combine
import HealthKit

final class Waiting {
    private let store: HKHealthStore
    private let queue = DispatchQueue(label: "results")

    init(store: HKHealthStore) { self.store = store }

    func latest(_ type: HKSampleType) async throws -> HKSample? {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKSampleQuery(
                sampleType: type, predicate: nil, limit: 1, sortDescriptors: nil  // finds newest-sample
            ) { [weak self] _, samples, error in
                guard let self else { return }  // finds completion-not-called
                if let error { return continuation.resume(throwing: error) }
                remember(samples)
                continuation.resume(returning: samples?.first)
            }
            store.execute(query)
        }
    }

    private func remember(_ samples: [HKSample]?) {}

    func sum(_ type: HKQuantityType, _ range: NSPredicate) async -> Double {
        await withCheckedContinuation { (waiting: CheckedContinuation<Double, Never>) in
            let query = HKStatisticsQuery(
                quantityType: type, quantitySamplePredicate: range, options: .cumulativeSum
            ) { _, statistics, error in  // finds completion-not-called
                if let sum = statistics?.sumQuantity() {
                    waiting.resume(returning: sum.doubleValue(for: .count()))
                } else if let error {
                    print(error)
                }
            }
            store.execute(query)
        }
    }

    func weight() -> Future<Double, any Error> {
        Future { promise in
            let query = HKSampleQuery(
                sampleType: HKQuantityType(.bodyMass), predicate: nil, limit: 1,
                sortDescriptors: nil  // finds newest-sample
            ) { _, samples, error in
                if let error { return promise(.failure(error)) }
                guard let sample = samples?.first as? HKQuantitySample else {
                    return  // finds completion-not-called
                }
                promise(.success(sample.quantity.doubleValue(for: .gramUnit(with: .kilo))))
            }
            self.store.execute(query)
        }
    }

    func all(_ types: [HKSampleType], completion: @escaping ([HKSample]) -> Void) {
        let group = DispatchGroup()
        var all: [HKSample] = []
        for type in types {
            group.enter()
            let query = HKSampleQuery(
                sampleType: type, predicate: nil, limit: 10, sortDescriptors: nil
            ) { _, samples, _ in
                guard let samples else { return }  // finds completion-not-called
                self.queue.async {
                    all += samples
                    group.leave()
                }
            }
            store.execute(query)
        }
        group.notify(queue: .main) { completion(all) }
    }

    func blocking(_ type: HKSampleType) -> [HKSample] {
        let semaphore = DispatchSemaphore(value: 0)
        var found: [HKSample] = []
        let query = HKSampleQuery(
            sampleType: type, predicate: nil, limit: 10, sortDescriptors: nil
        ) { _, samples, error in  // finds completion-not-called
            if error == nil {
                found = samples ?? []
                semaphore.signal()
            }
        }
        store.execute(query)
        semaphore.wait()
        return found
    }
}
