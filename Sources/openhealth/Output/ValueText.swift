import HealthCalendar
import HealthDashboard
import HealthStorage

// Times in the time zone of a command's calendar.
extension DateText {
    static func long(_ time: Double, _ calendar: CalendarBuckets) -> String {
        long(calendar.day(time))
    }

    /// Formats a local date and time, as in "2024-03-10 08:30".
    static func minute(_ time: Double, _ calendar: CalendarBuckets) -> String {
        minute(calendar.text(time))
    }
}

extension NumberText {
    /// Returns the shortest digits that parse to the same double: "8214", "0.1",
    /// "88.06521739130426".
    static func shortest(_ value: Double) -> String {
        value.isFinite ? JSONText.number(value) : "\(value)"
    }
}
