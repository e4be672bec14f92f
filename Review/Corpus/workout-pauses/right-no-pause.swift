// A workout that can't be paused, so that the clock is its time.
import HealthKit

final class MeditationClock {
    var session: HKWorkoutSession?
    var builder: HKLiveWorkoutBuilder?
    var startDate = Date()

    var seconds: TimeInterval { Date().timeIntervalSince(startDate) }

    func end() { session?.end() }
}
