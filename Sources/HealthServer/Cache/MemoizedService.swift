import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import Synchronization

/// A cache of a service's results. Each is valid until the revision of its metric or the current
/// quarter of an hour changes. A new heart rate invalidates only the results for heart rates.
final class ServiceMemo: Sendable {
    enum Key: Hashable {
        case series(Metric, CalendarStep, DateInterval)
        case total(Metric, CivilDate)
        case nights(ClosedRange<CivilDate>)
        case rings(ClosedRange<CivilDate>)
        case workouts(DateInterval, Int)
    }

    private struct Entry {
        var revision: Revision
        /// The quarter of an hour in which the result was read. As time passes, the current bucket
        /// of a series changes, and further samples begin.
        var quarter: Double
        var value: any Sendable
    }

    /// The maximum number of results. A further one empties the cache first.
    static let limit = 256
    private let entries = Mutex<[Key: Entry]>([:])

    /// Returns the cached result for a revision; otherwise calls `compute` and caches its result.
    ///
    /// - Parameter revision: The metric's revision; nil if it is unknown, so that nothing is
    ///   cached.
    func value<Value: Sendable>(
        for key: Key, at revision: Revision?, now: Date,
        compute: () async throws(Unavailability) -> Value
    ) async throws(Unavailability) -> Value {
        guard let revision else { return try await compute() }
        let quarter = (now.timeIntervalSinceReferenceDate / 900).rounded(.down)
        if let known = entries.withLock({ $0[key] }), known.revision == revision,
            known.quarter == quarter, let value = known.value as? Value
        {
            return value
        }
        let value = try await compute()
        entries.withLock { entries in
            if entries.count >= Self.limit { entries = [:] }
            entries[key] = Entry(revision: revision, quarter: quarter, value: value)
        }
        return value
    }
}

/// A service that answers from a cache, for revisions that were read before. It passes other
/// requests on.
struct MemoizedService: HealthService {
    let service: HealthKitService
    let memo: ServiceMemo
    /// The revisions, read before any other data of a page.
    let stamps: [Metric: Revision]
    /// The revision of the workouts and routes, read before them. That of ``Metric/workouts`` changes
    /// with samples of every type.
    let workoutStamp: Revision
    let now: Date

    func series(
        _ metric: Metric, by step: CalendarStep, over range: DateInterval
    ) async throws(Unavailability) -> HealthSeries {
        try await memo.value(for: .series(metric, step, range), at: stamps[metric], now: now) {
            () async throws(Unavailability) in
            try await service.series(metric, by: step, over: range)
        }
    }

    func total(_ metric: Metric, on day: CivilDate) async throws(Unavailability) -> DayTotal {
        try await memo.value(for: .total(metric, day), at: stamps[metric], now: now) {
            () async throws(Unavailability) in try await service.total(metric, on: day)
        }
    }

    func nights(_ days: ClosedRange<CivilDate>) async throws(Unavailability) -> [SleepNight] {
        try await memo.value(for: .nights(days), at: stamps[.sleep], now: now) {
            () async throws(Unavailability) in try await service.nights(days)
        }
    }

    func rings(_ days: ClosedRange<CivilDate>) async throws(Unavailability) -> [ActivityRings] {
        try await memo.value(for: .rings(days), at: stamps[.rings], now: now) {
            () async throws(Unavailability) in try await service.rings(days)
        }
    }

    func workouts(
        _ range: DateInterval, limit: Int
    ) async throws(Unavailability) -> [WorkoutSummary] {
        try await memo.value(for: .workouts(range, limit), at: workoutStamp, now: now) {
            () async throws(Unavailability) in try await service.workouts(range, limit: limit)
        }
    }

    // Not cached: a workout's data may be of any type, and the other requests are cheap.

    func workout(_ id: UUID) async throws(Unavailability) -> WorkoutDetail? {
        try await service.workout(id)
    }

    func readings(
        _ metric: Metric, _ range: DateInterval, limit: Int
    ) async throws(Unavailability) -> [WeightPage.Reading] {
        try await service.readings(metric, range, limit: limit)
    }

    func metrics() async throws(Unavailability) -> [Metric] { try await service.metrics() }

    func revisions(of metrics: [Metric]) async throws(Unavailability) -> [Metric: Revision] {
        stamps.filter { metrics.contains($0.key) }
    }

    var changes: AsyncStream<Void> { service.changes }
}
