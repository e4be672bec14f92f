// Callbacks that every way calls, hands on or stores.
import Combine
import HealthKit

final class Answers {
    private let store: HKHealthStore
    private var waiting: [([HKSample]) -> Void] = []
    private var didAnswer = false

    init(store: HKHealthStore) { self.store = store }

    func outcomes(completion: @escaping (Result<[HKSample], any Error>) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: nil, limit: 10, sortDescriptors: nil
        ) { _, samples, error in
            if let error {
                completion(.failure(error))
            }
            if let samples {
                completion(.success(samples))
            }
        }
        store.execute(query)
    }

    func chained(completion: @escaping ([HKSample]?, (any Error)?) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: nil, limit: 10, sortDescriptors: nil
        ) { _, samples, error in
            if error != nil {
                completion(nil, error)
            } else if let samples = samples as? [HKQuantitySample] {
                completion(samples, nil)
            }
        }
        store.execute(query)
    }

    func falling(completion: @escaping ([HKSample]) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: nil, limit: 10, sortDescriptors: nil
        ) { _, samples, error in
            if error != nil { completion([]) }
            guard let samples else { return }
            completion(samples)
        }
        store.execute(query)
    }

    func deferred(completion: @escaping () -> Void) {
        store.requestAuthorization(toShare: nil, read: [HKQuantityType(.heartRate)]) { ok, error in
            defer { completion() }
            guard ok else { return }
            print("asked")
        }
    }

    func stored(completion: @escaping ([HKSample]) -> Void) {
        waiting.append(completion)
        guard waiting.count == 1 else { return }
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: nil, limit: 10, sortDescriptors: nil
        ) { [weak self] _, samples, _ in
            self?.waiting.forEach { $0(samples ?? []) }
        }
        store.execute(query)
    }

    func grouped(_ types: [HKSampleType], completion: @escaping ([HKSample]) -> Void) {
        let group = DispatchGroup()
        var all: [HKSample] = []
        for type in types {
            group.enter()
            let query = HKSampleQuery(
                sampleType: type, predicate: nil, limit: 10, sortDescriptors: nil
            ) { _, samples, _ in
                defer { group.leave() }
                guard let samples else { return }
                all += samples  // finds unlocked-results
            }
            store.execute(query)
        }
        group.notify(queue: .main) { completion(all) }
    }

    func once(completion: @escaping (Bool) -> Void) {
        var answered = false
        let finish = { (ok: Bool) in
            guard !answered else { return }
            answered = true
            completion(ok)
        }
        store.requestAuthorization(toShare: nil, read: [HKQuantityType(.heartRate)]) { ok, _ in
            finish(ok)
        }
        DispatchQueue.main.asyncAfter(deadline: .now() + 5) { finish(false) }
    }

    func optional(completion: ((Bool) -> Void)? = nil) {
        store.requestAuthorization(toShare: nil, read: [HKQuantityType(.heartRate)]) { ok, error in
            guard let completion else { return }
            if let error { print(error) }
            completion(ok)
        }
    }

    func query(completion: @escaping ([HKSample]) -> Void) -> HKQuery? {
        guard HKHealthStore.isHealthDataAvailable() else { return nil }
        return HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: nil, limit: 10, sortDescriptors: nil
        ) { _, samples, _ in completion(samples ?? []) }
    }

    func throwing(completion: @escaping ([HKSample]) -> Void) throws {
        let range = try lastWeek()
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: range, limit: 10,
            sortDescriptors: nil
        ) { _, samples, _ in completion(samples ?? []) }
        store.execute(query)
    }

    private func lastWeek() throws -> NSPredicate { HKQuery.predicateForSamples(withStart: .now, end: nil) }

    func handed(completion: @escaping (Int) -> Void) {
        outcomes { result in
            switch result {
            case .success(let samples): self.count(samples, completion)
            case .failure: completion(0)
            }
        }
    }

    private func count(_ samples: [HKSample], _ completion: (Int) -> Void) {
        completion(samples.count)
    }
}
