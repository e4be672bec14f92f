// A clock that asks the builder, and the wall clock beside it.
import HealthKit

final class WorkoutClock {
    var session: HKWorkoutSession?
    var builder: HKLiveWorkoutBuilder?
    var startDate = Date()

    var active: TimeInterval { builder?.elapsedTime ?? 0 }
    var total: TimeInterval { Date().timeIntervalSince(startDate) }

    func pause() { session?.pause() }
}
