// Deletes in an extension's sync, in an upload's reply, in a merge of two lists.
import HealthKit

struct ServerEntry: Decodable {
    let uuid: UUID
    let isDeleted: Bool
}

final class TwoWaySync {
    let healthStore: HKHealthStore
    let server: EntryServer

    init(healthStore: HKHealthStore, server: EntryServer) {
        self.healthStore = healthStore
        self.server = server
    }
}

extension TwoWaySync {
    func pullAndSync() async throws {
        let entries = try await server.entries()
        let gone = Set(entries.filter(\.isDeleted).map(\.uuid))
        let predicate = HKQuery.predicateForObjects(with: gone)
        _ = try await healthStore.deleteObjects(of: HKQuantityType(.bodyMass), predicate: predicate)  // finds mirror-deletes
    }

    func merge(_ local: [ServerEntry], with samples: [HKQuantitySample]) async throws {
        let kept = Set(local.map(\.uuid))
        for sample in samples {
            if !kept.contains(sample.uuid) {
                try await healthStore.delete(sample)  // finds mirror-deletes
            }
        }
    }

    func deduplicate(_ range: NSPredicate) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bodyMass), predicate: range,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { [healthStore] _, samples, _ in
            let byDate = Dictionary(grouping: samples ?? [], by: \.startDate)
            for same in byDate.values where same.count > 1 {
                healthStore.delete(Array(same.dropFirst())) { _, _ in }  // finds mirror-deletes
            }
        }
        healthStore.execute(query)
    }
}
