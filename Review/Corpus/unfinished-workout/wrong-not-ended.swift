// The collection never ends, so that the workout can't be finished; and a discarded one runs on.
import HealthKit

final class SwimController {
    private let store: HKHealthStore
    private var session: HKWorkoutSession?
    private var builder: HKLiveWorkoutBuilder?

    init(store: HKHealthStore) { self.store = store }

    func start(_ configuration: HKWorkoutConfiguration) async throws {
        let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        session.startActivity(with: .now)
        try await builder.beginCollection(at: .now)  // finds unfinished-workout
        (self.session, self.builder) = (session, builder)
    }

    func finish() async throws -> HKWorkout? {
        session?.end()
        return try await builder?.finishWorkout()
    }

    func discard() {
        builder?.discardWorkout()  // finds unfinished-workout
        reset()
    }

    private func reset() {
        session = nil
        builder = nil
    }
}
