public import Foundation
package import HealthCalendar
public import HealthEngine

/// An overview of a day, week or month, for `/` and `openhealth summary`.
public struct TodayPage: Page, Hashable {
    /// The URL path of the page.
    public static let path = "/"
    /// The title of the page.
    public static let title = "Today"

    /// The length of the overview.
    public enum Period: String, Hashable, Sendable, Codable, CaseIterable {
        case day, week, month
    }

    /// The value of one metric, with values for comparison.
    public struct Tile: Hashable, Sendable, Codable {
        /// The metric, which determines the unit.
        public var metric: Metric
        /// The sum of amounts or the average of readings in the period; nil without data.
        public var value: Double?
        /// The value with its unit: "58 bpm"; "no data" without a value.
        public var text: String
        /// The value of the previous day, week or month; nil without data.
        public var before: Double?
        /// The typical range of the 28 days (12 weeks, 12 months) before the period; nil if fewer
        /// than seven of them have data.
        public var typicalRange: TypicalRange?
        /// The last 30 days, 12 weeks or 12 months, ending with the period.
        public var series: HealthSeries

        package init(
            metric: Metric, value: Double?, text: String, before: Double?,
            typicalRange: TypicalRange?,
            series: HealthSeries
        ) {
            self.metric = metric
            self.value = value
            self.text = text
            self.before = before
            self.typicalRange = typicalRange
            self.series = series
        }

        /// Apple's totals that are part of the value; nil if it comes from samples only.
        package var appleTotal: AppleTotal? { series.points.last?.appleTotal }

        private enum CodingKeys: String, CodingKey {
            case metric, value, text, before
            case typicalRange = "usual"
            case series
        }
    }

    /// When the numbers were read, and whether they are current.
    public var freshness: Freshness
    /// The length of the overview.
    public var period: Period
    /// The day, or the first day of the week or month.
    public var day: CivilDate
    /// The half-open interval of the period, from its first instant to that of the next one.
    public var interval: DateInterval
    /// The time zone's identifier: "Europe/Berlin".
    public var timeZone: String
    /// The first line: the main result as an English sentence.
    public var sentence: String
    /// The goal for steps per day; nil for none.
    public var stepGoal: Double?
    /// The steps with the contribution of each source. Nil for a week or month, and without
    /// requested authorization for steps.
    public var steps: DayTotal?
    /// The metrics with data in the period or in the buckets read for comparison, in order of
    /// importance.
    public var tiles: [Tile]
    /// The activity rings of the day. Nil for a week or month, without rings, and without requested
    /// authorization for them.
    public var rings: ActivityRings?
    /// The night of the day, usually the one that ended on it. Nil for a week or month, without a
    /// night, and without requested authorization for sleep.
    public var night: SleepNight?
    /// The workouts that started in the period, the newest first, at most 50.
    public var workouts: [WorkoutSummary]
    /// Sentences about data that is missing now, whatever the period, such as "No data from Anna's
    /// iPhone since 3 March 2026."; nil for none. The initializers don't set it.
    public var notices: [String]?

