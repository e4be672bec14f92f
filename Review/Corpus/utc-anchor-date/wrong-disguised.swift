// UTC behind extensions, formatters, components and arithmetic.
import HealthKit

extension TimeZone {
    static let greenwich = TimeZone(abbreviation: "GMT")!
}

extension Calendar {
    static var utc: Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .greenwich
        return calendar
    }
}

extension Date {
    var utcMidnight: Date { Calendar.utc.startOfDay(for: self) }
    func floored() -> Date {
        Date(timeIntervalSince1970: floor(timeIntervalSince1970 / 86400) * 86400)
    }
}

struct HiddenUtc {
    let range: NSPredicate
    let steps = HKQuantityType(.stepCount)

    private func collection(_ anchor: Date) -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: range, options: .cumulativeSum,
            anchorDate: anchor, intervalComponents: DateComponents(day: 1))
    }

    func shared(_ date: Date) -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: range, options: .cumulativeSum,
            anchorDate: Calendar.utc.startOfDay(for: date),  // finds utc-anchor-date
            intervalComponents: DateComponents(day: 1))
    }

    func components() -> HKStatisticsCollectionQuery {
        var components = DateComponents()
        components.year = 2024
        components.month = 1
        components.day = 1
        components.timeZone = TimeZone(secondsFromGMT: 0)
        let anchor = Calendar.current.date(from: components)!
        return HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: range, options: .cumulativeSum,
            anchorDate: anchor,  // finds utc-anchor-date
            intervalComponents: DateComponents(weekOfYear: 1))
    }

    func formatted() -> HKStatisticsCollectionQuery? {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy-MM-dd"
        formatter.timeZone = TimeZone(identifier: "UTC")
        guard let anchor = formatter.date(from: "2024-01-01") else { return nil }
        return HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: range, options: .cumulativeSum,
            anchorDate: anchor,  // finds utc-anchor-date
            intervalComponents: DateComponents(day: 1))
    }

    func lastWeek() -> HKStatisticsCollectionQuery {
        let weekAgo = Calendar.current.date(byAdding: .day, value: -7, to: Date())!
        return HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: range, options: .cumulativeSum,
            anchorDate: weekAgo,  // finds utc-anchor-date
            intervalComponents: DateComponents(day: 1))
    }

    func seconds(_ today: Date) -> HKStatisticsCollectionQuery {
        var week = DateComponents()
        week.second = 7 * 24 * 60 * 60
        return HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: range, options: .cumulativeSum,
            anchorDate: Calendar.current.startOfDay(for: today),
            intervalComponents: week)  // finds utc-anchor-date
    }

    func extended(_ day: Date) -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: range, options: .cumulativeSum,
            anchorDate: day.utcMidnight,  // finds utc-anchor-date
            intervalComponents: DateComponents(day: 1))
    }

    func cut(_ day: Date) -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: range, options: .cumulativeSum,
            anchorDate: day.floored(),  // finds utc-anchor-date
            intervalComponents: DateComponents(day: 1))
    }
}
