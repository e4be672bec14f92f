import HealthKit
func read(_ store: HKHealthStore, defaults: UserDefaults, _ use: ([HKSample], [HKDeletedObject]) -> Void) async throws {
    let data = defaults.data(forKey: "healthAnchor")
    let anchor = try data.flatMap { try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: $0) }
    let steps = try await HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: HKQuantityType(.stepCount))], anchor: anchor).result(for: store)
    use(steps.addedSamples, steps.deletedObjects)
    let sleep = try await HKAnchoredObjectQueryDescriptor(
        predicates: [.categorySample(type: HKCategoryType(.sleepAnalysis))],
        anchor: anchor // finds shared-anchor
    ).result(for: store)
    use(sleep.addedSamples, sleep.deletedObjects)
}
