// Days of the person's own calendar, and intervals too short to be a day.
import HealthKit

final class LocalCharts {
    private let range: NSPredicate
    private let calendar = Calendar.autoupdatingCurrent

    init(range: NSPredicate) {
        self.range = range
    }

    func steps(until end: Date) -> HKStatisticsCollectionQuery {
        let anchor = Calendar.current.startOfDay(for: end)
        return HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: anchor, intervalComponents: DateComponents(day: 1))
    }

    func mondays(now: Date) -> HKStatisticsCollectionQuery? {
        var components = calendar.dateComponents([.day, .month, .year, .weekday], from: now)
        components.day = (components.day ?? 1) - ((components.weekday ?? 2) + 5) % 7
        components.hour = 3
        guard let anchor = calendar.date(from: components) else { return nil }
        return HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.heartRate), quantitySamplePredicate: range,
            options: .discreteAverage, anchorDate: anchor,
            intervalComponents: DateComponents(day: 7))
    }

    func mornings(now: Date) -> HKStatisticsCollectionQuery? {
        guard let four = calendar.date(bySettingHour: 4, minute: 0, second: 0, of: now) else {
            return nil
        }
        return HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: four, intervalComponents: DateComponents(day: 1))
    }

    func liveMinutes() -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.heartRate), quantitySamplePredicate: range,
            options: .discreteAverage, anchorDate: Date(),
            intervalComponents: DateComponents(minute: 5))
    }

    func given(_ anchor: Date, _ interval: DateComponents) -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.flightsClimbed), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: anchor, intervalComponents: interval)
    }
}
