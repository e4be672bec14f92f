public import Foundation
package import HealthCalendar
public import HealthEngine

/// An overview of a day, week, month or year, for `/` and `openhealth summary`.
public struct SummaryPage: Page, Hashable {
    /// The URL path of the page.
    public static let path = "/"
    /// The title of the page.
    public static let title = "Summary"

    /// The length of the overview.
    public enum Period: String, Hashable, Sendable, Codable, CaseIterable {
        case day, week, month, year
    }

    /// The value of one metric, with values for comparison.
    public struct Tile: Hashable, Sendable, Codable {
        /// The metric, which determines the unit.
        public var metric: Metric
        /// The sum of amounts or the average of readings in the period; nil without data.
        public var value: Double?
        /// The value with its unit: "58 bpm"; "no data" without a value.
        public var text: String
        /// The value of the previous day, week, month or year; nil without data.
        public var before: Double?
        /// The typical range of the 28 days (12 weeks, 12 months, 10 years) before the period; nil if
        /// fewer than seven of them have data.
        public var typicalRange: TypicalRange?
        /// The last 30 days, 12 weeks, 12 months or 10 years, ending with the period.
        public var series: HealthSeries
        /// The latest value before the period; nil if the period has a value.
        public var latest: LatestValue?

        package init(
            metric: Metric, value: Double?, text: String, before: Double?,
            typicalRange: TypicalRange?, series: HealthSeries, latest: LatestValue? = nil
        ) {
            self.metric = metric
            self.value = value
            self.text = text
            self.before = before
            self.typicalRange = typicalRange
            self.series = series
            self.latest = latest
        }

        /// Apple's totals that are part of the value; nil if it comes from samples only.
        package var appleTotal: AppleTotal? { series.points.last?.appleTotal }

        private enum CodingKeys: String, CodingKey {
            case metric, value, text, before
            case typicalRange = "usual"
            case series, latest
        }
    }

    /// A value from before the period of a page.
    public struct LatestValue: Hashable, Sendable, Codable {
        /// The value, in the metric's unit.
        public var value: Double
        /// The value with its unit: "72.4 kg".
        public var text: String
        /// The day of the value, or the first day of the week, month or year.
        public var day: CivilDate

        package init(value: Double, text: String, day: CivilDate) {
            self.value = value
            self.text = text
            self.day = day
        }
    }

    /// When the numbers were read, and whether they are current.
    public var freshness: Freshness
    /// The length of the overview.
    public var period: Period
    /// The day, or the first day of the week, month or year.
    public var day: CivilDate
    /// The half-open interval of the period, from its first instant to that of the next one.
    public var interval: DateInterval
    /// The time zone's identifier: "Europe/Berlin".
    public var timeZone: String
    /// The first line: the main result, such as "8,774 steps, Wednesday 30 September".
    public var sentence: String
    /// The sources of the first line's steps and their duplicates, or which part Apple's totals are:
    /// "Watch 6,120 · iPhone 2,094 · 5,377 duplicates removed". Nil if it isn't known.
    public var provenance: String?
    /// The goal for steps per day; nil for none.
    public var stepGoal: Double?
    /// The steps with the contribution of each source. Nil for a longer period than a day, and
    /// without requested authorization for steps.
    public var steps: DayTotal?
    /// The metrics with data in the period or in the buckets read for comparison, in order of
    /// importance.
    public var tiles: [Tile]
    /// The activity rings of the day. Nil for a longer period, without rings, and without requested
    /// authorization for them.
    public var rings: ActivityRings?
    /// The activity rings of a week, month or year. Nil for a day, without rings, and without requested
    /// authorization for them.
    public var ringDays: RingDays?
    /// The night of the day, usually the one that ended on it. Nil for a longer period, without a
    /// night, and without requested authorization for sleep.
    public var night: SleepNight?
    /// The nights of a week, month or year. Nil for a day, without a night with known sleep, and
    /// without requested authorization for sleep.
    public var nights: NightAverage?
    /// What is new on the day and in the week before it, at most three; empty for a longer period.
    public var highlights: [Highlight]
    /// The workouts that started in the period, the newest first, at most 50.
    public var workouts: [WorkoutSummary]
    /// Sentences about data that is missing now, whatever the period, such as "No data from Anna's
    /// iPhone since 3 March 2026."; nil for none. The initializers don't set it.
    public var notices: [String]?

    package init(
        freshness: Freshness, period: Period, day: CivilDate, interval: DateInterval,
        timeZone: String, sentence: String, stepGoal: Double?, steps: DayTotal?, tiles: [Tile],
        rings: ActivityRings?, ringDays: RingDays? = nil, night: SleepNight?,
        nights: NightAverage? = nil, highlights: [Highlight] = [], workouts: [WorkoutSummary]
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
        self.ringDays = ringDays
        self.night = night
        self.nights = nights
        self.highlights = highlights
        self.workouts = workouts
    }
}

extension SummaryPage {
    /// The metrics that have a tile unless others are chosen, in order of importance.
    package static let metrics: [Metric] = [
        .steps, .activeEnergy, .distance, .exercise, .heartRate, .restingHeartRate,
        .heartRateVariability, .weight,
    ]

    /// All metrics that the page depends on, unless others are chosen: those of the tiles, sleep, workouts
    /// and activity rings.
    public static var watched: [Metric] { watched(metrics) }

    /// All metrics that a page with tiles of some metrics depends on, each once.
    package static func watched(_ metrics: [Metric]) -> [Metric] {
        let others = Highlight.metrics + [.workouts, .rings]
        return metrics + others.filter { !metrics.contains($0) }
    }
}

