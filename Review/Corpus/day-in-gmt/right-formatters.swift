// Days in the person's time zone, moments in GMT, and days that are of GMT on both ways.
import Foundation
import HealthKit

final class LocalDays {
    private let store: HKHealthStore
    private let day: ISO8601DateFormatter = {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withFullDate]
        formatter.timeZone = .current
        return formatter
    }()
    private let moment = ISO8601DateFormatter()
    private let plain: DateFormatter = {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy-MM-dd"
        return formatter
    }()

    init(store: HKHealthStore) { self.store = store }

    func row(_ statistics: HKStatistics) -> [String: String] {
        [
            "day": day.string(from: statistics.startDate),
            "name": plain.string(from: statistics.startDate),
            "start": moment.string(from: statistics.startDate),
            "end": statistics.endDate.ISO8601Format(),
            "text": statistics.startDate.formatted(date: .numeric, time: .omitted),
            "iso": statistics.startDate.formatted(.iso8601(timeZone: .current).year().month().day()),
        ]
    }
}

/// Dates of the server have no time: they are read and written in GMT.
struct ServerDates {
    private let format: DateFormatter = {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy-MM-dd"
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        return formatter
    }()

    func date(_ text: String) -> Date? { format.date(from: text) }
    func text(_ date: Date) -> String { format.string(from: date) }

    func nextPage(after text: String) -> String? {
        guard let date = date(text) else { return nil }
        return self.text(date.addingTimeInterval(86_400))
    }
}

/// The study counts days of GMT for all.
struct StudyDays {
    private let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        return calendar
    }()
    private let format = ISO8601DateFormatter()

    func text(_ date: Date) -> String {
        format.formatOptions = [.withFullDate]
        return format.string(from: calendar.startOfDay(for: date))
    }
}

/// A whole moment, with the time written out.
struct Moments {
    private let format: DateFormatter = {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss'Z'"
        formatter.timeZone = TimeZone(abbreviation: "GMT")
        return formatter
    }()

    func text(_ sample: HKSample) -> String { format.string(from: sample.startDate) }
    func fileName() -> String { "export-\(ISO8601DateFormatter().string(from: Date()).prefix(10))" }
}
