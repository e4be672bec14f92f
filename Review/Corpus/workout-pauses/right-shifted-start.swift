// A workout's clock whose start is shifted at the end of each pause, and laps.
import HealthKit

final class WorkoutClock {
    var session: HKWorkoutSession?
    var builder: HKLiveWorkoutBuilder?
    var startDate = Date()
    var lapStart = Date()
    private var shown: TimeInterval = 0

    func tick() {
        shown = Date().timeIntervalSince(startDate)
    }

    func lap() -> TimeInterval {
        defer { lapStart = Date() }
        return Date().timeIntervalSince(lapStart)
    }

    func pause() { session?.pause() }

    func resume() {
        startDate = Date().addingTimeInterval(-shown)
        session?.resume()
    }
}
