public import Foundation
public import HealthCalendar

/// A metric over time in calendar buckets, without double counting.
public struct HealthSeries: Hashable, Sendable, Codable {
    /// One bucket.
    public struct Point: Hashable, Sendable, Codable {
        /// The start of the bucket `[start, end)`. Days, weeks, months and years start at the first
        /// instant of a day, usually midnight. Hours are counted from the start of the day.
        public var start: Date
        /// The end of the bucket, exclusive.
        public var end: Date
        /// The sum of amounts, the average of readings, or the seconds of states; nil without data,
        /// which is not zero.
        public var value: Double?
        /// The lowest reading; nil for amounts and states, and if it is not known.
        public var minimum: Double?
        /// The highest reading; nil for amounts and states, and if it is not known.
        public var maximum: Double?
        /// Whether the bucket contains the present.
        public var isCurrent: Bool
        /// Apple's totals that are part of the ``value``; nil if it comes from samples only.
        public var appleTotal: AppleTotal?

        public init(
            start: Date, end: Date, value: Double?, minimum: Double? = nil, maximum: Double? = nil,
            isCurrent: Bool = false, appleTotal: AppleTotal? = nil
        ) {
            self.start = start
            self.end = end
            self.value = value
            self.minimum = minimum
            self.maximum = maximum
            self.isCurrent = isCurrent
            self.appleTotal = appleTotal
        }

        private enum CodingKeys: String, CodingKey {
            case start, end, value, minimum, maximum, isCurrent
            case appleTotal = "fromTotals"
        }
    }

    /// The metric, which determines the unit.
    public var metric: Metric
    /// The size of the buckets.
    public var step: CalendarStep
    /// All buckets of the range in order, including those without data; at most 100,000.
    public var points: [Point]

    public init(metric: Metric, step: CalendarStep, points: [Point]) {
        self.metric = metric
        self.step = step
        self.points = points
    }
}
