import HealthKit
import SwiftData
@Model final class Entry { var healthID: UUID; init(_ id: UUID) { healthID = id } }
@MainActor
struct CacheSync {
    let store: HKHealthStore
    let context: ModelContext
    func syncWithHealth(_ samples: [HKQuantitySample]) async throws {
        let entries = try context.fetch(FetchDescriptor<Entry>())
        let missing = samples.filter { sample in !entries.contains { $0.healthID == sample.uuid } }
        guard !missing.isEmpty else { return }
        let predicate = HKQuery.predicateForObjects(with: Set(missing.map(\.uuid)))
        try await store.deleteObjects(of: HKQuantityType(.bodyMass), predicate: predicate) // finds mirror-deletes
    }
}
