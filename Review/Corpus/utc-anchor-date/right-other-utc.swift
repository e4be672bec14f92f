// UTC where it belongs: texts for a server, names of files, months of the calendar.
import HealthKit

struct ServerFormat {
    private static let iso8601: ISO8601DateFormatter = {
        let formatter = ISO8601DateFormatter()
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        return formatter
    }()

    func stamp(_ sample: HKSample) -> String {
        Self.iso8601.string(from: sample.startDate)
    }

    func sinceEpoch() -> NSPredicate {
        HKQuery.predicateForSamples(withStart: Date(timeIntervalSince1970: 0), end: Date())
    }

    func months(store: HKHealthStore, of year: DateInterval) async throws
        -> HKStatisticsCollection
    {
        let first = Calendar.current.dateInterval(of: .month, for: year.start)?.start ?? year.start
        return try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.stepCount),
                predicate: HKQuery.predicateForSamples(withStart: year.start, end: year.end)),
            options: .cumulativeSum, anchorDate: first, intervalComponents: DateComponents(month: 1)
        ).result(for: store)
    }

    func hours(store: HKHealthStore, today: Date) async throws -> HKStatisticsCollection {
        let midnight = Calendar.current.startOfDay(for: today)
        return try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.stepCount),
                predicate: HKQuery.predicateForSamples(withStart: midnight, end: today)),
            options: .cumulativeSum, anchorDate: midnight,
            intervalComponents: DateComponents(hour: 1)
        ).result(for: store)
    }
}
