// A query that looks for what a person wants gone, and other things that are deleted.
import HealthKit
import SwiftData

final class EntryEditor {
    private let healthStore: HKHealthStore
    private let context: ModelContext
    private let store: EntryStore

    init(healthStore: HKHealthStore, context: ModelContext, store: EntryStore) {
        (self.healthStore, self.context, self.store) = (healthStore, context, store)
    }

    func deleteEntry(_ uuid: UUID, completion: @escaping (Bool) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bodyMass), predicate: HKQuery.predicateForObject(with: uuid),
            limit: 1, sortDescriptors: nil
        ) { _, samples, _ in
            guard let sample = samples?.first else { return completion(false) }
            self.healthStore.delete(sample) { success, _ in completion(success) }
        }
        healthStore.execute(query)
    }

    func editEntry(_ uuid: UUID, to new: HKQuantitySample) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bodyMass), predicate: HKQuery.predicateForObject(with: uuid),
            limit: 1, sortDescriptors: nil
        ) { _, samples, _ in
            self.healthStore.delete(samples ?? []) { _, _ in }
            self.healthStore.save(new) { _, _ in }
        }
        healthStore.execute(query)
    }

    func sync(_ deleted: [HKDeletedObject], _ rows: [Entry]) {
        let gone = Set(deleted.map(\.uuid))
        for row in rows where gone.contains(row.uuid) { context.delete(row) }
        for row in rows where !gone.contains(row.uuid) { store.delete(row) }
    }

    func discardWorkout(_ workout: HKWorkout) async throws {
        try await healthStore.delete(workout)
    }
}
