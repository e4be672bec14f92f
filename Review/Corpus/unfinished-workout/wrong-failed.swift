// A session that fails, and nothing shows it. Only worth a note.
import HealthKit
import OSLog

final class RideModel: NSObject, HKWorkoutSessionDelegate {
    private let builder: HKLiveWorkoutBuilder
    private let log = Logger(subsystem: "org.example.ride", category: "workout")

    init(builder: HKLiveWorkoutBuilder) { self.builder = builder }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        guard toState == .ended else { return }
        Task {
            do {
                try await builder.endCollection(at: date)
                let workout = try await builder.finishWorkout()
                log.info("\(workout?.duration ?? 0) s")
            } catch {
                log.error("\(error)")
            }
        }
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {  // finds unfinished-workout
        log.error("session: \(error.localizedDescription)")
    }
}
