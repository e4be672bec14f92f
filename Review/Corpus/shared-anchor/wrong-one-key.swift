// One key, or one file, for the anchors of several types.
import HealthKit

final class KeyedSync {
    private let store: HKHealthStore
    private let sink: ChangeSink

    init(store: HKHealthStore, sink: ChangeSink) {
        self.store = store
        self.sink = sink
    }

    private func loadAnchor() -> HKQueryAnchor? {
        guard let data = UserDefaults.standard.data(forKey: "healthkit.anchor") else { return nil }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
    }

    private func saveAnchor(_ anchor: HKQueryAnchor?) {
        guard let anchor,
            let data = try? NSKeyedArchiver.archivedData(
                withRootObject: anchor, requiringSecureCoding: true)
        else { return }
        UserDefaults.standard.set(data, forKey: "healthkit.anchor")
    }

    func heartRate() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.heartRate), predicate: nil, anchor: loadAnchor(), limit: 1000
        ) { _, samples, deleted, newAnchor, _ in
            self.sink.apply(samples, deleted)
            self.saveAnchor(newAnchor)
        }
        store.execute(query)
    }

    func oxygen() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.oxygenSaturation), predicate: nil,
            anchor: loadAnchor(),  // finds shared-anchor
            limit: 1000
        ) { _, samples, deleted, newAnchor, _ in
            self.sink.apply(samples, deleted)
            self.saveAnchor(newAnchor)
        }
        store.execute(query)
    }
}
