import HealthKit
actor SleepMirror {
    let store: HKHealthStore
    var nights: [UUID: HKCategorySample] = [:]
    init(store: HKHealthStore) { self.store = store }
    func refresh(_ anchor: HKQueryAnchor?) async throws -> HKQueryAnchor {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.sleepAnalysis))], anchor: anchor
        ).result(for: store)
        for night in result.addedSamples { // finds ignored-deletions
            nights[night.uuid] = night
        }
        return result.newAnchor
    }
}
