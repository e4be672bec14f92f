import Foundation
import HealthDashboard
import HealthEngine
import Synchronization

/// Answers of a service, each kept until the type it rests on changes: after one new heart rate
/// everything but the heart rates is as it was.
final class ServiceMemo: Sendable {
    enum Question: Hashable {
        case series(Metric, SeriesStep, DateInterval)
        case total(Metric, CivilDate)
        case nights(ClosedRange<CivilDate>)
        case rings(ClosedRange<CivilDate>)
    }

    private struct Kept {
        var revision: Revision
        /// Which step is the present one, and which sample has begun, holds for a quarter of an hour.
        var quarter: Double
        var answer: any Sendable
    }

    static let limit = 256
    private let kept = Mutex<[Question: Kept]>([:])

    /// What was answered at this revision; else asks, and keeps what is said.
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

/// A service as of some revisions, which asks only for what the memo doesn't know.
struct MemoizedService: HealthService {
    let service: HealthKitService
    let memo: ServiceMemo
    /// Asked for before anything else of a page.
    let stamps: [Metric: Revision]
    let now: Date

    func series(
        _ metric: Metric, by step: SeriesStep, over range: DateInterval
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

    // What hangs on a workout may be of any type, and the rest is cheap.

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
