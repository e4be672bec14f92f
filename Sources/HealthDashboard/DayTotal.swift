public import Foundation
public import HealthEngine

/// An amount of one day, counted once, and where it came from.
public struct DayTotal: Hashable, Sendable, Codable {
    /// A source's part.
    public struct Share: Hashable, Sendable, Codable {
        /// The source's name as people know it.
        public var source: String
        /// Its place among all sources of the day, the winner 1; what gives it its colour.
        public var rank: Int
        /// What of its samples entered the sum.
        public var counted: Double
        /// What sources above it had counted already.
        public var setAside: Double

        public init(source: String, rank: Int, counted: Double, setAside: Double) {
            self.source = source
            self.rank = rank
            self.counted = counted
            self.setAside = setAside
        }
    }

    public var metric: Metric
    public var day: CivilDate
    public var interval: DateInterval
    /// Every moment counted once; nil where nothing was recorded.
    public var value: Double?
    /// In order of rank; sums add up to ``value``.
    public var shares: [Share]

    /// What was recorded once more: the sum of what was set aside.
    public var recordedTwice: Double { shares.reduce(0) { $0 + $1.setAside } }

    public init(
        metric: Metric, day: CivilDate, interval: DateInterval, value: Double?, shares: [Share]
    ) {
        self.metric = metric
        self.day = day
        self.interval = interval
        self.value = value
        self.shares = shares
    }
}
