import HealthCalendar
import HealthDashboard
import HealthStorage

/// A note beside an answer without data: when there is some.
enum DataExtentNote {
    /// Returns "There is data of steps from 1 October 2016 to 30 September 2026."; nil without any.
    static func text(
        _ store: SampleStore, _ query: SampleQuery, _ calendar: CalendarBuckets
    ) throws -> String? {
        let everything = SampleQuery(
            query.type, sources: query.sources, visibility: query.visibility)
        guard let extent = try store.extent(of: everything) else { return nil }
        return "There is data of \(TypeText.name(query.type)) from "
            + "\(DateText.long(extent.first, calendar)) to "
            + "\(DateText.long(max(extent.first, extent.last.nextDown), calendar))."
    }
}
