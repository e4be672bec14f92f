import HealthKit
func history(of store: HKHealthStore) async throws -> [HKQuantitySample] {
    let since = HKQuery.predicateForSamples(withStart: .distantPast, end: nil)
    let descriptor = HKSampleQueryDescriptor( // finds unbounded-query
        predicates: [.quantitySample(type: .init(.activeEnergyBurned), predicate: since)],
        sortDescriptors: [], limit: nil)
    return try await descriptor.result(for: store)
}
