// Written to Health first, mirrored after; the mirror only ever adds to Health.
import HealthKit
import SwiftData

@MainActor
final class WeightBook {
    private let healthStore: HKHealthStore
    private let context: ModelContext
    private let weight = HKQuantityType(.bodyMass)

    init(healthStore: HKHealthStore, context: ModelContext) {
        self.healthStore = healthStore
        self.context = context
    }

    func log(kilograms: Double, at date: Date) async throws {
        let sample = HKQuantitySample(
            type: weight,
            quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms),
            start: date, end: date)
        try await healthStore.save(sample)
        context.insert(WeightRow(sample))
        try context.save()
    }

    func reconcile() async throws {
        guard let start = Calendar.current.date(byAdding: .day, value: -90, to: .now) else {
            return
        }
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: weight,
                    predicate: HKQuery.predicateForSamples(withStart: start, end: .now))
            ],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: healthStore)
        let rows = try context.fetch(FetchDescriptor<WeightRow>())
        let known = Set(rows.compactMap(\.uuid))
        for sample in samples where !known.contains(sample.uuid) {
            context.insert(WeightRow(sample, state: .synced))
        }
        for row in rows where row.uuid == nil {
            let sample = row.sample
            try await healthStore.save(sample)
            row.uuid = sample.uuid
        }
        try context.save()
    }
}
