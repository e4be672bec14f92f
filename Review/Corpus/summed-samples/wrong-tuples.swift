// Samples that arrive together with others, destructured from a tuple.
import HealthKit

struct TupleReader {
    let store: HKHealthStore
    let range: NSPredicate

    private func samples(_ identifier: HKQuantityTypeIdentifier) async throws -> [HKQuantitySample] {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(identifier), predicate: range)],
            sortDescriptors: []
        ).result(for: store)
    }

    func both() async throws -> (Double, Double) {
        async let steps = samples(.stepCount)
        async let floors = samples(.flightsClimbed)
        let (walked, climbed) = try await (steps, floors)
        let sum = walked.reduce(0) { $0 + $1.quantity.doubleValue(for: .count()) }  // finds summed-samples
        var total = 0.0
        for sample in climbed {
            total += sample.quantity.doubleValue(for: .count())  // finds summed-samples
        }
        return (sum, total)
    }

    private func fetched() async throws -> ([HKQuantitySample], [HKQuantitySample]) {
        let energy = try await samples(.activeEnergyBurned)
        let heart = try await samples(.heartRate)
        return (energy, heart)
    }

    func energy() async throws -> Double {
        let (burned, _) = try await fetched()
        return burned.map { $0.quantity.doubleValue(for: .kilocalorie()) }.reduce(0, +)  // finds summed-samples
    }

    func days() async throws -> [Date: Double] {
        let all = try await samples(.stepCount)
        var result: [Date: Double] = [:]
        let grouped = Dictionary(grouping: all) { Calendar.current.startOfDay(for: $0.startDate) }
        for (day, steps) in grouped {
            result[day] = steps.reduce(0) { $0 + $1.quantity.doubleValue(for: .count()) }  // finds summed-samples
        }
        return result
    }
}
