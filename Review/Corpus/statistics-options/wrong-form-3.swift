import HealthKit
func energy(_ store: HKHealthStore, today: NSPredicate) async throws -> HKStatistics? {
    try await HKStatisticsQueryDescriptor(
        predicate: .quantitySample(type: HKQuantityType(.basalEnergyBurned), predicate: today),
        options: [.cumulativeSum, .discreteMax] // finds statistics-options
    ).result(for: store)
}
