import HealthKit
func follow(_ store: HKHealthStore, _ use: @escaping (HKSample) -> Void, _ gone: @escaping (UUID) -> Void) async throws {
    let descriptor = HKAnchoredObjectQueryDescriptor( // finds types-in-one-query
        predicates: [.sample(type: HKQuantityType(.heartRate)), .workout()], anchor: nil)
    for try await update in descriptor.results(for: store) {
        update.addedSamples.forEach(use)
        update.deletedObjects.forEach { gone($0.uuid) }
    }
}
