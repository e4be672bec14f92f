public import Foundation
public import HealthEngine

/// A health service of values handed in, for previews and tests: slow, locked or empty at will.
///
/// ```swift
/// var values = FakeHealthService.Values()
/// values.totals[.steps] = [CivilDate(2024, 3, 10): 8214]
/// let service = FakeHealthService(values, delay: .milliseconds(500))
/// ```
public actor FakeHealthService: HealthService {
    /// What the service answers.
    public struct Values: Sendable {
        /// Amounts, average readings or seconds of days; longer steps add up amounts and average
        /// readings, an hour has none.
        public var totals: [Metric: [CivilDate: Double]] = [:]
        /// Where the amounts of days came from.
        public var shares: [Metric: [CivilDate: [DayTotal.Share]]] = [:]
        public var nights: [SleepNight] = []
        public var rings: [ActivityRings] = []
        public var workouts: [WorkoutDetail] = []

        public init() {}
    }

    public nonisolated let calendar: Calendar
    private var values: Values
    private let delay: Duration
    private var failure: Unavailability?
    private var generation = 0
    private var listeners: [UUID: AsyncStream<Void>.Continuation] = [:]
    /// How often values were asked for; revisions don't count.
    public private(set) var questions = 0

    /// - Parameter delay: How long every answer takes.
    public init(
        _ values: Values = Values(), calendar: Calendar = .current, delay: Duration = .zero,
        failure: Unavailability? = nil
    ) {
        self.values = values
        self.calendar = .gregorian(in: calendar.timeZone, firstWeekday: calendar.firstWeekday)
        self.delay = delay
        self.failure = failure
    }

    /// Answers other values from now on, and says so to who follows ``changes``.
    public func replace(_ values: Values) {
        self.values = values
        generation += 1
        for listener in listeners.values { listener.yield() }
    }

    /// Fails from now on; nil answers again. Says so to who follows ``changes``.
    public func fail(_ failure: Unavailability?) {
        self.failure = failure
        for listener in listeners.values { listener.yield() }
    }

    /// See ``HealthService/changes``.
    public nonisolated var changes: AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = UUID()
            Task { await listen(id, continuation) }
            continuation.onTermination = { _ in Task { await self.leave(id) } }
        }
    }

    private func listen(_ id: UUID, _ continuation: AsyncStream<Void>.Continuation) {
        listeners[id] = continuation
    }

    private func leave(_ id: UUID) { listeners[id] = nil }

    private func answer() async throws(Unavailability) {
        if delay > .zero { try? await Task.sleep(for: delay) }
        if let failure { throw failure }
    }

    /// See ``HealthService/metrics()``.
    public func metrics() async throws(Unavailability) -> [Metric] {
        questions += 1
        try await answer()
        return values.totals.filter { !$0.value.isEmpty }.map(\.key)
    }

    /// See ``HealthService/revisions(of:)``.
    public func revisions(
        of metrics: [Metric]
    ) async throws(Unavailability) -> [Metric: Revision] {
        try await answer()
        let revision = Revision(String(generation))
        return Dictionary(metrics.map { ($0, revision) }, uniquingKeysWith: { first, _ in first })
    }

    /// See ``HealthService/series(_:by:over:)``.
    public func series(
        _ metric: Metric, by step: SeriesStep, over range: DateInterval
    ) async throws(Unavailability) -> HealthSeries {
        questions += 1
        try await answer()
        let borders = calendar.borders(by: step, over: range)
        var points = zip(borders, borders.dropFirst()).map {
            HealthSeries.Point(start: $0, end: $1, value: nil)
        }
        var counts = points.map { _ in 0.0 }
        for (day, value) in values.totals[metric] ?? [:] where step != .hour {
            guard let start = calendar.interval(of: day)?.start,
                let index = points.index(holding: start)
            else { continue }
            points[index].value = (points[index].value ?? 0) + value
            counts[index] += 1
        }
        if metric.kind == .reading {
            for index in points.indices where counts[index] > 0 {
                points[index].value = points[index].value.map { $0 / counts[index] }
            }
        }
        return HealthSeries(metric: metric, step: step, points: points)
    }

    /// A day's value at noon, of a source called "Fake".
    public func readings(
        _ metric: Metric, _ range: DateInterval, limit: Int
    ) async throws(Unavailability) -> [WeightPage.Reading] {
        questions += 1
        try await answer()
        let readings = (values.totals[metric] ?? [:]).compactMap { day, value in
            calendar.interval(of: day).map {
                WeightPage.Reading(date: $0.start + 12 * 3600, value: value, source: "Fake")
            }
        }
        return readings.filter { range.start <= $0.date && $0.date < range.end }
            .sorted { $0.date < $1.date }.suffix(limit)
    }

    /// See ``HealthService/total(_:on:)``.
    public func total(
        _ metric: Metric, on day: CivilDate
    ) async throws(Unavailability) -> DayTotal {
        questions += 1
        try await answer()
        guard let interval = calendar.interval(of: day) else {
            throw .failed("\(day) is no day in \(calendar.timeZone.identifier).")
        }
        return DayTotal(
            metric: metric, day: day, interval: interval, value: values.totals[metric]?[day],
            shares: values.shares[metric]?[day] ?? [])
    }

    /// See ``HealthService/nights(_:)``.
    public func nights(
        _ days: ClosedRange<CivilDate>
    ) async throws(Unavailability) -> [SleepNight] {
        questions += 1
        try await answer()
        return values.nights.filter { days.contains($0.morning) }
            .sorted { $0.morning < $1.morning }
    }

    /// See ``HealthService/rings(_:)``.
    public func rings(
        _ days: ClosedRange<CivilDate>
    ) async throws(Unavailability) -> [ActivityRings] {
        questions += 1
        try await answer()
        return values.rings.filter { days.contains($0.day) }.sorted { $0.day < $1.day }
    }

    /// See ``HealthService/workouts(_:limit:)``.
    public func workouts(
        _ range: DateInterval, limit: Int
    ) async throws(Unavailability) -> [WorkoutSummary] {
        questions += 1
        try await answer()
        let found = values.workouts.map(\.summary).filter {
            range.start <= $0.start && $0.start < range.end
        }
        return Array(found.sorted { $0.start > $1.start }.prefix(limit))
    }

    /// See ``HealthService/workout(_:)``.
    public func workout(_ id: UUID) async throws(Unavailability) -> WorkoutDetail? {
        questions += 1
        try await answer()
        return values.workouts.first { $0.summary.id == id }
    }
}
