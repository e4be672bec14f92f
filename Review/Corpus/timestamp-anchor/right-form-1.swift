import HealthKit
func ninetyDays(_ store: HKHealthStore) async throws -> [HKQuantitySample] {
    let start = Calendar.current.date(byAdding: .day, value: -90, to: .now)
    return try await HKSampleQueryDescriptor(
        predicates: [.quantitySample(
            type: HKQuantityType(.bodyMass), predicate: HKQuery.predicateForSamples(withStart: start, end: .now))],
        sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store)
}
