import HealthKit
func pressure(_ store: HKHealthStore, _ month: NSPredicate) async throws -> [HKQuantitySample] {
    try await HKSampleQueryDescriptor( // finds types-in-one-query
        predicates: [HKQuantityTypeIdentifier.bloodPressureSystolic, .bloodPressureDiastolic].map {
            .quantitySample(type: HKQuantityType($0), predicate: month)
        },
        sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store)
}
