// Days of the person's calendar that formatters write in GMT.
import Foundation
import HealthKit

enum DayKeys {
    static let formatter: ISO8601DateFormatter = {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withFullDate, .withDashSeparatorInDate]
        return formatter
    }()

    static func key(_ date: Date) -> String {
        formatter.string(from: date)  // finds day-in-gmt
    }
}

extension DateFormatter {
    static let serverDay: DateFormatter = {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy-MM-dd"
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        return formatter
    }()
}

extension Date {
    var dayText: String { DateFormatter.serverDay.string(from: self) }  // finds day-in-gmt
    func isoDay() -> String { ISO8601Format(.iso8601.year().month().day()) }
}

struct StepDay: Codable {
    let day: Date
    let count: Int
}

final class StepUpload {
    private let store: HKHealthStore
    private var totals: [String: Double] = [:]

    init(store: HKHealthStore) { self.store = store }

    func collect(_ collection: HKStatisticsCollection, in period: DateInterval) -> [StepDay] {
        var days: [StepDay] = []
        collection.enumerateStatistics(from: period.start, to: period.end) { statistics, _ in
            let count = statistics.sumQuantity()?.doubleValue(for: .count())
            days.append(StepDay(day: statistics.startDate, count: Int(count ?? 0)))
            self.totals[DayKeys.key(statistics.startDate)] = count
        }
        return days
    }

    func rows(of days: [StepDay]) -> [[String: Any]] {
        let formatter = DateFormatter()
        formatter.timeZone = TimeZone(abbreviation: "UTC")
        formatter.dateFormat = "yyyy-MM-dd"
        return days.map { day in
            ["date": formatter.string(from: day.day), "steps": day.count]  // finds day-in-gmt
        }
    }

    func today() -> String {
        Calendar.current.startOfDay(for: Date()).dayText
    }

    func texts(of collection: HKStatisticsCollection) -> [String] {
        collection.statistics().map { bucket in
            bucket.startDate.formatted(.iso8601.year().month().day())  // finds day-in-gmt
        }
    }

    func short(_ collection: HKStatisticsCollection) -> [String] {
        let formatter = ISO8601DateFormatter()
        return collection.statistics().map {
            String(formatter.string(from: $0.startDate).prefix(10))  // finds day-in-gmt
        }
    }

    func yesterday(_ calendar: Calendar) -> String? {
        let today = calendar.startOfDay(for: .now)
        guard let day = calendar.date(byAdding: .day, value: -1, to: today) else { return nil }
        let text = day.ISO8601Format()
        return text.components(separatedBy: "T").first  // finds day-in-gmt
    }

    func week(_ calendar: Calendar) -> String? {
        guard let monday = calendar.dateInterval(of: .weekOfYear, for: .now)?.start else {
            return nil
        }
        return ISO8601DateFormatter.string(  // finds day-in-gmt
            from: monday, timeZone: TimeZone(identifier: "UTC")!, formatOptions: [.withFullDate])
    }

    func night(of sample: HKCategorySample) -> String {
        DayKeys.formatter.string(from: sample.endDate)  // finds day-in-gmt
    }
}
