import HealthKit
import SwiftData
@Model final class Weight { var id: UUID; init(_ id: UUID) { self.id = id } }
@MainActor
struct WeightLog {
    let store: HKHealthStore
    let context: ModelContext
    func deleteWeight(_ sample: HKQuantitySample) async throws {
        try await store.delete(sample)
        let id = sample.uuid
        try context.delete(model: Weight.self, where: #Predicate { $0.id == id })
    }
    func reconcile(_ samples: [HKQuantitySample]) throws {
        let rows = try context.fetch(FetchDescriptor<Weight>())
        let inHealth = Set(samples.map(\.uuid))
        for row in rows where !inHealth.contains(row.id) { context.delete(row) }
        let known = Set(rows.map(\.id))
        for sample in samples where !known.contains(sample.uuid) { context.insert(Weight(sample.uuid)) }
        try context.save()
    }
}
