import HealthCalendar
import HealthDashboard
import HealthEngine

/// A day in an argument: "2024-03-10", "today" or "yesterday".
enum DayArgument {
    /// Returns the day.
    ///
    /// - Throws: ``UsageError`` for another text.
    static func day(_ text: String, _ context: PageContext) throws -> CivilDate {
        switch text {
        case "today": return context.today
        case "yesterday": return context.today.advanced(by: -1)
        default:
            do {
                return try CivilDate(validating: text)
            } catch {
                throw UsageError("“\(text.printable)” \(error.reason)")
            }
        }
    }
}
