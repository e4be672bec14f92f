import Foundation
import HealthSimulator

/// Many schedules, a few at a time.
struct TortureSeries: Sendable {
    let torture: SyncTorture
    var seed: UInt64
    var count: Int
    var jobs: Int

    /// How they went.
    struct Result: Sendable {
        var played = 0
        var coverage = TortureCoverage()
        /// The first schedule that failed, as it was made.
        var failure: SyncTorture.Failure?
        var duration = Duration.zero
    }

    /// Plays schedule after schedule, until one fails.
    ///
    /// - Parameter report: Told after each how many were played.
    func run(_ report: @escaping @Sendable (Int) -> Void = { _ in }) async -> Result {
        let began = ContinuousClock.now
        var result = Result()
        await withTaskGroup(of: (SyncSchedule, SyncTorture.Outcome).self) { group in
            var next = 0
            func begin() {
                guard next < count else { return }
                let schedule = SyncSchedule(
                    seed: seed &+ UInt64(next), aimingAt: TortureCoverage.pairs)
                next += 1
                group.addTask { (schedule, await torture.play(schedule)) }
            }
            for _ in 0..<max(1, jobs) { begin() }
            while let (schedule, outcome) = await group.next() {
                result.played += 1
                result.coverage.add(outcome.hits)
                report(result.played)
                if !outcome.violations.isEmpty, result.failure == nil {
                    result.failure = .init(schedule: schedule, violations: outcome.violations)
                }
                if result.failure == nil { begin() }
            }
        }
        result.duration = ContinuousClock.now - began
        return result
    }
}
