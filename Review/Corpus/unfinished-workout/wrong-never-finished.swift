// Nothing in this target finishes the builder or ends the session.
import HealthKit

final class YogaSession: NSObject {
    private let store: HKHealthStore
    private var session: HKWorkoutSession?
    private var builder: HKLiveWorkoutBuilder?

    init(store: HKHealthStore) { self.store = store }

    func start() throws {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .yoga
        let session = try HKWorkoutSession(healthStore: store, configuration: configuration)  // finds unfinished-workout
        let builder = session.associatedWorkoutBuilder()
        builder.dataSource = HKLiveWorkoutDataSource(
            healthStore: store, workoutConfiguration: configuration)
        session.startActivity(with: .now)
        builder.beginCollection(withStart: .now) { _, error in  // finds unfinished-workout
            if let error { print(error) }
        }
        self.session = session
        self.builder = builder
    }

    func stop() async throws {
        try await builder?.endCollection(at: .now)
        session = nil
        builder = nil
    }
}
