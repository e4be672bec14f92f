import HealthKit
enum Anchors {
    static func setAnchor(forKey key: String, anchor: HKQueryAnchor?) {
        guard let anchor, let data = try? NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true)
        else { return }
        UserDefaults.standard.set(data, forKey: key)
    }
}
final class Energy {
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func read(_ anchor: HKQueryAnchor?, _ handle: @escaping ([HKSample], [HKDeletedObject]) -> Void) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.dietaryEnergyConsumed), predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
        ) { q, samplesOrNil, deletedOrNil, newAnchor, errorOrNil in
            Anchors.setAnchor(forKey: "energy", anchor: newAnchor) // finds anchor-before-data
            guard let samples = samplesOrNil else { return }
            handle(samples, deletedOrNil ?? [])
        }
        store.execute(query)
    }
}
