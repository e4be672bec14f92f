import HealthKit
struct AnchorBox {
    static func load() -> HKQueryAnchor? {
        UserDefaults.standard.data(forKey: "anchor").flatMap {
            try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: $0)
        }
    }
}
final class Glucose {
    func query(_ done: @escaping ([HKSample]?, [HKDeletedObject]?) -> Void) -> HKAnchoredObjectQuery {
        HKAnchoredObjectQuery(
            type: HKQuantityType(.bloodGlucose), predicate: nil, anchor: AnchorBox.load(), limit: 0
        ) { _, added, deleted, _, _ in done(added, deleted) }
    }
}
final class Insulin {
    func query(_ done: @escaping ([HKSample]?, [HKDeletedObject]?) -> Void) -> HKAnchoredObjectQuery {
        let last = AnchorBox.load()
        return HKAnchoredObjectQuery(
            type: HKQuantityType(.insulinDelivery), predicate: nil,
            anchor: last, // finds shared-anchor
            limit: 0
        ) { _, added, deleted, _, _ in done(added, deleted) }
    }
}
