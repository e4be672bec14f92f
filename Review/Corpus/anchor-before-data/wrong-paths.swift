// The anchor is kept too early by properties, helpers, tuples and on some ways only.
import HealthKit

final class EarlyPaths {
    let store: HKHealthStore
    let database: Database
    private var anchor: HKQueryAnchor? {
        didSet { persist() }
    }
    @AppStorage("anchor") private var anchorData = Data()

    init(store: HKHealthStore, database: Database) { (self.store, self.database) = (store, database) }

    private func persist() {
        let data = try? NSKeyedArchiver.archivedData(
            withRootObject: anchor as Any, requiringSecureCoding: true)
        UserDefaults.standard.set(data, forKey: "anchor")
    }

    private func advance(to anchor: HKQueryAnchor?) { AnchorFile.shared.save(anchor, "steps") }

    private func query(
        _ handler: @escaping (
            HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
        ) -> Void
    ) {
        store.execute(
            HKAnchoredObjectQuery(
                type: HKQuantityType(.stepCount), predicate: nil, anchor: anchor, limit: 0,
                resultsHandler: handler))
    }

    func observed() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.stepCount), predicate: nil, anchor: anchor, limit: 0
        ) { _, added, gone, newAnchor, _ in
            self.anchor = newAnchor  // finds anchor-before-data
            self.database.apply(added, gone)
        }
        store.execute(query)
    }

    func wrapped() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.stepCount), predicate: nil, anchor: anchor, limit: 0
        ) { _, added, gone, newAnchor, error in
            if let newAnchor,
                let data = try? NSKeyedArchiver.archivedData(
                    withRootObject: newAnchor, requiringSecureCoding: true)
            {
                self.anchorData = data  // finds anchor-before-data
            }
            guard let added else { return }
            self.database.apply(added, gone)
        }
        store.execute(query)
    }

    func helped() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.stepCount), predicate: nil, anchor: anchor, limit: 0
        ) { _, added, gone, newAnchor, error in
            for sample in added ?? [] { self.database.insert(sample) }
            self.advance(to: newAnchor)  // finds anchor-before-data
            for object in gone ?? [] { self.database.remove(object.uuid) }
        }
        store.execute(query)
    }

    func started() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.stepCount), predicate: nil, anchor: anchor, limit: 0
        ) { _, added, gone, newAnchor, error in
            DispatchQueue.global().async {
                self.database.apply(added, gone)
            }
            self.advance(to: newAnchor)  // finds anchor-before-data
        }
        store.execute(query)
    }

    private func changes() async throws -> ([HKSample], [HKDeletedObject], HKQueryAnchor?) {
        try await withCheckedThrowingContinuation { continuation in
            query { _, added, gone, anchor, error in
                if let error { return continuation.resume(throwing: error) }
                continuation.resume(returning: (added ?? [], gone ?? [], anchor))
            }
        }
    }

    func tuple() async throws {
        let (added, gone, next) = try await changes()
        let rows = added.map(Row.init)
        advance(to: next)  // finds anchor-before-data
        try await database.write(rows, without: gone)
    }

    func returned() async throws -> [HKSample] {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.stepCount))], anchor: anchor
        ).result(for: store)
        database.remove(result.deletedObjects)
        advance(to: result.newAnchor)  // finds anchor-before-data
        return result.addedSamples
    }

    private func handle(_ added: [HKSample], _ gone: [HKDeletedObject], _ next: HKQueryAnchor) {
        UserDefaults.standard.set(encode(next), forKey: "steps")  // finds anchor-before-data
        Task { await self.database.upload(added, gone) }
    }
}
