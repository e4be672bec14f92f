// Both kinds of type in one function, each with its own options.
import HealthKit

struct WorkoutNumbers {
    let store: HKHealthStore

    func load(_ predicate: NSPredicate) async throws -> (HKStatistics?, HKStatistics?) {
        async let energy = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.activeEnergyBurned), predicate: predicate),
            options: .cumulativeSum
        ).result(for: store)
        async let heart = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.heartRate), predicate: predicate),
            options: .discreteAverage
        ).result(for: store)
        return try await (energy, heart)
    }

    func query(
        _ identifier: HKQuantityTypeIdentifier, _ predicate: NSPredicate,
        completion: @escaping (HKStatistics?) -> Void
    ) -> HKStatisticsQuery? {
        guard let type = HKObjectType.quantityType(forIdentifier: identifier) else { return nil }
        var options: HKStatisticsOptions
        switch identifier {
        case .stepCount, .distanceWalkingRunning, .activeEnergyBurned:
            options = .cumulativeSum
        default:
            options = .discreteAverage
        }
        options.insert(.separateBySource)
        return HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: predicate, options: options
        ) { _, statistics, _ in
            completion(statistics)
        }
    }

    func insulin(_ predicate: NSPredicate) async throws -> HKQuantity? {
        try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.insulinDelivery), predicate: predicate),
            options: .cumulativeSum
        ).result(for: store)?.sumQuantity()
    }

    func glucose(_ predicate: NSPredicate) async throws -> HKQuantity? {
        try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.bloodGlucose), predicate: predicate),
            options: [.discreteAverage, .mostRecent]
        ).result(for: store)?.averageQuantity()
    }
}
