import Foundation
public import HealthEngine

extension TodayPage {
    /// A day, or the week or month that holds it, read from a service.
    ///
    /// The value before is that of the step before; what is usual comes from the 28 days (12 weeks,
    /// 12 months) before, those without data left out. Types that were never asked for have no
    /// tile.
    ///
    /// - Throws: ``Unavailability`` where something that was asked for can't be read;
    ///   ``Unavailability/notAsked`` only where nothing that the page shows was ever asked for.
    public init(
        of service: some HealthService, _ period: Period = .day, on day: CivilDate,
        setting: PageSetting
    ) async throws(Unavailability) {
        let calendar = setting.calendar
        guard let start = calendar.interval(of: day)?.start else {
            throw .failed("\(day) is no day in \(calendar.timeZone.identifier).")
        }
        let interval = calendar.interval(of: period.step, holding: start)
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
            throw .notAsked
        }
        self.init(
            freshness: setting.freshness, period: period, day: first, interval: interval,
            timeZone: calendar.timeZone.identifier, sentence: "", stepGoal: setting.stepGoal,
            steps: read.steps, tiles: tiles ?? [], rings: read.rings?.first,
            night: read.night?.last, workouts: read.workouts ?? [])
        sentence = TodaySentence(page: self, setting: setting).text
    }

    /// What was read of a day; nil of a longer period, which doesn't show it, and where nobody was
    /// asked for permission.
    private static func reading<Value: Sendable>(
        _ period: Period, _ body: @Sendable () async throws(Unavailability) -> Value
    ) async -> Result<Value?, Unavailability> {
        period == .day ? await reading(body) : .success(nil)
    }

    /// What was read; nil where nobody was asked for permission.
    private static func reading<Value: Sendable>(
        _ body: @Sendable () async throws(Unavailability) -> Value
    ) async -> Result<Value?, Unavailability> {
        do {
            return .success(try await body())
        } catch {
            return error == .notAsked ? .success(nil) : .failure(error)
        }
    }

    /// Tiles of what has data, in the order of ``metrics``, all read at once; nil if none of them was
    /// ever asked for.
    private static func tiles(
        of service: some HealthService, _ period: Period, _ range: DateInterval
    ) async throws(Unavailability) -> [Tile]? {
        let answers = await withTaskGroup(
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
        var isAsked = false
        for index in metrics.indices {
            guard let series = try answers[index]?.get() ?? nil else { continue }
            isAsked = true
            if let tile = Tile(series, period) { tiles.append(tile) }
        }
        return isAsked ? tiles : nil
    }
}

extension TodayPage.Tile {
    /// The last point of a series among the others; nil if no point has data.
    init?(_ series: HealthSeries, _ period: TodayPage.Period) {
        guard let last = series.points.last, series.points.contains(where: { $0.value != nil })
        else { return nil }
        let before = series.points.dropLast()
        var shown = series
        shown.points = series.points.suffix(period.shown)
        self.init(
            metric: series.metric, value: last.value,
            text: MetricText.text(last.value, of: series.metric), before: before.last?.value,
            usual: UsualRange(of: before.suffix(period.compared).compactMap(\.value)),
            series: shown)
    }
}

extension TodayPage.Period {
    /// What a series is cut in.
    package var step: SeriesStep {
        switch self {
        case .day: .day
        case .week: .week
        case .month: .month
        }
    }

    /// How many steps a tile shows.
    var shown: Int { self == .day ? 30 : 12 }
    /// How many steps before say what is usual.
    var compared: Int { self == .day ? 28 : 12 }

    /// Where a series begins that has all of them.
    func start(before start: Date, _ calendar: Calendar) -> Date {
        let noon = start + 12 * 3600
        switch self {
        case .day: return calendar.start(of: .day, holding: noon - 29 * 86_400)
        case .week: return calendar.start(of: .week, holding: noon - 12 * 7 * 86_400)
        case .month:
            let first = calendar.date(byAdding: .month, value: -12, to: noon) ?? noon
            return calendar.start(of: .month, holding: first)
        }
    }
}