extension SummaryPage {
    /// Reads the page of a day, or of the week, month or year that contains it.
    ///
    /// Each value is compared with that of the previous period and with a typical range. The range
    /// is computed from the 28 days (12 weeks, 12 months, 10 years) before the period, without those
    /// that have no data. Types without requested authorization have no tile.
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
        try await self.init(
            of: service, period, on: day, tiles: Self.metrics, context: context)
    }

    /// Reads the page with tiles of chosen metrics. Those of sleep and other states are left out of a
    /// longer period than a day, because their sum would be read as an average.
    package init(
        of service: some HealthService, _ period: Period, on day: CivilDate,
        tiles metrics: [Metric],
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
        let days = calendar.days(of: interval)
        async let rings = Self.reading {
            () async throws(Unavailability) in try await service.rings(days)
        }
        async let nights = Self.reading {
            () async throws(Unavailability) in try await service.nights(days)
        }
        async let workouts = Self.reading {
            () async throws(Unavailability) in try await service.workouts(interval, limit: 50)
        }
        let summed = period == .day ? metrics : metrics.filter { $0.kind != .state }
        let tiles = try await Self.tiles(of: service, summed, period, range, calendar)
        let read = (
            steps: try await steps.get(), rings: try await rings.get(),
            nights: try await nights.get(), workouts: try await workouts.get()
        )
        if tiles == nil, read.steps == nil, read.rings == nil, read.nights == nil,
            read.workouts == nil
        {
            throw .notDetermined
        }
        let isDay = period == .day
        self.init(
            freshness: context.freshness, period: period, day: first, interval: interval,
            timeZone: calendar.timeZone.identifier, sentence: "", stepGoal: context.stepGoal,
            steps: read.steps, tiles: tiles ?? [], rings: isDay ? read.rings?.first : nil,
            ringDays: isDay ? nil : read.rings.flatMap { RingDays($0) },
            night: isDay ? read.nights?.last : nil,
            nights: isDay ? nil : read.nights.flatMap { NightAverage($0) },
            highlights: isDay
                ? try await Highlight.latest(of: service, on: first, context: context) : [],
            workouts: read.workouts ?? [])
        let sentence = SummarySentence(page: self, context: context)
        (self.sentence, provenance) = (sentence.text, sentence.provenance)
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

    /// Reads all series concurrently and returns the tiles with data, in the order of the metrics;
    /// nil if authorization was not requested for any of them.
    private static func tiles(
        of service: some HealthService, _ metrics: [Metric], _ period: Period,
        _ range: DateInterval, _ calendar: Calendar
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
            if let tile = try await Tile(series, period, of: service, calendar) {
                tiles.append(tile)
            }
        }
        return isRequested ? tiles : nil
    }
}

extension SummaryPage.Tile {
    /// Creates a tile for the last bucket of a series; nil if neither the series nor a reading before it
    /// has data.
    init?(
        _ series: HealthSeries, _ period: SummaryPage.Period, of service: some HealthService,
        _ calendar: Calendar
    ) async throws(Unavailability) {
        guard let last = series.points.last else { return nil }
        var shown = series
        shown.points = series.points.suffix(period.shown)
        let latest =
            last.value == nil
            ? try await SummaryPage.LatestValue(of: series, from: service, calendar) : nil
        guard last.value != nil || latest != nil else { return nil }
        let before = Self.whole(series, period)
        self.init(
            metric: series.metric, value: last.value,
            text: MetricText.text(last.value, of: series.metric), before: before.last?.value,
            typicalRange: TypicalRange(of: before.suffix(period.compared).compactMap(\.value)),
            series: shown, latest: latest)
    }
}

extension SummaryPage.Tile {
    /// Returns the points before the last one, without the first week, month or year of an amount, in which
    /// recording may have begun midway.
    private static func whole(
        _ series: HealthSeries, _ period: SummaryPage.Period
    ) -> [HealthSeries.Point] {
        var before = Array(series.points.dropLast())
        guard period != .day, series.metric.kind == .amount,
            let first = before.firstIndex(where: { $0.value != nil }), first > 0
        else { return before }
        before[first].value = nil
        return before
    }
}

extension SummaryPage.LatestValue {
    /// Creates the latest value of a series, or else the latest reading before it; nil without either.
    init?(
        of series: HealthSeries, from service: some HealthService, _ calendar: Calendar
    ) async throws(Unavailability) {
        var found = series.points.last { $0.value != nil }.flatMap { point in
            point.value.map { (value: $0, time: point.start) }
        }
        if found == nil, series.metric.kind == .reading, let start = series.points.first?.start {
            let before = DateInterval(start: .distantPast, end: max(.distantPast, start))
            found = try await service.readings(series.metric, before, limit: 1).last
                .map { ($0.value, $0.date) }
        }
        guard let found else { return nil }
        self.init(
            value: found.value, text: MetricText.text(found.value, of: series.metric),
            day: calendar.civilDate(of: found.time))
    }
}

extension SummaryPage.Period {
    /// The size of the buckets.
    package var step: CalendarStep {
        switch self {
        case .day: .day
        case .week: .week
        case .month: .month
        case .year: .year
        }
    }

    /// The number of buckets in a tile. The last one is the day, week, month or year that the page
    /// shows.
    var shown: Int {
        switch self {
        case .day: 30
        case .week, .month: 12
        case .year: 10
        }
    }

    /// The maximum number of previous buckets for the typical range.
    package var compared: Int {
        switch self {
        case .day: 28
        case .week, .month: 12
        case .year: 10
        }
    }

    /// Returns the start of a series that contains all buckets to show or to compare with, and one more,
    /// without which the first could be of a period in which recording began.
    func start(before start: Date, _ calendar: Calendar) -> Date {
        calendar.start(of: step, max(shown - 1, compared) + 1, before: start)
    }
}
