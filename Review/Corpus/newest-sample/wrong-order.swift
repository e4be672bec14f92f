// The latest value from queries that return the oldest one, or any.
import HealthKit

final class Latest {
    let store: HKHealthStore
    var weight: Double?

    init(store: HKHealthStore) { self.store = store }

    func latestWeight(completion: @escaping (Double?) -> Void) {
        let sort = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bodyMass), predicate: nil, limit: 1,
            sortDescriptors: [sort]  // finds newest-sample
        ) { _, samples, _ in
            guard let sample = samples?.first as? HKQuantitySample else { return completion(nil) }
            completion(sample.quantity.doubleValue(for: .gramUnit(with: .kilo)))
        }
        store.execute(query)
    }

    func weightNow(completion: @escaping (Double?) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bodyMass), predicate: nil, limit: 1, sortDescriptors: nil  // finds newest-sample
        ) { _, results, error in
            if let result = results?.first as? HKQuantitySample {
                completion(result.quantity.doubleValue(for: .pound()))
            } else {
                completion(nil)
            }
        }
        store.execute(query)
    }

    func mostRecentFitness() async throws -> Double? {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.vo2Max))],
            sortDescriptors: [SortDescriptor(\.endDate, order: .forward)],  // finds newest-sample
            limit: 1
        ).result(for: store)
        return samples.first?.quantity.doubleValue(for: HKUnit(from: "ml/kg*min"))
    }

    private func load(
        _ type: HKQuantityType, ascending: Bool, limit: Int
    ) async throws -> [HKQuantitySample] {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKSampleQuery(
                sampleType: type, predicate: nil, limit: limit,
                sortDescriptors: [  // finds newest-sample
                    NSSortDescriptor(keyPath: \HKSample.endDate, ascending: ascending)
                ]
            ) { _, samples, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: samples as? [HKQuantitySample] ?? [])
                }
            }
            store.execute(query)
        }
    }

    func lastHeight() async throws -> Double? {
        let samples = try await load(HKQuantityType(.height), ascending: true, limit: 1)
        return samples.last?.quantity.doubleValue(for: .meter())
    }

    func show(since start: Date) {
        let range = HKQuery.predicateForSamples(withStart: start, end: nil)
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bodyMass), predicate: range, limit: HKObjectQueryNoLimit,
            sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)]  // finds newest-sample
        ) { [weak self] _, samples, _ in
            guard let latest = samples?.last as? HKQuantitySample else { return }
            DispatchQueue.main.async {
                self?.weight = latest.quantity.doubleValue(for: .pound())
            }
        }
        store.execute(query)
    }

    func readings(days: Int, completion: @escaping ([HKQuantitySample]) -> Void) {
        let start = Calendar.current.date(byAdding: .day, value: -days, to: Date())
        let range = HKQuery.predicateForSamples(withStart: start, end: nil)
        let sort = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bloodGlucose), predicate: range, limit: 500,  // finds newest-sample
            sortDescriptors: [sort]
        ) { _, samples, _ in
            completion(samples as? [HKQuantitySample] ?? [])
        }
        store.execute(query)
    }

    func latestHeartRate(completion: @escaping (Double) -> Void) {
        let query = HKAnchoredObjectQuery(  // finds newest-sample
            type: HKQuantityType(.heartRate), predicate: nil, anchor: nil,
            limit: HKObjectQueryNoLimit
        ) { _, samples, _, _, _ in
            guard let sample = samples?.last as? HKQuantitySample else { return }  // finds completion-not-called
            completion(sample.quantity.doubleValue(for: HKUnit(from: "count/min")))
        }
        store.execute(query)
    }
}
