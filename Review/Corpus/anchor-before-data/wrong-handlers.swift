// The new anchor written down before the data it stands for has arrived anywhere.
import HealthKit

final class EagerSync {
    private let store: HKHealthStore
    private let server: ChangeServer
    private let defaults = UserDefaults.standard

    init(store: HKHealthStore, server: ChangeServer) {
        self.store = store
        self.server = server
    }

    func steps(since anchor: HKQueryAnchor?) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.stepCount), predicate: nil, anchor: anchor, limit: 0
        ) { _, samples, deleted, newAnchor, error in
            AnchorStorage.setAnchor(newAnchor, forKey: "steps")  // finds anchor-before-data
            guard let samples, let deleted, error == nil else { return }
            self.server.apply(samples, deleted)
        }
        store.execute(query)
    }

    func sleep(since anchor: HKQueryAnchor?) {
        let query = HKAnchoredObjectQuery(
            type: HKCategoryType(.sleepAnalysis), predicate: nil, anchor: anchor, limit: 0
        ) { _, samples, deleted, newAnchor, _ in
            if let newAnchor,
                let data = try? NSKeyedArchiver.archivedData(
                    withRootObject: newAnchor, requiringSecureCoding: true)
            {
                self.defaults.set(data, forKey: "sleep-anchor")  // finds anchor-before-data
            }
            for sample in samples ?? [] { self.server.add(sample) }
            for object in deleted ?? [] { self.server.remove(object.uuid) }
        }
        store.execute(query)
    }

    func weight(since anchor: HKQueryAnchor?) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.bodyMass), predicate: nil, anchor: anchor, limit: 0
        ) { _, samples, deleted, newAnchor, _ in
            Task {
                await self.server.upload(samples ?? [], removing: deleted ?? [])
            }
            self.save(newAnchor, for: "weight")  // finds anchor-before-data
        }
        store.execute(query)
    }

    func heartRate(since anchor: HKQueryAnchor?) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.heartRate), predicate: nil, anchor: anchor, limit: 1000
        ) { _, samples, deleted, newAnchor, _ in
            DispatchQueue.global(qos: .utility).async {
                self.server.apply(samples ?? [], deleted ?? [])
            }
            self.save(newAnchor, for: "heart-rate")  // finds anchor-before-data
        }
        store.execute(query)
    }

    private func save(_ anchor: HKQueryAnchor?, for key: String) {
        guard let anchor else { return }
        let data = try? NSKeyedArchiver.archivedData(
            withRootObject: anchor, requiringSecureCoding: true)
        defaults.set(data, forKey: key)
    }
}
