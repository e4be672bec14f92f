// Zones, moments and numbers of hours that do no harm.
import HealthKit

struct LocalDays {
    let range: NSPredicate
    let steps = HKQuantityType(.stepCount)

    func home(_ zone: TimeZone, _ date: Date) -> HKStatisticsCollectionQuery {
        var calendar = Calendar.current
        calendar.timeZone = zone
        return HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: range, options: .cumulativeSum,
            anchorDate: calendar.startOfDay(for: date), intervalComponents: DateComponents(day: 1))
    }

    func weekAgo(_ now: Date) -> HKStatisticsCollectionQuery {
        let midnight = Calendar.current.startOfDay(for: now)
        let anchor = Calendar.current.date(byAdding: .day, value: -7, to: midnight)!
        return HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: range, options: .cumulativeSum,
            anchorDate: anchor, intervalComponents: DateComponents(day: 1))
    }

    func today() -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: range, options: .cumulativeSum,
            anchorDate: Calendar.current.startOfDay(for: Date()),
            intervalComponents: DateComponents(hour: 6))
    }

    func quarters() -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: range, options: .cumulativeSum,
            anchorDate: Date(timeIntervalSinceReferenceDate: 0),
            intervalComponents: DateComponents(minute: 15))
    }

    func stored(_ seconds: TimeInterval) -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: range, options: .cumulativeSum,
            anchorDate: Date(timeIntervalSince1970: seconds),
            intervalComponents: DateComponents(day: 1))
    }

    func formatted() -> HKStatisticsCollectionQuery? {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy-MM-dd"
        guard let anchor = formatter.date(from: "2024-01-01") else { return nil }
        return HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: range, options: .cumulativeSum,
            anchorDate: anchor, intervalComponents: DateComponents(day: 1))
    }
}
