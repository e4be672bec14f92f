import HealthKit
struct Oxygen {
    let store: HKHealthStore
    var predicate: HKSamplePredicate<HKQuantitySample> { .quantitySample(type: HKQuantityType(.oxygenSaturation)) }
    func sum() async throws -> HKStatistics? {
        let descriptor = HKStatisticsQueryDescriptor(predicate: predicate, options: .cumulativeSum) // finds statistics-options
        return try await descriptor.result(for: store)
    }
}
