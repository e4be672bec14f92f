// A local mirror that deletes from HealthKit what it doesn't know.
import HealthKit
import SwiftData

@MainActor
final class WeightMirror {
    private let healthStore: HKHealthStore
    private let context: ModelContext

    init(healthStore: HKHealthStore, context: ModelContext) {
        self.healthStore = healthStore
        self.context = context
    }

    func reconcile(_ samples: [HKQuantitySample]) async throws {
        let known = Set(try context.fetch(FetchDescriptor<WeightRow>()).map(\.uuid))
        for sample in samples where !known.contains(sample.uuid) {
            try await healthStore.delete(sample)  // finds mirror-deletes
        }
    }

    func syncWithHealth(rows: [WeightRow], samples: [HKSample]) {
        let orphans = samples.filter { sample in !rows.contains { $0.uuid == sample.uuid } }
        healthStore.delete(orphans) { _, error in  // finds mirror-deletes
            if let error { print(error) }
        }
    }

    func removeDuplicates(of samples: [HKQuantitySample]) async throws {
        var seen: Set<Date> = []
        var doubled: [HKQuantitySample] = []
        for sample in samples where !seen.insert(sample.startDate).inserted {
            doubled.append(sample)
        }
        try await healthStore.delete(doubled)  // finds mirror-deletes
    }

    func refreshMirror(on day: DateInterval) async throws {
        let range = HKQuery.predicateForSamples(withStart: day.start, end: day.end)
        try await healthStore.deleteObjects(of: HKQuantityType(.bodyMass), predicate: range)  // finds mirror-deletes
        for row in try context.fetch(FetchDescriptor<WeightRow>()) where day.contains(row.date) {
            try await healthStore.save(row.sample)
        }
    }
}
