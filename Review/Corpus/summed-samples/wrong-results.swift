// Samples handed over by completion handlers, Result and continuations, then added up.
import Accelerate
import HealthKit

final class DistanceService {
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func fetch(
        since start: Date, completion: @escaping (Result<[HKQuantitySample], Error>) -> Void
    ) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.distanceCycling),
            predicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, error in
            if let error {
                completion(.failure(error))
            } else {
                completion(.success(samples?.compactMap { $0 as? HKQuantitySample } ?? []))
            }
        }
        store.execute(query)
    }

    func cycled(since start: Date, completion: @escaping (Double) -> Void) {
        fetch(since: start) { result in
            switch result {
            case .success(let rides):
                completion(rides.reduce(into: 0) { $0 += $1.quantity.doubleValue(for: .mile()) })  // finds summed-samples
            case .failure:
                completion(0)
            }
        }
    }

    func kilometres(since start: Date, completion: @escaping (Double?) -> Void) {
        fetch(since: start) {
            let rides = try? $0.get()
            completion(rides?.reduce(0) { $0 + $1.quantity.doubleValue(for: .meter()) })  // finds summed-samples
        }
    }

    func water(on day: NSPredicate) async -> Double {
        let glasses = await withCheckedContinuation { continuation in
            let query = HKSampleQuery(
                sampleType: HKQuantityType(.dietaryWater), predicate: day,
                limit: HKObjectQueryNoLimit, sortDescriptors: nil
            ) { _, samples, _ in
                continuation.resume(with: .success(samples as? [HKQuantitySample] ?? []))
            }
            store.execute(query)
        }
        return vDSP.sum(glasses.map { $0.quantity.doubleValue(for: .liter()) })  // finds summed-samples
    }

    func added(anchor: HKQueryAnchor?, deletions: @escaping ([HKDeletedObject]) -> Void) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.pushCount), predicate: nil, anchor: anchor,
            limit: HKObjectQueryNoLimit
        ) { _, samples, deleted, _, _ in
            deletions(deleted ?? [])
            var pushes = 0.0
            for case let sample as HKQuantitySample in samples ?? [] {
                pushes += sample.quantity.doubleValue(for: .count())  // finds summed-samples
            }
            print(pushes)
        }
        store.execute(query)
    }
}
