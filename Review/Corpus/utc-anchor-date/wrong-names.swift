// Greenwich behind an extension, a formatter and components; a day in minutes.
import HealthKit

extension Calendar {
    static let utc: Calendar = {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = TimeZone(abbreviation: "UTC")!
        return calendar
    }()
}

struct NamedCharts {
    let range: NSPredicate

    private static let parser: DateFormatter = {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy-MM-dd"
        formatter.timeZone = TimeZone(identifier: "GMT")
        return formatter
    }()

    func steps(today: Date) -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum,
            anchorDate: Calendar.utc.startOfDay(for: today),  // finds utc-anchor-date
            intervalComponents: DateComponents(day: 1))
    }

    func energy(from text: String) -> HKStatisticsCollectionQuery? {
        guard let anchor = Self.parser.date(from: text) else { return nil }
        return HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.activeEnergyBurned), quantitySamplePredicate: range,
            options: .cumulativeSum,
            anchorDate: anchor,  // finds utc-anchor-date
            intervalComponents: DateComponents(day: 1))
    }

    func heartRate() -> HKStatisticsCollectionQuery? {
        let components = DateComponents(
            calendar: .current, timeZone: .gmt, year: 2020, month: 1, day: 1)
        guard let newYear = components.date else { return nil }
        return HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.heartRate), quantitySamplePredicate: range,
            options: .discreteAverage,
            anchorDate: newYear,  // finds utc-anchor-date
            intervalComponents: DateComponents(month: 1))
    }

    func sinceInstall(today: Date) -> HKStatisticsCollectionQuery {
        let query = HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.flightsClimbed), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: today),
            intervalComponents: DateComponents(second: 24 * 60 * 60))  // finds utc-anchor-date
        return query
    }
}
