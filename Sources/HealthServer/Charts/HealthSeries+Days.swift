import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

extension HealthSeries {
    /// Returns the first and the last day of the points; nil without points.
    func days(_ calendar: Calendar) -> ClosedRange<CivilDate>? {
        guard let first = points.first, let last = points.last, first.start < last.end else {
            return nil
        }
        return calendar.days(of: DateInterval(start: first.start, end: last.end))
    }
}
