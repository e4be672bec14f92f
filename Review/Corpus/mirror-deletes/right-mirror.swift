// Reconciliations that delete on their own side only.
import HealthKit
import SwiftData

struct Mirror {
    let context: ModelContext
    let healthStore: HKHealthStore

    func reconcile(_ samples: [HKQuantitySample]) throws {
        let present = Set(samples.map(\.uuid))
        for row in try context.fetch(FetchDescriptor<WeightRow>())
        where !present.contains(row.uuid) {
            context.delete(row)
        }
        try context.save()
    }

    func syncDeletions(_ deleted: [HKDeletedObject]) throws {
        let gone = Set(deleted.map(\.uuid))
        try context.delete(model: WeightRow.self, where: #Predicate { gone.contains($0.uuid) })
    }

    func cleanupCache(at url: URL) {
        try? FileManager.default.removeItem(at: url)
    }

    func syncPending(_ rows: [WeightRow]) async throws {
        for row in rows where row.uuid == nil {
            try await healthStore.save(row.sample)
        }
    }

    func dedupe(_ samples: [HKQuantitySample]) -> [HKQuantitySample] {
        var seen: Set<UUID> = []
        return samples.filter { seen.insert($0.uuid).inserted }
    }
}
