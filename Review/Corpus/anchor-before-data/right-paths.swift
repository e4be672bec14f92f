// The anchor is kept last, in memory only, or on a way that has no data.
import HealthKit

final class LatePaths {
    let store: HKHealthStore
    let database: Database
    private var anchor: HKQueryAnchor?
    private var rows: [Row] = []

    init(store: HKHealthStore, database: Database) { (self.store, self.database) = (store, database) }

    private func remember(_ anchor: HKQueryAnchor?) { self.anchor = anchor }

    func memory() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.stepCount), predicate: nil, anchor: anchor, limit: 0
        ) { _, added, gone, newAnchor, _ in
            self.anchor = newAnchor
            self.remember(newAnchor)
            self.database.apply(added, gone)
        }
        store.execute(query)
    }

    func firstRun() {
        let old = anchor
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.stepCount), predicate: nil, anchor: old, limit: 0
        ) { _, added, gone, newAnchor, _ in
            if old == nil {
                AnchorFile.shared.save(newAnchor, "steps")
                return
            }
            print("got", added?.count ?? 0)
            self.database.apply(added, gone)
            AnchorFile.shared.save(newAnchor, "steps")
            DispatchQueue.main.async {
                self.rows = (added ?? []).map(Row.init)
            }
        }
        store.execute(query)
    }

    func inTask() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.stepCount), predicate: nil, anchor: anchor, limit: 0
        ) { _, added, gone, newAnchor, _ in
            Task {
                try await self.database.upload(added, gone)
                AnchorFile.shared.save(newAnchor, "steps")
            }
        }
        store.execute(query)
    }

    func whenSent() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.stepCount), predicate: nil, anchor: anchor, limit: 0
        ) { _, added, gone, newAnchor, _ in
            self.database.send(added, gone) { isSent in
                guard isSent else { return }
                UserDefaults.standard.set(encode(newAnchor), forKey: "steps")
            }
        }
        store.execute(query)
    }

    func inContext(_ context: NSManagedObjectContext) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.stepCount), predicate: nil, anchor: anchor, limit: 0
        ) { _, added, gone, newAnchor, _ in
            context.performAndWait {
                for sample in added ?? [] { Row(context: context).fill(sample) }
                for object in gone ?? [] { Row.remove(object.uuid, in: context) }
                AnchorRow.save(newAnchor, in: context)
                try? context.save()
            }
        }
        store.execute(query)
    }

    func batches() async throws {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.stepCount))], anchor: anchor)
        for try await update in descriptor.results(for: store) {
            let added = update.addedSamples.map(Row.init)
            try await database.write(added, without: update.deletedObjects)
            AnchorFile.shared.save(update.newAnchor, "steps")
            rows += added
        }
    }
}
