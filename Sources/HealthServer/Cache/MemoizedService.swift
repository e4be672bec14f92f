import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import Synchronization

/// A cache of a service's results, each valid until the revision of its metric changes. A new heart
/// rate invalidates the results for heart rates only.
final class ServiceMemo: Sendable {
    enum Question: Hashable {
        case series(Metric, CalendarStep, DateInterval)
        case total(Metric, CivilDate)
        case nights(ClosedRange<CivilDate>)
        case rings(ClosedRange<CivilDate>)
    }

    private struct Kept {
        var revision: Revision
        /// The current quarter of an hour. The current step, and which samples have begun, may
        /// change with it.
        var quarter: Double
        var answer: any Sendable
    }

    static let limit = 256
    private let kept = Mutex<[Question: Kept]>([:])

    /// Returns the cached result for this revision, or calls `asking` and caches what it returns.
    func answer<Answer: Sendable>(
        _ question: Question, at revision: Revision?, now: Date,
        asking: () async throws(Unavailability) -> Answer
    ) async throws(Unavailability) -> Answer {
        guard let revision else { return try await asking() }
        let quarter = (now.timeIntervalSinceReferenceDate / 900).rounded(.down)
        if let known = kept.withLock({ $0[question] }), known.revision == revision,
            known.quarter == quarter, let answer = known.answer as? Answer
        {
            return answer
        }
        let answer = try await asking()
        kept.withLock { kept in
            if kept.count >= Self.limit { kept = [:] }
            kept[question] = Kept(revision: revision, quarter: quarter, answer: answer)
        }
        return answer
    }
}

/// A service at fixed revisions, which passes only requests that aren't cached.
struct MemoizedService: HealthService {
    let service: HealthKitService
    let memo: ServiceMemo
    /// The revisions, read before any other data of a page.
    let stamps: [Metric: Revision]
    let now: Date

    func series(
        _ metric: Metric, by step: CalendarStep, over range: DateInterval
    ) async throws(Unavailability) -> HealthSeries {
        try await memo.answer(.series(metric, step, range), at: stamps[metric], now: now) {
            () async throws(Unavailability) in
            try await service.series(metric, by: step, over: range)
        }
    }

    func total(_ metric: Metric, on day: CivilDate) async throws(Unavailability) -> DayTotal {
        try await memo.answer(.total(metric, day), at: stamps[metric], now: now) {
            () async throws(Unavailability) in try await service.total(metric, on: day)
        }
    }

    func nights(_ days: ClosedRange<CivilDate>) async throws(Unavailability) -> [SleepNight] {
        try await memo.answer(.nights(days), at: stamps[.sleep], now: now) {
            () async throws(Unavailability) in try await service.nights(days)
        }
    }

    func rings(_ days: ClosedRange<CivilDate>) async throws(Unavailability) -> [ActivityRings] {
        try await memo.answer(.rings(days), at: stamps[.rings], now: now) {
            () async throws(Unavailability) in try await service.rings(days)
        }
    }

    // A workout's data may be of any type, and the remaining requests are cheap, so neither is
    // cached.

    func workouts(
        _ range: DateInterval, limit: Int
    ) async throws(Unavailability) -> [WorkoutSummary] {
        try await service.workouts(range, limit: limit)
    }

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
