public import Foundation

/// How long a step of a series is.
public enum SeriesStep: String, Hashable, Sendable, Codable, CaseIterable {
    case hour, day, week, month, year
}

/// A metric over time, cut at the borders of a calendar, every moment counted once.
public struct HealthSeries: Hashable, Sendable, Codable {
    /// One step.
    public struct Point: Hashable, Sendable, Codable {
        /// `[start, end)`: local midnights, beginnings of weeks, months or years.
        public var start: Date
        public var end: Date
        /// The sum of amounts, the average of readings, the seconds of states; nil where nothing was
        /// recorded, which is not zero.
        public var value: Double?
        /// Of readings.
        public var minimum: Double?
        public var maximum: Double?
        /// Whether time goes on in it: the present hour, day, week.
        public var isCurrent: Bool

        public init(
            start: Date, end: Date, value: Double?, minimum: Double? = nil, maximum: Double? = nil,
            isCurrent: Bool = false
        ) {
            self.start = start
            self.end = end
            self.value = value
            self.minimum = minimum
            self.maximum = maximum
            self.isCurrent = isCurrent
        }
    }

    public var metric: Metric
    public var step: SeriesStep
    /// Every step of the range in order, those without data too.
    public var points: [Point]

    public init(metric: Metric, step: SeriesStep, points: [Point]) {
        self.metric = metric
        self.step = step
        self.points = points
    }
}
