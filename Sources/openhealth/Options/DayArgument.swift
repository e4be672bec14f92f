import HealthCalendar
import HealthDashboard
import HealthEngine

/// A day in an argument: "2024-03-10", "today", "yesterday" or "tuesday".
enum DayArgument {
    /// Returns the day.
    ///
    /// - Throws: ``UsageError`` for another text.
    static func day(_ text: String, _ context: PageContext) throws -> CivilDate {
        try day(text, today: context.today)
    }

    /// Returns the day.
    ///
    /// - Parameter today: The day that words refer to. "tuesday" is the latest one before it.
    /// - Throws: ``UsageError`` for another text.
    static func day(_ text: String, today: CivilDate) throws -> CivilDate {
        if let period = try? DayPeriod(text, today: today, firstWeekday: 2),
            period.end == period.first.advanced(by: 1), text.first?.isNumber != true
        {
            return period.first
        }
        do {
            return try CivilDate(validating: text)
        } catch {
            throw UsageError("“\(text.printable)” \(error.reason)")
        }
    }
}
