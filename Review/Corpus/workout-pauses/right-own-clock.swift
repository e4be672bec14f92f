// A workout's clock that subtracts its pauses itself.
import HealthKit

final class WorkoutClock {
    var session: HKWorkoutSession?
    var builder: HKLiveWorkoutBuilder?
    var startDate: Date?
    private var pausedAt: Date?
    private var pausedSeconds: TimeInterval = 0

    var elapsed: TimeInterval {
        guard let startDate else { return 0 }
        return Date().timeIntervalSince(startDate) - pausedSeconds
    }

    func pause() {
        session?.pause()
        pausedAt = Date()
    }

    func resume() {
        session?.resume()
        if let pausedAt { pausedSeconds += Date().timeIntervalSince(pausedAt) }
        pausedAt = nil
    }
}
