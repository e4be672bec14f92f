// A clock since the start of a workout whose session can be paused.
import Combine
import HealthKit

final class WorkoutClock: NSObject, ObservableObject {
    var session: HKWorkoutSession?
    var builder: HKLiveWorkoutBuilder?
    var startDate: Date?
    private var timer: Timer?
    @Published var elapsed: TimeInterval = 0
    @Published var elapsedTime: TimeInterval = 0
    @Published var isPaused = false

    func start(_ store: HKHealthStore, _ configuration: HKWorkoutConfiguration) throws {
        session = try HKWorkoutSession(healthStore: store, configuration: configuration)
        builder = session?.associatedWorkoutBuilder()
        startDate = Date()
        timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] _ in
            self?.tick()
        }
    }

    private func tick() {
        guard let start = startDate, !isPaused else { return }
        elapsed = Date().timeIntervalSince(start)  // finds workout-pauses
    }

    func refresh() {
        let now = Date()
        elapsedTime = now.timeIntervalSince(startDate ?? now)  // finds workout-pauses
    }

    var seconds: TimeInterval { -(startDate?.timeIntervalSinceNow ?? 0) }  // finds workout-pauses

    var sinceBuilder: TimeInterval {
        Date().timeIntervalSince(builder?.startDate ?? Date())  // finds workout-pauses
    }

    func togglePause() {
        isPaused ? session?.resume() : session?.pause()
        isPaused.toggle()
    }
}

struct WorkoutScreen {
    let clock: WorkoutClock

    var text: String {
        guard let start = clock.startDate else { return "0:00" }
        return "\(Int(Date.now.timeIntervalSince(start)))"  // finds workout-pauses
    }

    var direct: Int {
        Int(Date().timeIntervalSince(clock.startDate ?? Date()))  // finds workout-pauses
    }
}
