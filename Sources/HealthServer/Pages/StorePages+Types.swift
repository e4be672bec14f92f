import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

// The pages of types and comparisons.
extension StorePages {
    /// The page of a type, with the notes on its days. The page of a year is that of the type's year.
    func typePage(at path: String, _ matching: ServedPage.PathMatching) -> ServedPage {
        ServedPage(at: path, matching) { [self] query in
            var page = try await type(query, path == TypePage.yearPath ? .year : nil)
            page.freshness.newest = try newestDay()
            return page
        } html: { [self] page, query in
            page.html(frame(of: page, query), details: details(of: page))
        }
    }

    private func details(of page: TypePage) -> HTML {
        guard let type = Catalogue.type(identifier: page.metric.identifier) else { return .empty }
        return TypeDetails(
            store: store, type: type, days: calendar.calendar.days(of: page.range),
            calendar: calendar.calendar
        ).html
    }

    /// The page of a type: of a period, or of a range from one day to another.
    ///
    /// - Parameter standard: The period without a requested one; nil for a month.
    func type(
        _ query: PageQuery, _ standard: SummaryPage.Period? = nil
    ) async throws -> TypePage {
        let type = try store.type(named: query.name ?? query["metric"] ?? "stepCount")
        let period = try query.choice("period", of: SummaryPage.Period.self) ?? standard
        guard let metric = Metric(type) else {
            let day = try day("day", of: query) ?? latestDay(of: type)
            return try TypePage(
                counting: type, in: store, period ?? .month, on: day, context: context)
        }
        let hasRange = ["from", "to", "by"].contains { query[$0] != nil }
        return hasRange
            ? try await range(of: metric, type, query)
            : try await timedOrCounted(period ?? .month, of: metric, type, query)
    }

    /// Categories without a duration, such as many symptoms, are counted.
    private func timedOrCounted(
        _ period: SummaryPage.Period, of metric: Metric, _ type: SampleType, _ query: PageQuery
    ) async throws -> TypePage {
        let page = try await self.period(period, of: metric, type, query)
        guard metric.kind == .state, metric != .sleep,
            !page.series.points.contains(where: { $0.value != nil })
        else { return page }
        let day = calendar.calendar.civilDate(of: page.range.start)
        return try TypePage(counting: type, in: store, period, on: day, context: context)
    }

    private func period(
        _ period: SummaryPage.Period, of metric: Metric, _ type: SampleType, _ query: PageQuery
    ) async throws -> TypePage {
        let day = try day("day", of: query) ?? latestDay(of: type)
        let (context, present) = (context, try presentMetrics())
        let words = "\(type.name), the \(period.rawValue) of \(day)"
        return try await current(words, context, of: [metric]) {
            service async throws(Unavailability) in
            try await TypePage(
                of: service, metric, period, on: day, among: present, context: context)
        }
    }

    private func range(
        of metric: Metric, _ type: SampleType, _ query: PageQuery
    ) async throws -> TypePage {
        let last = try day("to", of: query) ?? latestDay(of: type)
        let first =
            try day("from", of: query) ?? last.advanced(by: -29)
        guard first <= last else {
            throw PageError.badRequest("The range ends before it starts: \(first) to \(last).")
        }
        let days = last.dayNumber - first.dayNumber + 1
        let step =
            try query.choice("by", of: CalendarStep.self)
            ?? (days <= 2 ? .hour : days <= 62 ? .day : days <= 1096 ? .week : .month)
        guard days * step.maximumPerDay <= 4_000 * step.minimumDays else {
            throw PageError.badRequest(
                "The range is too long for a chart: choose a longer step or fewer days.")
        }
        let range = interval(first, last)
        let (context, present) = (context, try presentMetrics())
        let words = "\(type.name) by \(step.rawValue) from \(first) to \(last)"
        return try await current(words, context, of: [metric]) {
            service async throws(Unavailability) in
            try await TypePage(
                of: service, metric, by: step, over: range, among: present, context: context)
        }
    }

    /// Returns the metrics with samples or totals, sorted by name.
    func presentMetrics() throws -> [Metric] {
        let stored = try store.presentTypes()
        let totals = try store.typesWithReceivedTotals().filter { !stored.contains($0) }
        return (stored + totals).compactMap { Metric($0) }
            .sorted { $0.displayName < $1.displayName }
    }
}
