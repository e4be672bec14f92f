import HealthKit
extension HKHealthStore {
    func everyBeat() async throws -> [HKQuantitySample] {
        try await HKSampleQueryDescriptor( // finds unbounded-query
            predicates: [.quantitySample(type: HKQuantityType(.heartRate))],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: self)
    }
}
