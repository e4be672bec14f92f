import HealthKit
struct KeyedAnchors {
    let defaults: UserDefaults
    func load(_ type: HKSampleType) -> HKQueryAnchor? {
        defaults.data(forKey: "anchor-\(type.identifier)").flatMap {
            try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: $0)
        }
    }
}
func readAll(_ store: HKHealthStore, _ anchors: KeyedAnchors, _ use: ([HKSample], [HKDeletedObject]) -> Void) async throws {
    for type in [HKQuantityType(.stepCount), HKQuantityType(.heartRate)] {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.sample(type: type)], anchor: anchors.load(type)).result(for: store)
        use(result.addedSamples, result.deletedObjects)
    }
}
