// Begun, ended, finished, each after the other.
import HealthKit

final class WorkoutModel: NSObject, HKWorkoutSessionDelegate {
    private let store: HKHealthStore
    private var session: HKWorkoutSession?
    private var builder: HKLiveWorkoutBuilder?
    private var routes: HKWorkoutRouteBuilder?
    private(set) var failure: String?

    init(store: HKHealthStore) { self.store = store }

    func start(_ configuration: HKWorkoutConfiguration) throws {
        session = try HKWorkoutSession(healthStore: store, configuration: configuration)
        builder = session?.associatedWorkoutBuilder()
        routes = HKWorkoutRouteBuilder(healthStore: store, device: nil)
        session?.delegate = self
        session?.startActivity(with: .now)
        builder?.beginCollection(withStart: .now) { [weak self] _, error in
            self?.failure = error?.localizedDescription
        }
    }

    func add(_ locations: [CLLocation]) async throws {
        try await routes?.insertRouteData(locations)
    }

    func stop() { session?.end() }

    func discard() {
        session?.end()
        builder?.discardWorkout()
        session = nil
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        guard toState == .ended else { return }
        builder?.endCollection(withEnd: date) { [weak self] success, error in
            guard success else {
                self?.failure = error?.localizedDescription
                return
            }
            self?.builder?.finishWorkout { workout, error in
                guard let workout else {
                    self?.failure = error?.localizedDescription ?? "Saved after unlocking"
                    return
                }
                self?.routes?.finishRoute(with: workout, metadata: nil) { _, error in
                    self?.failure = error?.localizedDescription
                }
            }
        }
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
        failure = error.localizedDescription
    }
}
