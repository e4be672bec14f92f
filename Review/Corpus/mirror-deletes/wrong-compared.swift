// Names that say nothing, comparisons that do.
import HealthKit

actor Ledger {
    let hk: HKHealthStore
    let rows: RowStore

    init(hk: HKHealthStore, rows: RowStore) { (self.hk, self.rows) = (hk, rows) }

    func afterLaunch(_ samples: [HKQuantitySample]) async throws {
        let local = Set(rows.all().map(\.uuid))
        let unknown = samples.filter { !local.contains($0.uuid) }
        try await hk.delete(unknown)  // finds mirror-deletes
    }

    func compare(_ samples: [HKQuantitySample]) async throws {
        let local = Set(rows.all().map(\.uuid))
        for sample in samples {
            guard !local.contains(sample.uuid) else { continue }
            try await hk.delete(sample)  // finds mirror-deletes
        }
    }

    func difference(_ remote: Set<HKQuantitySample>, _ local: Set<HKQuantitySample>) async throws {
        let gone = remote.subtracting(local)
        for sample in gone {
            try await hk.delete(sample)  // finds mirror-deletes
        }
    }

    func pruneOld() async throws {
        let old = HKQuery.predicateForSamples(withStart: nil, end: .now)
        try await hk.deleteObjects(of: HKQuantityType(.bodyMass), predicate: old)  // finds mirror-deletes
    }
}

final class Health {
    static let shared = Health()
    let store = HKHealthStore()
}

struct Importer {
    let store: HKHealthStore

    func syncDown(_ stale: [HKSample]) async throws {
        try await Health.shared.store.delete(stale)  // finds mirror-deletes
    }

    func startUp(_ rows: RowStore) async throws {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.bodyMass))], sortDescriptors: [],
            limit: 100
        ).result(for: store)
        for sample in samples {
            if !rows.ids.contains(sample.uuid) {
                try await store.delete([sample])  // finds mirror-deletes
            }
        }
    }
}
