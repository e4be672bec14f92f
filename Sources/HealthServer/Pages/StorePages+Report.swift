import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

extension StorePages {
    /// The report of a period, up to the latest data unless another is requested. The person's
    /// words are part of the answer only, and not of cached pages.
    @Sendable func report(_ query: PageQuery) async throws -> ReportPage {
        let words = try ReportPage.words(query["words"])
        let context = context
        let days = try ReportPage.days(
            from: day("from", of: query), to: day("to", of: query),
            latest: ReportPage.latestDay(in: store, calendar, now: context.now),
            today: context.today)
        var page = try await current(
            "report \(days.lowerBound) to \(days.upperBound)", context, of: ReportPage.metrics
        ) { service async throws(Unavailability) in
            try await ReportPage(of: service, days, context: context)
        }
        try page.add(store, in: calendar)
        page.words = words
        return page
    }
}
