import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

/// Formats days and times in a page's calendar, with ``DateText``.
enum PageDateText {
    /// A month, as in "Mar".
    static func month(_ day: CivilDate) -> String {
        DateText.shortMonth(day)
    }

    /// A day, as in "Sat 9 Mar 2024".
    static func short(_ day: CivilDate) -> String {
        DateText.short(day)
    }

    /// A local time, as in "07:42".
    static func clock(_ time: Date, _ calendar: Calendar) -> String {
        let second = calendar.localTime(at: time).secondOfDay
        return DateText.clock(hour: second / 3600, minute: second / 60 % 60)
    }

    /// A day and time, as in "Sat 9 Mar 2024, 07:42".
    static func moment(_ time: Date, _ calendar: Calendar) -> String {
        short(calendar.localDate(at: time)) + ", " + clock(time, calendar)
    }

    /// A bucket of a series: "Sat 9 Mar 2024, 14:00–15:00" for an hour, "Sat 9 Mar 2024" for a day,
    /// "4–10 Mar 2024" for a week, "Mar 2024" for a month, "2024" for a year.
    static func period(_ start: Date, _ end: Date, _ step: CalendarStep, _ calendar: Calendar)
        -> String
    {
        let day = calendar.localDate(at: start)
        switch step {
        case .hour: return "\(short(day)), \(clock(start, calendar))–\(clock(end, calendar))"
        case .day: return short(day)
        case .month: return "\(month(day)) \(day.year)"
        case .year: return String(day.year)
        case .week:
            let next = calendar.localDate(at: end)
            return DateText.span(day, max(day, next.advanced(by: -1)))
        }
    }
}
