import Foundation
import HealthKit

/// New steps and weights since the last call, for the web side.
final class ChangeReader {

    private let store: HKHealthStore
    private let defaults = UserDefaults.standard

    init(store: HKHealthStore) { self.store = store }

    private var anchor: HKQueryAnchor? {
        get {
            guard let data = defaults.data(forKey: "CapHealthAnchor") else { return nil }
            return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
        }
        set {
            guard let newValue = newValue,
                let data = try? NSKeyedArchiver.archivedData(withRootObject: newValue, requiringSecureCoding: true)
            else { return }
            defaults.set(data, forKey: "CapHealthAnchor")
        }
    }

    func readNew(completion: @escaping (_ steps: [[String: Any]], _ weights: [[String: Any]]) -> Void) {
        let group = DispatchGroup()
        var steps: [[String: Any]] = []
        var weights: [[String: Any]] = []

        group.enter()
        let stepQuery = HKAnchoredObjectQuery(
            type: HKQuantityType(.stepCount), predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
        ) { [weak self] _, samples, deleted, newAnchor, _ in
            steps = Self.rows(samples, deleted, unit: .count())
            self?.anchor = newAnchor
            group.leave()
        }
        store.execute(stepQuery)

        group.enter()
        let weightQuery = HKAnchoredObjectQuery(
            type: HKQuantityType(.bodyMass), predicate: nil,
            anchor: anchor, // finds shared-anchor
            limit: HKObjectQueryNoLimit
        ) { [weak self] _, samples, deleted, newAnchor, _ in
            weights = Self.rows(samples, deleted, unit: .gramUnit(with: .kilo))
            self?.anchor = newAnchor
            group.leave()
        }
        store.execute(weightQuery)

        group.notify(queue: .main) { completion(steps, weights) }
    }

    private static func rows(_ samples: [HKSample]?, _ deleted: [HKDeletedObject]?, unit: HKUnit) -> [[String: Any]] {
        let added = (samples as? [HKQuantitySample] ?? []).map { sample -> [String: Any] in
            ["uuid": sample.uuid.uuidString, "value": sample.quantity.doubleValue(for: unit)]
        }
        return added + (deleted ?? []).map { ["uuid": $0.uuid.uuidString, "deleted": true] }
    }
}
