// Collections whose days begin at midnight of Greenwich.
import HealthKit

final class UtcCharts {
    private let range: NSPredicate
    private var utc: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "UTC")!
        return calendar
    }()

    init(range: NSPredicate) {
        self.range = range
    }

    func steps(until end: Date) -> HKStatisticsCollectionQuery {
        var calendar = Calendar.current
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        let midnight = calendar.startOfDay(for: end)
        return HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum,
            anchorDate: midnight,  // finds utc-anchor-date
            intervalComponents: DateComponents(day: 1))
    }

    func energy() -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.activeEnergyBurned), quantitySamplePredicate: range,
            options: .cumulativeSum,
            anchorDate: Date(timeIntervalSince1970: 0),  // finds utc-anchor-date
            intervalComponents: DateComponents(day: 1))
    }

    func heartRate(store: HKHealthStore, until end: Date) async throws -> HKStatisticsCollection {
        let day = 86_400.0
        let floored = (end.timeIntervalSince1970 / day).rounded(.down) * day
        let anchor = Date(timeIntervalSince1970: floored)
        return try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.heartRate), predicate: range),
            options: .discreteAverage,
            anchorDate: anchor,  // finds utc-anchor-date
            intervalComponents: DateComponents(day: 1)
        ).result(for: store)
    }

    func weight(from text: String) -> HKStatisticsCollectionQuery {
        let formatter = ISO8601DateFormatter()
        let start = formatter.date(from: "2020-01-01T00:00:00Z") ?? Date()
        return HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.bodyMass), quantitySamplePredicate: range,
            options: .discreteAverage,
            anchorDate: start,  // finds utc-anchor-date
            intervalComponents: DateComponents(month: 1))
    }

    func flights(on date: Date) -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.flightsClimbed), quantitySamplePredicate: range,
            options: .cumulativeSum,
            anchorDate: utc.startOfDay(for: date),  // finds utc-anchor-date
            intervalComponents: DateComponents(day: 1))
    }
}
