import Foundation
import HealthKit

/// Averages for a chart: per week, in a display unit.
struct WeeklyAverage: Sendable {
    let healthStore: HKHealthStore
    let calendar: Calendar

    func averages(
        of identifier: HKQuantityTypeIdentifier, in unit: HKUnit, from start: Date, to end: Date
    ) async throws -> [Double] {
        let predicate = HKQuery.predicateForSamples(
            withStart: start, end: end, options: .strictStartDate)
        let query = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(identifier), predicate: predicate),
            options: .discreteAverage, anchorDate: start,
            intervalComponents: DateComponents(weekOfYear: 1))
        return try await query.result(for: healthStore).statistics()
            .compactMap { $0.averageQuantity()?.doubleValue(for: unit) }
    }

    /// Returns the average over all samples.
    func average(
        of identifier: HKQuantityTypeIdentifier, in unit: HKUnit
    ) async throws -> Double? {
        let query = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(identifier)),
            options: .discreteAverage)
        return try await query.result(for: healthStore)?.averageQuantity()?
            .doubleValue(for: unit)
    }
}
