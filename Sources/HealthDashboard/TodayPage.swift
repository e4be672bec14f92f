public import Foundation
public import HealthEngine

/// A day, a week or a month at a glance: what `/` shows and `openhealth summary` prints.
public struct TodayPage: Page, Hashable {
    public static let path = "/"
    public static let title = "Today"

    /// What is looked at.
    public enum Period: String, Hashable, Sendable, Codable, CaseIterable {
        case day, week, month
    }

    /// One number with what it is compared to.
    public struct Tile: Hashable, Sendable, Codable {
        public var metric: Metric
        /// The period's sum of amounts, or average of readings; nil where nothing was recorded.
        public var value: Double?
        /// The value with its unit: "58 bpm"; "no data" where there is none.
        public var text: String
        /// The value of the day, week or month before.
        public var before: Double?
        /// Of the 28 days (12 weeks, 12 months) before.
        public var usual: UsualRange?
        /// The last 30 days, 12 weeks or 12 months, the period looked at last.
        public var series: HealthSeries

        public init(
            metric: Metric, value: Double?, text: String, before: Double?, usual: UsualRange?,
            series: HealthSeries
        ) {
            self.metric = metric
            self.value = value
            self.text = text
            self.before = before
            self.usual = usual
            self.series = series
        }
    }

    public var freshness: Freshness
    public var period: Period
    /// The day looked at, or the first day of the week or month.
    public var day: CivilDate
    /// From local midnight to local midnight.
    public var interval: DateInterval
    /// "Europe/Berlin".
    public var timeZone: String
    public var sentence: String
    /// Steps a day that a person wants to walk; nil where none was set.
    public var stepGoal: Double?
    /// Steps and where they came from; of a day only.
    public var steps: DayTotal?
    /// Those that have data, the most looked-at first.
    public var tiles: [Tile]
    public var rings: ActivityRings?
    /// The night that ended on the day.
    public var night: SleepNight?
    /// Of the period, the newest first.
    public var workouts: [WorkoutSummary]

    public init(
        freshness: Freshness, period: Period, day: CivilDate, interval: DateInterval,
        timeZone: String, sentence: String, stepGoal: Double?, steps: DayTotal?, tiles: [Tile],
        rings: ActivityRings?, night: SleepNight?, workouts: [WorkoutSummary]
    ) {
        self.freshness = freshness
        self.period = period
        self.day = day
        self.interval = interval
        self.timeZone = timeZone
        self.sentence = sentence
        self.stepGoal = stepGoal
        self.steps = steps
        self.tiles = tiles
        self.rings = rings
        self.night = night
        self.workouts = workouts
    }
}

extension TodayPage {
    /// What has a tile, the most looked-at first.
    public static let metrics: [Metric] = [
        .steps, .activeEnergy, .distance, .exercise, .heartRate, .restingHeartRate,
        .heartRateVariability, .weight,
    ]

    /// All that it shows.
    public static var watched: [Metric] { metrics + [.sleep, .workouts, .rings] }
}
