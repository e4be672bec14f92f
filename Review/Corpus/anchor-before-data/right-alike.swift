// Saves that look early and aren't: nothing to keep, or kept together.
import HealthKit

final class FirstRun {
    private let store: HKHealthStore
    private let anchors: AnchorFile
    private let database: Database

    init(store: HKHealthStore, anchors: AnchorFile, database: Database) {
        self.store = store
        self.anchors = anchors
        self.database = database
    }

    // From now on only: what exists already is left alone on purpose.
    func beginToday() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.bodyMass), predicate: nil, anchor: nil, limit: 0
        ) { _, _, _, newAnchor, _ in
            self.anchors.save(newAnchor, "weight")
        }
        store.execute(query)
    }

    func together(since anchor: HKQueryAnchor?) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.height), predicate: nil, anchor: anchor, limit: 0
        ) { _, samples, deleted, newAnchor, _ in
            self.database.commit(added: samples ?? [], deleted: deleted ?? [], anchor: newAnchor)
        }
        store.execute(query)
    }

    func written(since anchor: HKQueryAnchor?) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.waistCircumference), predicate: nil, anchor: anchor, limit: 0
        ) { _, samples, deleted, newAnchor, _ in
            do {
                try self.database.write { transaction in
                    try transaction.set(newAnchor, forKey: "waist")
                    try transaction.insert(samples ?? [])
                    try transaction.remove(deleted ?? [])
                }
            } catch {
                print("kept the old anchor:", error)
            }
        }
        store.execute(query)
    }

    func resumed(since anchor: HKQueryAnchor?) async throws {
        let changes = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.workout()], anchor: anchor
        ).result(for: store)
        try database.apply(changes)
        anchors.save(changes.newAnchor, "workout")
        print("added", changes.addedSamples.count, "deleted", changes.deletedObjects.count)
    }
}
