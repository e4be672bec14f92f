import HealthDashboard
import HealthStorage

extension DayWords {
    static func long(_ time: Double, _ calendar: CalendarBuckets) -> String {
        long(calendar.day(time))
    }

    /// "2024-03-10 08:30" of a moment.
    static func minute(_ time: Double, _ calendar: CalendarBuckets) -> String {
        let text = calendar.text(time)
        guard text.count >= 16 else { return text }
        return String(text.prefix(16).replacing("T", with: " "))
    }
}
