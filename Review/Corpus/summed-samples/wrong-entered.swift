// Sums of entries that one app writes by hand: no second device records them.
import HealthKit

final class EnteredTotals {
    private let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }

    func water(_ range: NSPredicate) async throws -> Double {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.dietaryWater), predicate: range)],
            sortDescriptors: []
        ).result(for: store)
        return samples.reduce(0) { $0 + $1.quantity.doubleValue(for: .liter()) }  // finds summed-samples
    }

    func caffeine(_ range: NSPredicate) async throws -> Double {
        var total = 0.0
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.dietaryCaffeine), predicate: range)],
            sortDescriptors: []
        ).result(for: store)
        for sample in samples {
            total += sample.quantity.doubleValue(for: .gramUnit(with: .milli))  // finds summed-samples
        }
        return total
    }

    func insulin(_ range: NSPredicate, completion: @escaping (Double) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.insulinDelivery), predicate: range, limit: HKObjectQueryNoLimit,
            sortDescriptors: nil
        ) { _, samples, error in
            guard error == nil else { return completion(.nan) }
            let doses = (samples as? [HKQuantitySample] ?? []).map {
                $0.quantity.doubleValue(for: .internationalUnit())
            }
            completion(doses.reduce(0, +))  // finds summed-samples
        }
        store.execute(query)
    }

    func puffs(_ range: NSPredicate) async throws -> Double {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.inhalerUsage), predicate: range)],
            sortDescriptors: []
        ).result(for: store)
        return samples.map { $0.quantity.doubleValue(for: .count()) }.reduce(0, +)  // finds summed-samples
    }

    func falls(_ range: NSPredicate) async throws -> Double {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.numberOfTimesFallen), predicate: range)],
            sortDescriptors: []
        ).result(for: store)
        return samples.map { $0.quantity.doubleValue(for: .count()) }.reduce(0, +)  // finds summed-samples
    }
}
