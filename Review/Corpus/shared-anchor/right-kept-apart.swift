// Anchors that look shared and are kept apart.
import HealthKit

final class ApartSync {
    let store: HKHealthStore
    let types: Set<HKSampleType> = [HKQuantityType(.stepCount), HKQuantityType(.heartRate)]
    private var anchors: [String: HKQueryAnchor] = [:]
    private var anchor: HKQueryAnchor?

    init(store: HKHealthStore) { self.store = store }

    private func load(_ type: HKSampleType) -> HKQueryAnchor? {
        let key = "anchor." + type.identifier
        guard let data = UserDefaults.standard.data(forKey: key) else { return nil }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
    }

    func all(_ done: @escaping (HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?) -> Void) {
        for type in types {
            store.execute(
                HKAnchoredObjectQuery(
                    type: type, predicate: nil, anchor: load(type), limit: 0, resultsHandler: done))
            store.execute(
                HKAnchoredObjectQuery(
                    type: type, predicate: nil, anchor: anchors[type.identifier], limit: 0,
                    resultsHandler: done))
        }
    }

    /// Two queries of one type, one anchor.
    func steps(_ done: @escaping (HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?) -> Void) {
        let type = HKQuantityType(.stepCount)
        store.execute(
            HKAnchoredObjectQuery(
                type: type, predicate: nil, anchor: anchor, limit: 0, resultsHandler: done))
        store.execute(
            HKAnchoredObjectQuery(
                type: HKQuantityType(.stepCount), predicate: nil, anchor: anchor, limit: 50,
                resultsHandler: done))
    }
}

/// One reader for each type: each has an anchor of its own.
final class TypeReader {
    private let type: HKSampleType
    private var anchor: HKQueryAnchor?
    init(type: HKSampleType) { self.type = type }

    func query(_ done: @escaping (HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?) -> Void) -> HKAnchoredObjectQuery {
        HKAnchoredObjectQuery(
            type: type, predicate: nil, anchor: anchor, limit: 0, resultsHandler: done)
    }
}

let readers = [
    TypeReader(type: HKQuantityType(.stepCount)), TypeReader(type: HKQuantityType(.heartRate)),
]
