// Sums of one source each: chosen by predicate, by filter, by the key they are added to.
import HealthKit

final class SourceTotals {
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    private func steps(matching predicate: NSPredicate) async throws -> [HKQuantitySample] {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.stepCount), predicate: predicate)],
            sortDescriptors: []
        ).result(for: store)
    }

    func own(since start: Date) async throws -> Double {
        let range = HKQuery.predicateForSamples(withStart: start, end: nil)
        let own = HKQuery.predicateForObjects(from: [HKSource.default()])
        let samples = try await steps(
            matching: NSCompoundPredicate(andPredicateWithSubpredicates: [range, own]))
        return samples.reduce(0) { $0 + $1.quantity.doubleValue(for: .count()) }
    }

    func during(_ workout: HKWorkout) async throws -> Double {
        try await steps(matching: HKQuery.predicateForObjects(from: workout))
            .map { $0.quantity.doubleValue(for: .count()) }.reduce(0, +)
    }

    func bySource(in range: NSPredicate) async throws -> [String: Double] {
        var totals: [String: Double] = [:]
        for sample in try await steps(matching: range) {
            let count = sample.quantity.doubleValue(for: .count())
            totals[sample.sourceRevision.source.bundleIdentifier, default: 0] += count
        }
        return totals
    }

    func watch(in range: NSPredicate) async throws -> Double {
        var total = 0.0
        for sample in try await steps(matching: range) {
            guard sample.sourceRevision.productType?.hasPrefix("Watch") == true else { continue }
            total += sample.quantity.doubleValue(for: .count())
        }
        return total
    }

    func grouped(in range: NSPredicate) async throws -> [Double] {
        let groups = Dictionary(grouping: try await steps(matching: range)) {
            $0.sourceRevision.source
        }
        return groups.values.map { group in
            group.reduce(0) { $0 + $1.quantity.doubleValue(for: .count()) }
        }
    }

    func first(in range: NSPredicate, of device: HKDevice) async throws -> Double {
        try await steps(matching: range).filter { $0.device == device }
            .reduce(0) { $0 + $1.quantity.doubleValue(for: .count()) }
    }

    private func isPreferred(_ sample: HKSample) -> Bool {
        sample.sourceRevision.productType?.hasPrefix("Watch") == true
    }

    func preferred(in range: NSPredicate) async throws -> Double {
        try await steps(matching: range).filter { isPreferred($0) }
            .reduce(0) { $0 + $1.quantity.doubleValue(for: .count()) }
    }

    func phone(in range: NSPredicate) async throws -> Double {
        try await steps(matching: range).filter(\.isFromPhone)
            .reduce(0) { $0 + $1.quantity.doubleValue(for: .count()) }
    }
}

extension HKSample {
    var isFromPhone: Bool { sourceRevision.productType?.hasPrefix("iPhone") == true }
}
