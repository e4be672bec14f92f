// Deletions used under other names: in a group, in a log of their own, in another closure.
import HealthKit

final class DeletionLog {
    private let store: HKHealthStore
    private let database: MealDatabase
    private(set) var removed: Set<UUID> = []

    init(store: HKHealthStore, database: MealDatabase) {
        self.store = store
        self.database = database
    }

    func sync(since anchor: HKQueryAnchor?, done: @escaping () -> Void) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.dietaryEnergyConsumed), predicate: nil, anchor: anchor, limit: 0
        ) { [weak self] query, newSamples, gone, newAnchor, error in
            defer { done() }
            guard let self, let newSamples, let gone, error == nil else { return }
            self.database.transaction {
                newSamples.forEach(self.database.insert)
                gone.lazy.map(\.uuid).forEach(self.database.remove)
            }
        }
        store.execute(query)
    }

    func onlyDeletions(since anchor: HKQueryAnchor?) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.dietarySodium), predicate: nil, anchor: anchor, limit: 0
        ) { _, _, deleted, _, _ in
            self.removed.formUnion(deleted?.map(\.uuid) ?? [])
        }
        store.execute(query)
    }

    func pairs(since anchor: HKQueryAnchor?) async throws -> ([UUID], [UUID]) {
        let changes = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.dietaryZinc))], anchor: anchor
        ).result(for: store)
        let (added, deleted) = (changes.addedSamples, changes.deletedObjects)
        return (added.map(\.uuid), deleted.map(\.uuid))
    }

    func nested(since anchor: HKQueryAnchor?) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.dietaryIodine), predicate: nil, anchor: anchor, limit: 0
        ) { [database] _, samples, deletedObjects, _, _ in
            DispatchQueue.global().async {
                samples?.forEach(database.insert)
                deletedObjects?.forEach { database.remove($0.uuid) }
            }
        }
        store.execute(query)
    }
}
