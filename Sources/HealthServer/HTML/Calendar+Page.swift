import Foundation
import HealthCalendar
import HealthDashboard

extension Calendar {
    /// The calendar of a page: its time zone, with the first day of the week that the reader has.
    static func ofPage(in timeZone: String) -> Calendar {
        .gregorian(
            in: TimeZone(identifier: timeZone) ?? .gmt,
            firstWeekday: PageSettings.current.firstWeekday)
    }
}
