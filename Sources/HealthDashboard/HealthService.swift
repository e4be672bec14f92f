public import Foundation
public import HealthEngine

/// A stamp that changes when what is stored of a metric changes; means nothing else.
public struct Revision: Hashable, Sendable, Codable {
    public var text: String

    public init(_ text: String) { self.text = text }
}

/// Health data in a dashboard's words. Answers are values; who gives them is
/// ``HealthKitService`` or, in previews and tests, ``FakeHealthService``.
///
/// Days begin at the midnights of the calendar that the service was made with.
public protocol HealthService: Sendable {
    /// The metrics that have data, in no order.
    func metrics() async throws(Unavailability) -> [Metric]
    /// A stamp for each metric; equal stamps mean equal answers for past days.
    func revisions(of metrics: [Metric]) async throws(Unavailability) -> [Metric: Revision]
    /// A metric in steps that together cover the range, each moment counted once.
    func series(
        _ metric: Metric, by step: SeriesStep, over range: DateInterval
    ) async throws(Unavailability) -> HealthSeries
    /// An amount of one day and where it came from.
    func total(_ metric: Metric, on day: CivilDate) async throws(Unavailability) -> DayTotal
    /// The nights that end on one of the days, the earliest first; days without sleep have none.
    func nights(_ days: ClosedRange<CivilDate>) async throws(Unavailability) -> [SleepNight]
    /// The rings of the days that have them, the earliest first.
    func rings(_ days: ClosedRange<CivilDate>) async throws(Unavailability) -> [ActivityRings]
    /// Workouts that start in the range, the newest first, so many at most.
    func workouts(
        _ range: DateInterval, limit: Int
    ) async throws(Unavailability) -> [WorkoutSummary]
    /// One workout with its heart rate and route; nil if there is none of that name.
    func workout(_ id: UUID) async throws(Unavailability) -> WorkoutDetail?
    /// Single readings of a metric that begin in the range, in its unit, the earliest first; the
    /// latest ones where there are more than so many.
    func readings(
        _ metric: Metric, _ range: DateInterval, limit: Int
    ) async throws(Unavailability) -> [WeightPage.Reading]
    /// Says so after each change of what is stored, also by other processes; changes close together
    /// are one.
    var changes: AsyncStream<Void> { get }
}
