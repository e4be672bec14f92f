import Foundation
import HealthKit

/// An interval timer for the watch: intervals of work and rest, as segments of the workout.
final class IntervalTimer: NSObject, HKWorkoutSessionDelegate, HKLiveWorkoutBuilderDelegate,
    @unchecked Sendable
{
    private let healthStore: HKHealthStore
    private let lock = NSLock()
    private var session: HKWorkoutSession?
    private var builder: HKLiveWorkoutBuilder?
    private var states: [HKWorkoutSessionState] = []
    private var requests = 0
    private var workStart: Date?

    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    var stateHistory: [HKWorkoutSessionState] { lock.withLock { states } }
    var pauseRequests: Int { lock.withLock { requests } }
    var elapsed: TimeInterval { lock.withLock { builder }?.elapsedTime ?? 0 }
    var activeSession: HKWorkoutSession? { lock.withLock { session } }

    func start(at date: Date, completion: @escaping @Sendable (Bool) -> Void) {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .highIntensityIntervalTraining
        configuration.locationType = .indoor
        guard
            let session = try? HKWorkoutSession(
                healthStore: healthStore, configuration: configuration)
        else { return completion(false) }
        let builder = session.associatedWorkoutBuilder()
        lock.withLock {
            self.session = session
            self.builder = builder
        }
        session.delegate = self
        builder.delegate = self
        let source = HKLiveWorkoutDataSource(
            healthStore: healthStore, workoutConfiguration: configuration)
        source.disableCollection(for: HKQuantityType(.basalEnergyBurned))
        builder.dataSource = source
        // The countdown.
        session.prepare()
        session.startActivity(with: date)
        builder.beginCollection(withStart: date) { success, _ in completion(success) }
    }

    func beginWork(at date: Date) { lock.withLock { workStart = date } }

    func endWork(at date: Date, completion: @escaping @Sendable (Bool) -> Void) {
        let (start, builder) = lock.withLock { (workStart, self.builder) }
        guard let start = start, let builder = builder else { return completion(false) }
        let segment = HKWorkoutEvent(
            type: .segment, dateInterval: DateInterval(start: start, end: date),
            metadata: ["phase": "work"])
        builder.addWorkoutEvents([segment]) { success, _ in completion(success) }
    }

    func pause() { activeSession?.pause() }
    func resume() { activeSession?.resume() }

    func finish(at date: Date, completion: @escaping @Sendable (HKWorkout?, (any Error)?) -> Void) {
        let (session, builder) = lock.withLock { (self.session, self.builder) }
        session?.end()
        builder?.endCollection(withEnd: date) { success, error in
            guard success else { return completion(nil, error) }
            builder?.finishWorkout { workout, error in completion(workout, error) }
        }
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) { lock.withLock { states.append(toState) } }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {}

    func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent) {
        // Both buttons of the watch were pressed.
        guard event.type == .pauseOrResumeRequest else { return }
        lock.withLock { requests += 1 }
        if workoutSession.state == .running {
            workoutSession.pause()
        } else {
            workoutSession.resume()
        }
    }

    func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
    ) {}

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}
}
