import HealthKit
struct Heart {
    let store: HKHealthStore
    func beats(_ show: @escaping ([HKQuantitySample]) -> Void) {
        store.execute(HKAnchoredObjectQuery(type: .init(.heartRate), predicate: nil, anchor: nil, limit: 100) { _, added, _, _, _ in
            guard let beats = added as? [HKQuantitySample] else { return }
            show(beats)
        })
    }
}
