import HealthKit
func either(_ store: HKHealthStore, _ identifier: HKQuantityTypeIdentifier, _ day: NSPredicate) async throws -> HKQuantity? {
    let type = HKQuantityType(identifier)
    let options: HKStatisticsOptions
    switch identifier {
    case .stepCount, .activeEnergyBurned: options = .cumulativeSum
    default: options = .discreteAverage
    }
    let statistics = try await HKStatisticsQueryDescriptor(
        predicate: .quantitySample(type: type, predicate: day), options: options
    ).result(for: store)
    return statistics?.sumQuantity() ?? statistics?.averageQuantity()
}
