import HealthKit
final class EnergyService {
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }

    func fetchEnergySamples(for day: DateInterval) async throws -> [HKQuantitySample] {
        let predicate = HKQuery.predicateForSamples(withStart: day.start, end: day.end, options: .strictStartDate)
        return try await withCheckedThrowingContinuation { continuation in
            let query = HKSampleQuery(
                sampleType: HKQuantityType(.activeEnergyBurned), predicate: predicate,
                limit: HKObjectQueryNoLimit, sortDescriptors: nil
            ) { _, samples, error in
                if let error { continuation.resume(throwing: error); return }
                continuation.resume(returning: samples as? [HKQuantitySample] ?? [])
            }
            store.execute(query)
        }
    }

    func total(for day: DateInterval) async throws -> Double {
        let samples = try await fetchEnergySamples(for: day)
        return samples.reduce(0.0) { $0 + $1.quantity.doubleValue(for: .kilocalorie()) } // finds summed-samples
    }
}
