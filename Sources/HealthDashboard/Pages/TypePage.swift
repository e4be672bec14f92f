public import Foundation
public import HealthCalendar
public import HealthEngine

/// One metric over a day, week, month or year, or any range: `/type/stepCount?period=month&day=2024-03-10`.
public struct TypePage: Page, Hashable {
    /// The URL path of the page.
    public static let path = "/type"
    /// The title of the page.
    public static let title = "Type"

    /// When the numbers were read, and whether they are current.
    public var freshness: Freshness
    /// The time zone's identifier: "Europe/Berlin".
    public var timeZone: String
    /// The metric of the page.
    public var metric: Metric
    /// The metrics with data, sorted by name.
    public var metrics: [Metric]
    /// The length of the page; nil for a range of another length.
    public var period: SummaryPage.Period?
    /// The requested range. The series' first and last bucket may extend beyond it.
    public var range: DateInterval
    /// The size of the buckets.
    public var step: CalendarStep
    /// The values of the metric.
    public var series: HealthSeries
    /// The total or average of the whole period, and those before it; nil for a range of another length.
    public var whole: SummaryPage.Tile?
    /// The typical range of the series' buckets, without the current one. Nil if fewer than
    /// seven of them have data. For a week or month it is that of the 28 days before, and for a day
    /// or a year it is nil.
    public var typicalRange: TypicalRange?
    /// The days of a year and their values; nil for other periods.
    public var days: HealthSeries?
    /// The first line: the main result as an English sentence.
    public var sentence: String

    package init(
        freshness: Freshness, timeZone: String, metric: Metric, metrics: [Metric],
        period: SummaryPage.Period? = nil, range: DateInterval, step: CalendarStep,
        series: HealthSeries, whole: SummaryPage.Tile? = nil, typicalRange: TypicalRange?,
        days: HealthSeries? = nil, sentence: String
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.metric = metric
        self.metrics = metrics
        self.period = period
        self.range = range
        self.step = step
        self.series = series
        self.whole = whole
        self.typicalRange = typicalRange
        self.days = days
        self.sentence = sentence
    }

    private enum CodingKeys: String, CodingKey {
        case freshness, timeZone, metric, metrics, period, range, step, series, whole
        case typicalRange = "usual"
        case days, sentence
    }
}

extension TypePage {
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

    /// Reads the page of a metric over the day, week, month or year that contains a day: a day by hour, a
    /// year by month, and the others by day.
    ///
    /// - Parameters:
    ///   - service: The service; it must use the context's calendar.
    ///   - metric: The metric.
    ///   - period: The length of the page.
    ///   - day: A day in the period.
    ///   - metrics: The metrics with data; see ``HealthService/metrics()``.
    ///   - context: The time and calendar.
    /// - Throws: ``Unavailability``, also for a day that does not exist in the time zone.
    public init(
        of service: some HealthService, _ metric: Metric, _ period: SummaryPage.Period,
        on day: CivilDate, among metrics: [Metric], context: PageContext
    ) async throws(Unavailability) {
        let calendar = context.calendar
        guard let start = calendar.interval(of: day)?.start else {
            throw .failed("The day \(day) doesn't exist in \(calendar.timeZone.identifier).")
        }
        let range = calendar.interval(of: period.step, containing: start)
        try await self.init(
            of: service, metric, by: period.bucketStep, over: range, among: metrics,
            context: context)
        self.period = period
        let before = DateInterval(
            start: period.start(before: range.start, calendar), end: range.end)
        let wholes = try await service.series(metric, by: period.step, over: before)
        whole = try await SummaryPage.Tile(wholes, period, of: service, calendar)
        // A day's hours and a year's months would be compared with themselves.
        typicalRange = nil
        if period == .year { days = try await service.series(metric, by: .day, over: range) }
        if period == .week || period == .month {
            let first = calendar.start(of: .day, RangeDeparture.comparedDays, before: range.start)
            let earlier = DateInterval(start: first, end: max(first, range.start))
            let values = try await service.series(metric, by: .day, over: earlier)
            typicalRange = TypicalRange(
                of: values.points.filter { $0.end <= range.start }.compactMap(\.value))
        }
        sentence = headline(context)
    }
}

extension TypePage {
    /// "8,774 steps, Wednesday 30 September"; "8,123 steps a day on average, September 2026".
    private func headline(_ context: PageContext) -> String {
        guard let period else { return sentence }
        let first = context.calendar.civilDate(of: range.start)
        let when = period.label(from: first, today: context.today)
        let known = series.points.compactMap(\.value)
        guard let value = whole?.value, !known.isEmpty else {
            let latest = whole?.latest.map {
                " The latest is \($0.text), \(DateText.full($0.day, besides: context.today))."
            }
            return "No \(metric.displayName)\(when).\(latest ?? "")"
        }
        let name = metric.unit == "count" && metric.kind == .amount ? "" : "\(metric.title) "
        if period == .day || metric.kind == .reading {
            let average = metric.kind == .reading ? " on average" : ""
            return "\(name)\(MetricText.text(value, of: metric))\(average)\(when)"
        }
        // The days with data, because a day without any isn't a day of zero.
        let days = (days ?? series).points.filter { !$0.isCurrent }.compactMap(\.value)
        guard !days.isEmpty else { return "\(name)\(MetricText.text(value, of: metric))\(when)" }
        let average = days.reduce(0, +) / Double(days.count)
        let each = metric == .sleep ? "a night" : "a day"
        return "\(name)\(MetricText.text(average, of: metric)) \(each) on average\(when)"
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

extension SummaryPage.Period {
    /// The size of the buckets of a type's page.
    package var bucketStep: CalendarStep {
        switch self {
        case .day: .hour
        case .week, .month: .day
        case .year: .month
        }
    }

    /// Returns the period for the end of a headline: " today so far", ", Wednesday 30 September",
    /// ", September 2026".
    ///
    /// - Parameter first: The first day of the period.
    package func label(from first: CivilDate, today: CivilDate) -> String {
        switch self {
        case .day where first == today: " today so far"
        case .day: ", \(DateText.full(first, besides: today))"
        case .week: ", \(DateText.span(first, first.advanced(by: 6)))"
        case .month: ", \(DateText.month(first.description))"
        case .year: ", \(first.year)"
        }
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
