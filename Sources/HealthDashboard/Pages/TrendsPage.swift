public import Foundation
public import HealthCalendar
import HealthEngine

/// One metric over any range: `/trends?metric=stepCount&from=2024-01-01&to=2024-12-31&by=week`.
public struct TrendsPage: Page, Hashable {
    /// The URL path of the page.
    public static let path = "/trends"
    /// The title of the page.
    public static let title = "Trends"

    /// When the numbers were read, and whether they are current.
    public var freshness: Freshness
    /// The time zone's identifier: "Europe/Berlin".
    public var timeZone: String
    /// The metric of the page.
    public var metric: Metric
    /// The metrics to choose from, sorted by name.
    public var metrics: [Metric]
    /// The requested range. The series' first and last bucket may extend beyond it.
    public var range: DateInterval
    /// The size of the buckets.
    public var step: CalendarStep
    /// The values of the metric.
    public var series: HealthSeries
    /// The typical range of the series' buckets, without the current one. Nil if fewer than
    /// seven of them have data.
    public var typicalRange: TypicalRange?
    /// The first line: the main result as an English sentence.
    public var sentence: String

    package init(
        freshness: Freshness, timeZone: String, metric: Metric, metrics: [Metric],
        range: DateInterval, step: CalendarStep, series: HealthSeries, typicalRange: TypicalRange?,
        sentence: String
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.metric = metric
        self.metrics = metrics
        self.range = range
        self.step = step
        self.series = series
        self.typicalRange = typicalRange
        self.sentence = sentence
    }

    private enum CodingKeys: String, CodingKey {
        case freshness, timeZone, metric, metrics, range, step, series
        case typicalRange = "usual"
        case sentence
    }
}

extension TrendsPage {
    /// Reads the page of a metric over a range.
    ///
    /// - Parameters:
    ///   - service: The service; it must use the context's calendar.
    ///   - metric: The metric.
    ///   - step: The size of the buckets.
    ///   - range: The range of dates.
    ///   - metrics: The metrics to choose from; see ``HealthService/metrics()``.
    ///   - context: The time and calendar.
    /// - Throws: ``Unavailability``. For a metric without requested authorization, the series has
    ///   no values, so that another one of `metrics` can be chosen. If `metrics` contains no other,
    ///   the error is ``Unavailability/notDetermined``.
    public init(
        of service: some HealthService, _ metric: Metric, by step: CalendarStep,
        over range: DateInterval, among metrics: [Metric], context: PageContext
    ) async throws(Unavailability) {
        let series: HealthSeries
        var isRequested = true
        do throws(Unavailability) {
            series = try await service.series(metric, by: step, over: range)
        } catch {
            guard error == .notDetermined, metrics.contains(where: { $0 != metric }) else {
                throw error
            }
            series = HealthSeries(metric: metric, step: step, over: range, in: context)
            isRequested = false
        }
        let complete = series.points.filter { !$0.isCurrent }.compactMap(\.value)
        self.init(
            freshness: context.freshness, timeZone: context.calendar.timeZone.identifier,
            metric: metric, metrics: metrics.sorted { $0.displayName < $1.displayName },
            range: range,
            step: step, series: series, typicalRange: TypicalRange(of: complete),
            sentence: isRequested
                ? Self.sentence(series, over: range, context)
                : "No \(metric.displayName): permission to read it has not been requested.")
    }

    private static func sentence(
        _ series: HealthSeries, over range: DateInterval, _ context: PageContext
    ) -> String {
        let metric = series.metric
        let calendar = context.calendar
        let days = calendar.days(of: range)
        let span =
            "from \(DateText.long(days.lowerBound.description)) "
            + "to \(DateText.long(days.upperBound.description))"
        let found = series.points.filter { $0.value != nil }
        guard let highest = found.max(by: { $0.value ?? 0 < $1.value ?? 0 }),
            let maximum = highest.value
        else {
            return
                "No \(metric.displayName) \(span). Either nothing was recorded, or reading is not "
                + "allowed; the system doesn't report which."
        }
        let complete = found.filter { !$0.isCurrent }
        let values = (complete.isEmpty ? found : complete).compactMap(\.value)
        let average = values.reduce(0, +) / Double(values.count)
        let day = DateText.long(calendar.civilDate(of: highest.start).description)
        let top = MetricText.number(maximum, of: metric)
        let step = series.step.rawValue
        let isShort = series.step == .day || series.step == .hour
        let when = isShort ? "on \(day)" : "in the \(step) from \(day)"
        let each =
            metric.kind == .reading
            ? "on average \(span), by \(step)"
            : "per \(step) on average \(span), without double counting"
        return "\(MetricText.text(average, of: metric)) \(each); highest \(top) \(when)."
            + (AppleTotalText.sentence(series).map { " " + $0 } ?? "")
    }
}

extension HealthSeries {
    /// Creates a series without values.
    fileprivate init(
        metric: Metric, step: CalendarStep, over range: DateInterval, in context: PageContext
    ) {
        let boundaries = context.calendar.boundaries(by: step, over: range)
        let points = zip(boundaries, boundaries.dropFirst()).map { start, end in
            Point(
                start: start, end: end, value: nil,
                isCurrent: start <= context.now && context.now < end)
        }
        self.init(metric: metric, step: step, points: points)
    }
}
