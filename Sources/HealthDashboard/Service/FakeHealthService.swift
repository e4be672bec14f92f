public import Foundation
public import HealthCalendar
public import HealthEngine

/// A health service with given values, for previews and tests. It can be slow or fail.
///
/// ```swift
/// var values = FakeHealthService.Values()
/// values.totals[.steps] = [CivilDate(2024, 3, 10): 8214]
/// let service = FakeHealthService(values, delay: .milliseconds(500))
/// ```
public actor FakeHealthService: HealthService {
    /// The values that the service returns.
    public struct Values: Sendable {
        /// The value of each day with data: an amount, an average reading, or the seconds of a
        /// state. Longer buckets have the sum of their days' amounts or seconds, or the average of
        /// their readings. Hours have no values.
        public var totals: [Metric: [CivilDate: Double]] = [:]
        /// The contributions of sources to the totals of days.
        public var shares: [Metric: [CivilDate: [DayTotal.Share]]] = [:]
        /// The nights, in any order.
        public var nights: [SleepNight] = []
        /// The activity rings, in any order.
        public var rings: [ActivityRings] = []
        /// The workouts, in any order.
        public var workouts: [WorkoutDetail] = []

        /// Creates empty values.
        public init() {}
    }

    /// The Gregorian calendar that determines where days, weeks, months and years start.
    public nonisolated let calendar: Calendar
    private var values: Values
    private let delay: Duration
    private var failure: Unavailability?
    private var generation = 0
    private var listeners: [UUID: AsyncStream<Void>.Continuation] = [:]
    /// The number of calls of methods that read values. Calls of ``revisions(of:)`` don't count.
    public private(set) var requestCount = 0

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - values: The values to return.
    ///   - calendar: The calendar whose time zone and first weekday are used.
    ///   - delay: The duration of every request.
    ///   - failure: The error of every request; nil for success.
    public init(
        _ values: Values = Values(), calendar: Calendar = .current, delay: Duration = .zero,
        failure: Unavailability? = nil
    ) {
        self.values = values
        self.calendar = .gregorian(in: calendar.timeZone, firstWeekday: calendar.firstWeekday)
        self.delay = delay
        self.failure = failure
    }

    /// Replaces the values and reports a change.
    ///
    /// - Parameter values: The values to return from now on.
    public func replace(_ values: Values) {
        self.values = values
        generation += 1
        for listener in listeners.values { listener.yield() }
    }

    /// Sets the error of later requests and reports a change.
    ///
    /// - Parameter failure: The error; nil for success.
    public func fail(_ failure: Unavailability?) {
        self.failure = failure
        for listener in listeners.values { listener.yield() }
    }

    /// A stream with an element after each ``replace(_:)`` and ``fail(_:)``. Changes that are not
    /// consumed yet are combined.
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

    private func respond() async throws(Unavailability) {
        if delay > .zero { try? await Task.sleep(for: delay) }
        if let failure { throw failure }
    }

    /// Returns the metrics with a value in ``Values/totals``.
    ///
    /// - Returns: The metrics, in no particular order.
    /// - Throws: ``Unavailability`` if one was set.
    public func metrics() async throws(Unavailability) -> [Metric] {
        requestCount += 1
        try await respond()
        return values.totals.filter { !$0.value.isEmpty }.map(\.key)
    }

    /// Returns the revisions of metrics. All have the same revision, which ``replace(_:)`` changes.
    ///
    /// - Parameter metrics: The metrics.
    /// - Returns: A revision for each metric.
    /// - Throws: ``Unavailability`` if one was set.
    public func revisions(
        of metrics: [Metric]
    ) async throws(Unavailability) -> [Metric: Revision] {
        try await respond()
        let revision = Revision(String(generation))
        return Dictionary(metrics.map { ($0, revision) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns a metric in calendar buckets that cover a range, without double counting.
    ///
    /// - Parameters:
    ///   - metric: The metric.
    ///   - step: The size of the buckets.
    ///   - range: The range; the first and the last bucket may extend beyond it.
    /// - Returns: All buckets, including those without data; at most 100,000. Hours have no values,
    ///   and no bucket is marked as current.
    /// - Throws: ``Unavailability`` if one was set.
    public func series(
        _ metric: Metric, by step: CalendarStep, over range: DateInterval
    ) async throws(Unavailability) -> HealthSeries {
        requestCount += 1
        try await respond()
        let boundaries = calendar.boundaries(by: step, over: range)
        var points = zip(boundaries, boundaries.dropFirst()).map {
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

    /// Returns the values of days as readings. Each is 12 hours after the start of its day and has
    /// the source "Fake".
    ///
    /// - Parameters:
    ///   - metric: The metric.
    ///   - range: The half-open range of dates.
    ///   - limit: The maximum number of readings; the latest ones are returned.
    /// - Returns: The readings, the earliest first.
    /// - Throws: ``Unavailability`` if one was set.
    public func readings(
        _ metric: Metric, _ range: DateInterval, limit: Int
    ) async throws(Unavailability) -> [WeightPage.Reading] {
        requestCount += 1
        try await respond()
        let readings = (values.totals[metric] ?? [:]).compactMap { day, value in
            calendar.interval(of: day).map {
                WeightPage.Reading(date: $0.start + 12 * 3600, value: value, source: "Fake")
            }
        }
        return readings.filter { range.start <= $0.date && $0.date < range.end }
            .sorted { $0.date < $1.date }.suffix(limit)
    }

    /// Returns the total of a day with the contribution of each source.
    ///
    /// - Parameters:
    ///   - metric: The metric.
    ///   - day: The day.
    /// - Returns: The total; without a value if there is no data.
    /// - Throws: ``Unavailability`` if one was set, or for a day that does not exist in the time
    ///   zone.
    public func total(
        _ metric: Metric, on day: CivilDate
    ) async throws(Unavailability) -> DayTotal {
        requestCount += 1
        try await respond()
        guard let interval = calendar.interval(of: day) else {
            throw .failed("The day \(day) doesn't exist in \(calendar.timeZone.identifier).")
        }
        return DayTotal(
            metric: metric, day: day, interval: interval, value: values.totals[metric]?[day],
            shares: values.shares[metric]?[day] ?? [])
    }

    /// Returns the nights of a range of days, the earliest first.
    ///
    /// - Parameter days: The days, both bounds included, that are compared with
    ///   ``SleepNight/morning``.
    /// - Returns: The given nights of these days.
    /// - Throws: ``Unavailability`` if one was set.
    public func nights(
        _ days: ClosedRange<CivilDate>
    ) async throws(Unavailability) -> [SleepNight] {
        requestCount += 1
        try await respond()
        return values.nights.filter { days.contains($0.morning) }
            .sorted { $0.morning < $1.morning }
    }

    /// Returns the activity rings of a range of days, the earliest first.
    ///
    /// - Parameter days: The days, both bounds included.
    /// - Returns: The rings; days without them are omitted.
    /// - Throws: ``Unavailability`` if one was set.
    public func rings(
        _ days: ClosedRange<CivilDate>
    ) async throws(Unavailability) -> [ActivityRings] {
        requestCount += 1
        try await respond()
        return values.rings.filter { days.contains($0.day) }.sorted { $0.day < $1.day }
    }

    /// Returns the workouts that start in a range, the newest first.
    ///
    /// - Parameters:
    ///   - range: The half-open range of starts.
    ///   - limit: The maximum number of workouts.
    /// - Returns: The newest workouts in the range.
    /// - Throws: ``Unavailability`` if one was set.
    public func workouts(
        _ range: DateInterval, limit: Int
    ) async throws(Unavailability) -> [WorkoutSummary] {
        requestCount += 1
        try await respond()
        let found = values.workouts.map(\.summary).filter {
            range.start <= $0.start && $0.start < range.end
        }
        return Array(found.sorted { $0.start > $1.start }.prefix(limit))
    }

    /// Returns a workout with its heart rate and route.
    ///
    /// - Parameter id: The workout's UUID.
    /// - Returns: The workout; nil if there is none.
    /// - Throws: ``Unavailability`` if one was set.
    public func workout(_ id: UUID) async throws(Unavailability) -> WorkoutDetail? {
        requestCount += 1
        try await respond()
        return values.workouts.first { $0.summary.id == id }
    }
}
