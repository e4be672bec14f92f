// The same in async descriptors and behind factories.
import HealthKit

struct DashboardReader {
    let store: HKHealthStore

    func burned(in interval: DateInterval) async throws -> HKQuantity? {
        let predicate = HKQuery.predicateForSamples(withStart: interval.start, end: interval.end)
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.activeEnergyBurned), predicate: predicate),
            options: .discreteMax)  // finds statistics-options
        return try await descriptor.result(for: store)?.maximumQuantity()
    }

    func oxygen(since start: Date) async throws -> HKStatisticsCollection {
        let samples = HKSamplePredicate.quantitySample(
            type: HKQuantityType(.oxygenSaturation),
            predicate: HKQuery.predicateForSamples(withStart: start, end: nil))
        return try await HKStatisticsCollectionQueryDescriptor(
            predicate: samples,
            options: HKStatisticsOptions.cumulativeSum,  // finds statistics-options
            anchorDate: Calendar.current.startOfDay(for: start),
            intervalComponents: DateComponents(day: 1)
        ).result(for: store)
    }

    func flights(since start: Date) async throws -> HKQuantity? {
        let type = HKQuantityType(.flightsClimbed)
        let predicate = HKQuery.predicateForSamples(withStart: start, end: nil)
        return try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: type, predicate: predicate),
            options: [.discreteMin, .discreteMax]  // finds statistics-options
        ).result(for: store)?.minimumQuantity()
    }
}

enum ChartQueries {
    static let restingHeartRate = HKQuantityType(.restingHeartRate)

    static func month(anchor: Date, predicate: NSPredicate) -> HKStatisticsCollectionQuery {
        .init(
            quantityType: restingHeartRate, quantitySamplePredicate: predicate,
            options: .cumulativeSum,  // finds statistics-options
            anchorDate: Calendar.current.startOfDay(for: anchor),
            intervalComponents: DateComponents(day: 1))
    }
}