    package init(
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
    /// The metrics that can have a tile, in order of importance.
    package static let metrics: [Metric] = [
        .steps, .activeEnergy, .distance, .exercise, .heartRate, .restingHeartRate,
        .heartRateVariability, .weight,
    ]

    /// All metrics that the page depends on: those of the tiles, sleep, workouts and activity rings.
    public static var watched: [Metric] { metrics + [.sleep, .workouts, .rings] }
}

extension TodayPage {
    /// Reads the page of a day, or of the week or month that contains it.
    ///
    /// Each value is compared with that of the previous period and with a typical range. The range
    /// is computed from the 28 days (12 weeks, 12 months) before the period, without those that
    /// have no data. Types without requested authorization have no tile.
    ///
    /// - Parameters:
    ///   - service: The service; it must use the context's calendar.
    ///   - period: The length of the overview.
    ///   - day: A day in the period.
    ///   - context: The time, calendar and goal.
    /// - Throws: ``Unavailability`` if a read fails, or for a day that does not exist in the time
    ///   zone. ``Unavailability/notDetermined`` only if authorization was not requested for
    ///   anything on the page.
    public init(
        of service: some HealthService, _ period: Period = .day, on day: CivilDate,
        context: PageContext
    ) async throws(Unavailability) {
        let calendar = context.calendar
        guard let start = calendar.interval(of: day)?.start else {
            throw .failed("The day \(day) doesn't exist in \(calendar.timeZone.identifier).")
        }
        let interval = calendar.interval(of: period.step, containing: start)
        let first = calendar.civilDate(of: interval.start)
        let range = DateInterval(
            start: period.start(before: interval.start, calendar), end: interval.end)
        async let steps = Self.reading(period) {
            () async throws(Unavailability) in try await service.total(.steps, on: first)
        }
        async let rings = Self.reading(period) {
            () async throws(Unavailability) in try await service.rings(first...first)
        }
        async let night = Self.reading(period) {
            () async throws(Unavailability) in try await service.nights(first...first)
        }
        async let workouts = Self.reading {
            () async throws(Unavailability) in try await service.workouts(interval, limit: 50)
        }
        let tiles = try await Self.tiles(of: service, period, range)
        let read = (
            steps: try await steps.get(), rings: try await rings.get(),
            night: try await night.get(), workouts: try await workouts.get()
        )
        if tiles == nil, read.steps == nil, read.rings == nil, read.night == nil,
            read.workouts == nil
        {
            throw .notDetermined
        }
        self.init(
            freshness: context.freshness, period: period, day: first, interval: interval,
            timeZone: calendar.timeZone.identifier, sentence: "", stepGoal: context.stepGoal,
            steps: read.steps, tiles: tiles ?? [], rings: read.rings?.first,
            night: read.night?.last, workouts: read.workouts ?? [])
        sentence = TodaySentence(page: self, context: context).text
    }

    /// Reads a value for a day; nil for a longer period, and without requested authorization.
    private static func reading<Value: Sendable>(
        _ period: Period, _ body: @Sendable () async throws(Unavailability) -> Value
    ) async -> Result<Value?, Unavailability> {
        period == .day ? await reading(body) : .success(nil)
    }

    /// Reads a value; nil without requested authorization.
    private static func reading<Value: Sendable>(
        _ body: @Sendable () async throws(Unavailability) -> Value
    ) async -> Result<Value?, Unavailability> {
        do {
            return .success(try await body())
        } catch {
            return error == .notDetermined ? .success(nil) : .failure(error)
        }
    }

    /// Reads all series concurrently and returns the tiles with data, in the order of ``metrics``;
    /// nil if authorization was not requested for any of them.
    private static func tiles(
        of service: some HealthService, _ period: Period, _ range: DateInterval
    ) async throws(Unavailability) -> [Tile]? {
        let results = await withTaskGroup(
            of: (Int, Result<HealthSeries?, Unavailability>).self
        ) { group in
            for (index, metric) in metrics.enumerated() {
                group.addTask {
                    (
                        index,
                        await reading {
                            () async throws(Unavailability) in
                            try await service.series(metric, by: period.step, over: range)
                        }
                    )
                }
            }
            return await group.reduce(into: [Int: Result<HealthSeries?, Unavailability>]()) {
                $0[$1.0] = $1.1
            }
        }
        var tiles: [Tile] = []
        var isRequested = false
        for index in metrics.indices {
            guard let series = try results[index]?.get() ?? nil else { continue }
            isRequested = true
            if let tile = Tile(series, period) { tiles.append(tile) }
        }
        return isRequested ? tiles : nil
    }
}

extension TodayPage.Tile {
    /// Creates a tile for the last bucket of a series; nil if no bucket has data.
    init?(_ series: HealthSeries, _ period: TodayPage.Period) {
        guard let last = series.points.last, series.points.contains(where: { $0.value != nil })
        else { return nil }
        let before = series.points.dropLast()
        var shown = series
        shown.points = series.points.suffix(period.shown)
        self.init(
            metric: series.metric, value: last.value,
            text: MetricText.text(last.value, of: series.metric), before: before.last?.value,
            typicalRange: TypicalRange(of: before.suffix(period.compared).compactMap(\.value)),
            series: shown)
    }
}

extension TodayPage.Period {
    /// The size of the buckets.
    package var step: CalendarStep {
        switch self {
        case .day: .day
        case .week: .week
        case .month: .month
        }
    }

    /// The number of buckets in a tile. The last one is the day, week or month that the page shows.
    var shown: Int { self == .day ? 30 : 12 }
    /// The maximum number of previous buckets for the typical range.
    package var compared: Int { self == .day ? 28 : 12 }

    /// Returns the start of a series that contains all buckets to show or to compare with.
    func start(before start: Date, _ calendar: Calendar) -> Date {
        calendar.start(of: step, max(shown - 1, compared), before: start)
    }
}
