// Samples fetched by one function and added up by another.
import HealthKit

final class EnergyService {
    static let shared = EnergyService(store: HealthStoreProvider.store)
    private let store: HKHealthStore
    private static let protein = HKQuantityType(.dietaryProtein)

    init(store: HKHealthStore) {
        self.store = store
    }

    func fetchEnergySamples(for interval: DateInterval) async throws -> [HKQuantitySample] {
        let predicate = HKQuery.predicateForSamples(
            withStart: interval.start, end: interval.end, options: .strictStartDate)
        return try await withCheckedThrowingContinuation { continuation in
            let query = HKSampleQuery(
                sampleType: HKQuantityType(.activeEnergyBurned), predicate: predicate,
                limit: HKObjectQueryNoLimit, sortDescriptors: nil
            ) { _, samples, error in
                if let error {
                    continuation.resume(throwing: error)
                    return
                }
                continuation.resume(returning: samples as? [HKQuantitySample] ?? [])
            }
            store.execute(query)
        }
    }

    func burned(in interval: DateInterval) async throws -> Double {
        let samples = try await fetchEnergySamples(for: interval)
        return samples.reduce(0.0) { $0 + $1.quantity.doubleValue(for: .kilocalorie()) }  // finds summed-samples
    }

    func averageBurned(in week: DateInterval) async throws -> Double {
        var sum: Double = 0
        for sample in try await fetchEnergySamples(for: week) {
            let kilojoules = sample.quantity.doubleValue(for: .jouleUnit(with: .kilo))
            sum += kilojoules  // finds summed-samples
        }
        return sum / 7
    }

    private func protein(
        since start: Date, completion: @escaping ([HKQuantitySample]) -> Void
    ) {
        let query = HKSampleQuery(
            sampleType: Self.protein,
            predicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples as? [HKQuantitySample] ?? [])
        }
        store.execute(query)
    }

    func proteinToday(completion: @escaping (Double) -> Void) {
        protein(since: Calendar.current.startOfDay(for: Date())) { samples in
            let grams = samples.reduce(0) { $0 + $1.quantity.doubleValue(for: .gram()) }  // finds summed-samples
            completion(grams)
        }
    }
}
