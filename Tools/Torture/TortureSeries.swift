import Foundation
import HealthSync

/// A series of schedules, several at a time.
struct TortureSeries: Sendable {
    let torture: SyncTorture
    var seed: UInt64
    var count: Int
    var jobs: Int
    /// The pairs to target. Each schedule targets one of them, selected by its seed.
    var pairs = TortureCoverage.pairs

    /// The result of a series.
    struct Result: Sendable {
        var played = 0
        var coverage = TortureCoverage()
        /// The first failure that was found, with its original schedule.
        var failure: SyncTorture.Failure?
        var duration = Duration.zero
    }

    /// Plays schedules until one fails or all are played. Schedules that are running when one
    /// fails are completed.
    ///
    /// - Parameter report: Called after each schedule with the number of schedules played so far.
    func run(_ report: @escaping @Sendable (Int) -> Void = { _ in }) async -> Result {
        let began = ContinuousClock.now
        var result = Result()
        await withTaskGroup(of: (SyncSchedule, SyncTorture.Outcome).self) { group in
            var next = 0
            func begin() {
                guard next < count else { return }
                let schedule = SyncSchedule(
                    seed: seed &+ UInt64(next), aimingAt: pairs)
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

/// The pairs of faults and steps that have occurred, and those that are impossible.
struct TortureCoverage: Sendable {
    private(set) var hits: Set<SyncPair> = []

    mutating func add(_ new: Set<SyncPair>) { hits.formUnion(new) }

    /// The pairs that are possible.
    static let pairs = SyncPair.all.filter { exclusion($0) == nil }

    /// The possible pairs that did not occur.
    var missing: [SyncPair] { Self.pairs.filter { !hits.contains($0) } }

    /// Returns why a pair is impossible; nil if it is possible.
    static func exclusion(_ pair: SyncPair) -> String? {
        guard let step = SyncStep(rawValue: pair.step.rawValue) else { return nil }
        return exclusions.first { $0.faults.contains(pair.fault) && $0.steps.contains(step) }?
            .reason
    }

    static func isPossible(_ fault: SyncFault.Kind, at step: SyncStep) -> Bool {
        guard let moment = SyncMoment.Step(rawValue: step.rawValue) else { return true }
        return exclusion(SyncPair(fault, after: moment)) == nil
    }

    /// The impossible pairs and the reasons.
    static let exclusions: [(faults: Set<SyncFault.Kind>, steps: Set<SyncStep>, reason: String)] = [
        (
            [.anchorLost, .anchorForeign], [.transactionBegun, .rowsWritten, .positionWritten],
            "the positions are in the file that is being written, which is locked"
        ),
        (
            [.taskCancelled], [.woken, .completionCalled],
            "an update from HealthKit has no task that could be cancelled"
        ),
    ]
}

extension SyncTorture {
    /// A schedule that fails, with its violations.
    struct Failure: Sendable {
        var schedule: SyncSchedule
        var violations: [TortureViolation]
    }

    /// Shrinks a failure: returns the shortest schedule found that still violates one of the same
    /// invariants.
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of schedules to try.
    ///   - repetitions: How often a schedule is played before it counts as passing, since
    ///     concurrent readers have no fixed order.
    func shrink(
        _ failure: Failure, attempts: Int = 400, repetitions: Int = 2
    ) async -> Failure {
        var shortest = failure
        var remainingAttempts = attempts
        var isShorter = true
        while isShorter, remainingAttempts > 0 {
            isShorter = false
            for candidate in shortest.schedule.simplifications where remainingAttempts > 0 {
                remainingAttempts -= 1
                guard let found = await fails(candidate, as: shortest, repetitions) else {
                    continue
                }
                shortest = found
                isShorter = true
                break
            }
        }
        return shortest
    }

    /// Plays a schedule until it violates one of the invariants that `failure` violates, at most
    /// `repetitions` times. Returns nil if it doesn't.
    private func fails(
        _ schedule: SyncSchedule, as failure: Failure, _ repetitions: Int
    ) async -> Failure? {
        let rules = Set(failure.violations.map(\.rule))
        for _ in 0..<repetitions {
            let violations = await play(schedule).violations.filter { rules.contains($0.rule) }
            if !violations.isEmpty { return Failure(schedule: schedule, violations: violations) }
        }
        return nil
    }
}
