import Foundation
import HealthKit

/// Records a triathlon as one workout with an activity for each leg and each transition.
final class TriathlonRecorder: NSObject, HKWorkoutSessionDelegate, @unchecked Sendable {
    private let healthStore: HKHealthStore
    private let session: HKWorkoutSession
    private let builder: HKLiveWorkoutBuilder
    private let lock = NSLock()
    private var log: [String] = []

    var entries: [String] { lock.withLock { log } }
    var measuredSession: HKWorkoutSession { session }

    init(healthStore: HKHealthStore) throws {
        self.healthStore = healthStore
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .swimBikeRun
        configuration.locationType = .outdoor
        session = try HKWorkoutSession(healthStore: healthStore, configuration: configuration)
        builder = session.associatedWorkoutBuilder()
        super.init()
        session.delegate = self
        builder.dataSource = HKLiveWorkoutDataSource(
            healthStore: healthStore, workoutConfiguration: configuration)
    }

    func start(at date: Date) async throws {
        session.startActivity(with: date)
        try await builder.beginCollection(at: date)
        begin(.swimming, at: date)
    }

    func begin(_ activity: HKWorkoutActivityType, at date: Date) {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        configuration.locationType = .outdoor
        if activity == .swimming {
            configuration.swimmingLocationType = .openWater
        }
        // Each leg has its own distance.
        let source = HKLiveWorkoutDataSource(
            healthStore: healthStore, workoutConfiguration: configuration)
        for type in source.typesToCollect {
            builder.dataSource?.enableCollection(for: type, predicate: nil)
        }
        session.beginNewActivity(configuration: configuration, date: date, metadata: nil)
    }

    func endLeg(at date: Date) { session.endCurrentActivity(on: date) }

    func finish(at date: Date) async throws -> HKWorkout? {
        session.stopActivity(with: date)
        try await builder.endCollection(at: date)
        let workout = try await builder.finishWorkout()
        session.end()
        return workout
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {}

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
        lock.withLock { log.append("error") }
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession,
        didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
    ) { lock.withLock { log.append("begin \(workoutConfiguration.activityType.rawValue)") } }

    func workoutSession(
        _ workoutSession: HKWorkoutSession,
        didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
    ) { lock.withLock { log.append("end \(workoutConfiguration.activityType.rawValue)") } }
}
