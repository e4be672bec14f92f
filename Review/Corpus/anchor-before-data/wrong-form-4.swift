import HealthKit
func pull(_ store: HKHealthStore, _ file: URL, _ old: HKQueryAnchor?, apply: ([HKSample], [HKDeletedObject]) async throws -> Void) async throws {
    let descriptor = HKAnchoredObjectQueryDescriptor(
        predicates: [.sample(type: HKQuantityType(.bodyMass))], anchor: old, limit: 100)
    let result = try await descriptor.result(for: store)
    let data = try NSKeyedArchiver.archivedData(withRootObject: result.newAnchor, requiringSecureCoding: true)
    try data.write(to: file, options: .atomic) // finds anchor-before-data
    try await apply(result.addedSamples, result.deletedObjects)
}
