import HealthKit
actor Fetcher {
    let store: HKHealthStore
    private var lastAnchor: HKQueryAnchor?
    init(store: HKHealthStore) { self.store = store }
    func fetch(_ type: HKSampleType, apply: ([HKSample], [HKDeletedObject]) -> Void) async throws {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.sample(type: type)],
            anchor: lastAnchor // finds shared-anchor
        ).result(for: store)
        apply(result.addedSamples, result.deletedObjects)
        lastAnchor = result.newAnchor
    }
    func fetchAll(apply: ([HKSample], [HKDeletedObject]) -> Void) async throws {
        for type in [HKQuantityType(.stepCount), HKQuantityType(.heartRate)] {
            try await fetch(type, apply: apply)
        }
    }
}
