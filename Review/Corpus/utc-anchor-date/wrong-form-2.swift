import HealthKit
func perDay(_ store: HKHealthStore) async throws -> HKStatisticsCollection {
    try await HKStatisticsCollectionQueryDescriptor(
        predicate: .quantitySample(type: HKQuantityType(.heartRate)), options: .discreteAverage,
        anchorDate: Date(timeIntervalSince1970: 0), // finds utc-anchor-date
        intervalComponents: DateComponents(day: 1)
    ).result(for: store)
}
