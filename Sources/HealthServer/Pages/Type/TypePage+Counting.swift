import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

extension TypePage {
    /// Reads the page of a type without a value that can be added up or averaged, such as blood pressure:
    /// the number of samples that start in each bucket of a day, week, month or year.
    ///
    /// - Throws: `StoreError` if the store can't be read.
    /// - Complexity: One query for each of at most 31 buckets.
    init(
        counting type: SampleType, in store: SampleStore, _ period: SummaryPage.Period,
        on day: CivilDate, context: PageContext
    ) throws {
        let calendar = context.calendar
        let range = calendar.interval(of: period.step, containing: calendar.midnight(day))
        let metric = Metric(counting: type)
        let boundaries = calendar.boundaries(by: period.bucketStep, over: range)
        // The days of activity summaries are stored as if they were in UTC.
        func stored(_ time: Date) -> Double {
            let moment =
                type.kind == .activitySummary
                ? Calendar.gregorian(in: .gmt).midnight(calendar.localDate(at: time)) : time
            return moment.timeIntervalSinceReferenceDate
        }
        let points = try zip(boundaries, boundaries.dropFirst()).map { start, end in
            let count =
                try store.starts(of: type, from: stored(start), to: stored(end))?.samples ?? 0
            return HealthSeries.Point(
                start: start, end: end, value: count > 0 ? Double(count) : nil,
                isCurrent: start <= context.now && context.now < end)
        }
        let total = points.compactMap(\.value).reduce(0, +)
        let first = calendar.civilDate(of: range.start)
        let when = period.label(from: first, today: context.today)
        self.init(
            freshness: Freshness(asOf: context.now, isCurrent: true),
            timeZone: calendar.timeZone.identifier, metric: metric, metrics: [], period: period,
            range: range, step: period.bucketStep,
            series: HealthSeries(metric: metric, step: period.bucketStep, points: points),
            typicalRange: nil,
            sentence: total > 0
                ? "\(metric.title): \(counted(Int(clamping: total), "sample", "samples"))\(when)"
                : "No \(metric.displayName)\(when).")
    }
}
