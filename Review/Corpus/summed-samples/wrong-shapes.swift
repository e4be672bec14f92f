// The same sum in other shapes: into a value, without +=, in a chain, by an extension.
import HealthKit

@MainActor
final class EnergyChart {
    private let store: HKHealthStore
    private(set) var total = 0.0

    init(store: HKHealthStore) {
        self.store = store
    }

    private func samples(
        _ identifier: HKQuantityTypeIdentifier, _ range: NSPredicate
    ) async throws -> [HKQuantitySample] {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(identifier), predicate: range)],
            sortDescriptors: []
        ).result(for: store)
    }

    func load(_ range: NSPredicate) async throws {
        let burned = try await samples(.activeEnergyBurned, range)
        total = 0
        for sample in burned {
            total = total + sample.quantity.doubleValue(for: .kilocalorie())  // finds summed-samples
        }
    }

    func basal(_ range: NSPredicate) async throws -> Double {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(type: HKQuantityType(.basalEnergyBurned), predicate: range)
            ],
            sortDescriptors: []
        ).result(for: store)
        return samples.reduce(into: 0) { $0 += $1.quantity.doubleValue(for: .largeCalorie()) }  // finds summed-samples
    }

    func minutes(_ range: NSPredicate, completion: @escaping (Double) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.appleExerciseTime), predicate: range,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil,
            resultsHandler: { (query, results, error) in
                guard let results = results as? [HKQuantitySample] else { return completion(0) }
                let quantities = results.map(\.quantity)
                let minutes = quantities.map { $0.doubleValue(for: .minute()) }.reduce(0.0, +)  // finds summed-samples
                completion(minutes)
            })
        store.execute(query)
    }

    func drinks(_ range: NSPredicate, completion: @escaping (Double) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.numberOfAlcoholicBeverages), predicate: range,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            let total = samples?  // finds summed-samples
                .compactMap { $0 as? HKQuantitySample }
                .map { $0.quantity.doubleValue(for: .count()) }
                .reduce(0, +)
            completion(total ?? 0)
        }
        store.execute(query)
    }
}
