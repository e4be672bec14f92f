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
    /// The typical range of the series' buckets, without the current one; nil with too little data.
    public var usual: TypicalRange?
    /// The first line: the main result as an English sentence.
    public var sentence: String

    public init(
        freshness: Freshness, timeZone: String, metric: Metric, metrics: [Metric],
        range: DateInterval, step: CalendarStep, series: HealthSeries, usual: TypicalRange?,
        sentence: String
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.metric = metric
        self.metrics = metrics
        self.range = range
        self.step = step
        self.series = series
        self.usual = usual
        self.sentence = sentence
    }
}

extension TrendsPage {
    /// Reads the page of a metric over a range.
    ///
    /// - Parameters:
    ///   - service: The service; it must use the setting's calendar.
    ///   - metric: The metric.
    ///   - step: The size of the buckets.
    ///   - range: The range of dates.
    ///   - metrics: The metrics to choose from; see ``HealthService/metrics()``.
    ///   - setting: The time and calendar.
    /// - Throws: ``Unavailability``. A metric without requested authorization has an empty series,
    ///   so that another one can be chosen; without another one, the error is
    ///   ``Unavailability/notAsked``.
    public init(
        of service: some HealthService, _ metric: Metric, by step: CalendarStep,
        over range: DateInterval, among metrics: [Metric], setting: PageContext
    ) async throws(Unavailability) {
        let series: HealthSeries
        var isAsked = true
        do throws(Unavailability) {
            series = try await service.series(metric, by: step, over: range)
        } catch {
            guard error == .notAsked, metrics.contains(where: { $0 != metric }) else {
                throw error
            }
            series = HealthSeries(metric: metric, step: step, over: range, in: setting)
            isAsked = false
        }
        let complete = series.points.filter { !$0.isCurrent }.compactMap(\.value)
        self.init(
            freshness: setting.freshness, timeZone: setting.calendar.timeZone.identifier,
            metric: metric, metrics: metrics.sorted { $0.words < $1.words }, range: range,
            step: step, series: series, usual: TypicalRange(of: complete),
            sentence: isAsked
                ? Self.sentence(series, over: range, setting)
                : "No \(metric.words): permission to read it has not been requested.")
    }

    private static func sentence(
        _ series: HealthSeries, over range: DateInterval, _ setting: PageContext
    ) -> String {
        let metric = series.metric
        let calendar = setting.calendar
        let days = calendar.days(of: range)
        let span =
            "from \(DateText.long(days.lowerBound.description)) "
            + "to \(DateText.long(days.upperBound.description))"
        let found = series.points.filter { $0.value != nil }
        guard let highest = found.max(by: { $0.value ?? 0 < $1.value ?? 0 }),
            let most = highest.value
        else {
            return "No \(metric.words) \(span). Either nothing was recorded, or reading is not "
                + "allowed; the system doesn't report which."
        }
        let complete = found.filter { !$0.isCurrent }
        let values = (complete.isEmpty ? found : complete).compactMap(\.value)
        let average = values.reduce(0, +) / Double(values.count)
        let day = DateText.long(calendar.civilDate(of: highest.start).description)
        let top = MetricText.number(most, of: metric)
        let step = series.step.rawValue
        let isShort = series.step == .day || series.step == .hour
        let when = isShort ? "on \(day)" : "in the \(step) from \(day)"
        let each =
            metric.kind == .reading
            ? "on average \(span), by \(step)"
            : "per \(step) on average \(span), without double counting"
        return "\(MetricText.text(average, of: metric)) \(each); highest \(top) \(when)."
    }
}

extension HealthSeries {
    /// Creates a series without values.
    fileprivate init(
        metric: Metric, step: CalendarStep, over range: DateInterval, in setting: PageContext
    ) {
        let borders = setting.calendar.borders(by: step, over: range)
        let points = zip(borders, borders.dropFirst()).map { start, end in
            Point(
                start: start, end: end, value: nil,
                isCurrent: start <= setting.now && setting.now < end)
        }
        self.init(metric: metric, step: step, points: points)
    }
}
