public import Foundation
public import HealthCalendar
public import HealthEngine

/// A stamp of a metric's stored data, for detecting changes. Only equality has a meaning.
public struct Revision: Hashable, Sendable, Codable {
    /// The stamp.
    public var text: String

    /// Creates a revision.
    ///
    /// - Parameter text: The stamp.
    public init(_ text: String) { self.text = text }
}

/// A service that reads health data for the dashboard and returns it as values.
///
/// ``HealthKitService`` reads HealthKit; ``FakeHealthService`` returns given values in previews and
/// tests. Days are those of the time zone of the service's calendar.
public protocol HealthService: Sendable {
    /// Returns the metrics that have data.
    ///
    /// - Returns: The metrics, in no particular order.
    /// - Throws: ``Unavailability``.
    func metrics() async throws(Unavailability) -> [Metric]
    /// Returns the revisions of metrics. Equal revisions of a metric mean equal results for past
    /// days.
    ///
    /// - Parameter metrics: The metrics.
    /// - Returns: The revisions; metrics without a known revision are omitted.
    /// - Throws: ``Unavailability``.
    func revisions(of metrics: [Metric]) async throws(Unavailability) -> [Metric: Revision]
    /// Returns a metric in calendar buckets that cover a range, without double counting.
    ///
    /// - Parameters:
    ///   - metric: The metric.
    ///   - step: The size of the buckets.
    ///   - range: The range; the first and the last bucket may extend beyond it.
    /// - Returns: All buckets, including those without data; at most 100,000.
    /// - Throws: ``Unavailability``.
    func series(
        _ metric: Metric, by step: CalendarStep, over range: DateInterval
    ) async throws(Unavailability) -> HealthSeries
    /// Returns the total of a day with the contribution of each source.
    ///
    /// - Parameters:
    ///   - metric: The metric.
    ///   - day: The day.
    /// - Returns: The total; without a value if there is no data.
    /// - Throws: ``Unavailability``, also for a day that does not exist in the time zone.
    func total(_ metric: Metric, on day: CivilDate) async throws(Unavailability) -> DayTotal
    /// Returns the nights of a range of days, the earliest first.
    ///
    /// - Parameter days: The days, both bounds included. A night belongs to the day that contains
    ///   the middle of its sleep, usually the day on which it ends. For this, a day lasts from
    ///   18:00 on the evening before to 18:00.
    /// - Returns: At most one night per day.
    /// - Throws: ``Unavailability``.
    func nights(_ days: ClosedRange<CivilDate>) async throws(Unavailability) -> [SleepNight]
    /// Returns the activity rings of a range of days, the earliest first.
    ///
    /// - Parameter days: The days, both bounds included.
    /// - Returns: The rings; days without them are omitted.
    /// - Throws: ``Unavailability``.
    func rings(_ days: ClosedRange<CivilDate>) async throws(Unavailability) -> [ActivityRings]
    /// Returns the workouts that start in a range, the newest first.
    ///
    /// - Parameters:
    ///   - range: The half-open range of starts.
    ///   - limit: The maximum number of workouts.
    /// - Returns: The newest workouts in the range.
    /// - Throws: ``Unavailability``.
    func workouts(
        _ range: DateInterval, limit: Int
    ) async throws(Unavailability) -> [WorkoutSummary]
    /// Returns a workout with its heart rate and route.
    ///
    /// - Parameter id: The workout's UUID.
    /// - Returns: The workout; nil if there is none.
    /// - Throws: ``Unavailability``.
    func workout(_ id: UUID) async throws(Unavailability) -> WorkoutDetail?
    /// Returns single readings that start in a range, the earliest first.
    ///
    /// - Parameters:
    ///   - metric: The metric, which determines the unit.
    ///   - range: The half-open range of starts.
    ///   - limit: The maximum number of readings; the latest ones are returned.
    /// - Returns: The readings.
    /// - Throws: ``Unavailability``.
    func readings(
        _ metric: Metric, _ range: DateInterval, limit: Int
    ) async throws(Unavailability) -> [WeightPage.Reading]
    /// A stream with an element after changes of the stored data, also by other processes. Changes
    /// within a short time are combined.
    var changes: AsyncStream<Void> { get }
}
