import Foundation
import HealthDashboard
import HealthEngine

/// Days and times as people write them, in English on every machine.
enum DateWords {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// "Mar".
    static func month(_ day: CivilDate) -> String {
        months.indices.contains(day.month - 1) ? months[day.month - 1] : String(day.month)
    }

    /// "Sat 9 Mar 2024".
    static func short(_ day: CivilDate) -> String {
        "\(days[day.weekday]) \(day.day) \(month(day)) \(day.year)"
    }

    /// "07:42".
    static func clock(_ time: Date, _ calendar: Calendar) -> String {
        let parts = calendar.dateComponents([.hour, .minute], from: time)
        return twoDigits(parts.hour ?? 0) + ":" + twoDigits(parts.minute ?? 0)
    }

    /// "Sat 9 Mar 2024, 07:42".
    static func moment(_ time: Date, _ calendar: Calendar) -> String {
        short(calendar.civil(time)) + ", " + clock(time, calendar)
    }

    /// A step of a series: "Sat 9 Mar 2024", "4–10 Mar 2024", "Mar 2024", "14:00–15:00".
    static func period(_ start: Date, _ end: Date, _ step: SeriesStep, _ calendar: Calendar)
        -> String
    {
        let day = calendar.civil(start)
        switch step {
        case .hour: return "\(short(day)), \(clock(start, calendar))–\(clock(end, calendar))"
        case .day: return short(day)
        case .month: return "\(month(day)) \(day.year)"
        case .year: return String(day.year)
        case .week:
            let next = calendar.civil(end)
            let last = CivilDate(dayNumber: max(day.dayNumber, next.dayNumber - 1))
            if (day.year, day.month) == (last.year, last.month) {
                return "\(day.day)–\(last.day) \(month(day)) \(day.year)"
            }
            let year = day.year == last.year ? "" : " \(day.year)"
            return "\(day.day) \(month(day))\(year) – \(last.day) \(month(last)) \(last.year)"
        }
    }

    private static func twoDigits(_ number: Int) -> String {
        (number < 10 ? "0" : "") + String(number)
    }
}

extension Calendar {
    /// The Gregorian calendar of a zone, weeks from Monday; of UTC if there is no such zone.
    static func of(timeZone name: String) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: name) ?? .gmt
        calendar.firstWeekday = 2
        return calendar
    }

    /// The day that it is here.
    func civil(_ time: Date) -> CivilDate { localDate(at: time) }

    /// Where the day begins here, which isn't midnight everywhere; a day that the zone skipped
    /// begins with the next.
    func midnight(_ day: CivilDate) -> Date {
        (interval(of: day) ?? interval(of: day.advanced(by: 1)))?.start ?? .distantPast
    }
}
