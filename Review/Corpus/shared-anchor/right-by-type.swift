// Anchors kept by type: a dictionary, a key with the identifier, a variable each.
import HealthKit

final class ByTypeSync {
    private let store: HKHealthStore
    private let sink: ChangeSink
    private var anchors: [String: HKQueryAnchor] = [:]
    private var stepAnchor: HKQueryAnchor?
    private var workoutAnchor: HKQueryAnchor?

    init(store: HKHealthStore, sink: ChangeSink) {
        self.store = store
        self.sink = sink
    }

    func syncAll(_ types: [HKSampleType]) {
        types.forEach(sync)
        sync(HKQuantityType(.height))
    }

    private func sync(_ type: HKSampleType) {
        let query = HKAnchoredObjectQuery(
            type: type, predicate: nil, anchor: anchors[type.identifier],
            limit: HKObjectQueryNoLimit
        ) { _, samples, deleted, newAnchor, _ in
            self.sink.apply(samples, deleted)
            self.anchors[type.identifier] = newAnchor
        }
        store.execute(query)
    }

    private func anchor(for type: HKSampleType) -> HKQueryAnchor? {
        guard let data = UserDefaults.standard.data(forKey: "anchor-\(type.identifier)") else {
            return nil
        }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
    }

    func syncKeyed(_ type: HKSampleType, done: @escaping (HKQueryAnchor?) -> Void) {
        let saved = anchor(for: type)
        let query = HKAnchoredObjectQuery(
            type: type, predicate: nil, anchor: saved, limit: HKObjectQueryNoLimit
        ) { _, samples, deleted, newAnchor, _ in
            self.sink.apply(samples, deleted)
            done(newAnchor)
        }
        store.execute(query)
    }

    func syncBoth() {
        let steps = HKAnchoredObjectQuery(
            type: HKQuantityType(.stepCount), predicate: nil, anchor: stepAnchor, limit: 0
        ) { _, samples, deleted, newAnchor, _ in
            self.sink.apply(samples, deleted)
            self.stepAnchor = newAnchor
        }
        let workouts = HKAnchoredObjectQuery(
            type: .workoutType(), predicate: nil, anchor: workoutAnchor, limit: 0
        ) { _, samples, deleted, newAnchor, _ in
            self.sink.apply(samples, deleted)
            self.workoutAnchor = newAnchor
        }
        store.execute(steps)
        store.execute(workouts)
    }
}
