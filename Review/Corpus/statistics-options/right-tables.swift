// Options kept beside their types in a table, as dashboards do.
import HealthKit

enum Metric: CaseIterable {
    case steps, heartRate, sound

    var type: HKQuantityType {
        switch self {
        case .steps: HKQuantityType(.stepCount)
        case .heartRate: HKQuantityType(.heartRate)
        case .sound: HKQuantityType(.environmentalAudioExposure)
        }
    }

    var options: HKStatisticsOptions {
        switch self {
        case .steps: .cumulativeSum
        case .heartRate, .sound: .discreteAverage
        }
    }

    func query(predicate: NSPredicate, anchor: Date) -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: type, quantitySamplePredicate: predicate, options: options,
            anchorDate: Calendar.current.startOfDay(for: anchor),
            intervalComponents: DateComponents(day: 1))
    }
}

struct SoundReader {
    let store: HKHealthStore

    func headphones(since start: Date) async throws -> HKStatistics? {
        try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.headphoneAudioExposure),
                predicate: HKQuery.predicateForSamples(withStart: start, end: nil)),
            options: .discreteAverage
        ).result(for: store)
    }

    func exercise(since start: Date) async throws -> HKStatistics? {
        try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.appleExerciseTime),
                predicate: HKQuery.predicateForSamples(withStart: start, end: nil)),
            options: .cumulativeSum
        ).result(for: store)
    }
}
