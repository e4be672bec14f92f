// Calendars whose zone is the person's, or isn't known here.
import HealthKit

struct ZonedCharts {
    let range: NSPredicate
    let home: TimeZone

    func steps(today: Date) -> HKStatisticsCollectionQuery {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .current
        return HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: calendar.startOfDay(for: today),
            intervalComponents: DateComponents(day: 1))
    }

    func atHome(today: Date) -> HKStatisticsCollectionQuery {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = home
        return HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: calendar.startOfDay(for: today),
            intervalComponents: DateComponents(day: 1))
    }

    func shifted(today: Date, offset: Int) -> HKStatisticsCollectionQuery {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: offset) ?? .current
        return HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: calendar.startOfDay(for: today),
            intervalComponents: DateComponents(day: 1))
    }

    func weeks() -> HKStatisticsCollectionQuery? {
        let newYear = DateComponents(calendar: .current, year: 2024, month: 1, day: 1).date
        guard let newYear else { return nil }
        return HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.bodyMass), quantitySamplePredicate: range,
            options: .discreteAverage, anchorDate: newYear,
            intervalComponents: DateComponents(weekOfYear: 1))
    }

    func chart(_ interval: DateInterval, points: Int) -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.heartRate), quantitySamplePredicate: range,
            options: .discreteAverage, anchorDate: interval.start,
            intervalComponents: DateComponents(second: Int(interval.duration) / points))
    }
}
