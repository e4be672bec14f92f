public import Foundation

/// One metric over any range: `/trends?metric=stepCount&from=2024-01-01&to=2024-12-31&by=week`.
public struct TrendsPage: Page, Hashable {
    public static let path = "/trends"
    public static let title = "Trends"

    public var freshness: Freshness
    /// "Europe/Berlin".
    public var timeZone: String
    public var metric: Metric
    /// Every metric that has data, by its words.
    public var metrics: [Metric]
    /// What was asked for; the series may begin before and end after it, at the borders of its
    /// steps.
    public var range: DateInterval
    public var step: SeriesStep
    public var series: HealthSeries
    /// Of the series' complete steps.
    public var usual: UsualRange?
    public var sentence: String

    public init(
        freshness: Freshness, timeZone: String, metric: Metric, metrics: [Metric],
        range: DateInterval, step: SeriesStep, series: HealthSeries, usual: UsualRange?,
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
