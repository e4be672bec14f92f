import HealthSimulator

extension SyncTorture {
    /// A schedule that fails, and what it breaks.
    struct Failure: Sendable {
        var schedule: SyncSchedule
        var violations: [TortureViolation]
    }

    /// The shortest schedule found that still breaks a promise that this one broke.
    ///
    /// - Parameters:
    ///   - attempts: How many schedules are tried at most.
    ///   - repetitions: How often one is played before it counts as one that passes: what several
    ///     readers do at once doesn't come in the same order each time.
    func shrink(
        _ failure: Failure, attempts: Int = 400, repetitions: Int = 2
    ) async -> Failure {
        var shortest = failure
        var left = attempts
        var isShorter = true
        while isShorter, left > 0 {
            isShorter = false
            for candidate in shortest.schedule.simplifications where left > 0 {
                left -= 1
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

    /// Whether a schedule breaks one of the same promises.
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
