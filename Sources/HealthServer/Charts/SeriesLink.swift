import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

/// The pages that the points of a series lead to: a year, month or week to the page of that period, a day
/// to the day, and an hour of an amount to how the day was counted.
struct SeriesLink {
    let metric: Metric

    init(_ metric: Metric) { self.metric = metric }

    /// Returns the address for a point; nil if there is no page.
    func address(
        _ point: HealthSeries.Point, _ step: CalendarStep, _ calendar: Calendar
    ) -> HTML? {
        let day = calendar.localDate(at: point.start)
        guard CivilDate.supportedRange.contains(day) else { return nil }
        switch step {
        case .day where metric == .sleep: return "/sleep?day=\(day.description)"
        case .hour where metric.kind == .amount:
            return "/why?metric=\(metric.shortName)&amp;day=\(day.description)"
        case .hour: return nil
        case .day, .week, .month, .year:
            return """
                /type/\(metric.shortName)?period=\(step.rawValue)&amp;day=\(day.description)
                """
        }
    }
}
