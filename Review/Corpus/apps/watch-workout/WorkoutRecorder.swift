// Runs the workout session and its live builder.
import Foundation
import HealthKit

final class WorkoutRecorder: NSObject, ObservableObject {
    @Published var running = false
    @Published var showsSummary = false
    @Published var heartRate: Double = 0
    @Published var averageHeartRate: Double = 0
    @Published var activeEnergy: Double = 0
    @Published var distance: Double = 0
    @Published var recoveryRate: Double?
    @Published var workout: HKWorkout?

    let healthStore = HKHealthStore()
    private(set) var session: HKWorkoutSession?
    private(set) var builder: HKLiveWorkoutBuilder?
    private var recovery: HKAnchoredObjectQuery?

    func requestAuthorization() {
        guard HKHealthStore.isHealthDataAvailable() else { return }
        let share: Set<HKSampleType> = [HKQuantityType.workoutType()]
        let read: Set<HKObjectType> = [
            HKQuantityType(.heartRate),
            HKQuantityType(.activeEnergyBurned),
            HKQuantityType(.distanceWalkingRunning),
            HKQuantityType(.distanceCycling),
            HKObjectType.activitySummaryType(),
        ]
        healthStore.requestAuthorization(toShare: share, read: read) { success, error in
            // Failures show up when the workout begins.
        }
    }

    func start(_ activity: HKWorkoutActivityType) {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        configuration.locationType = .outdoor
        do {
            let session = try HKWorkoutSession(
                healthStore: healthStore, configuration: configuration)
            let builder = session.associatedWorkoutBuilder()
            session.delegate = self
            builder.delegate = self
            builder.dataSource = HKLiveWorkoutDataSource(
                healthStore: healthStore, workoutConfiguration: configuration)
            self.session = session
            self.builder = builder
            let start = Date()
            session.startActivity(with: start)
            builder.beginCollection(withStart: start) { success, error in
                if let error {
                    print("collection: \(error.localizedDescription)")
                }
            }
        } catch {
            print("session: \(error.localizedDescription)")
        }
    }

    func togglePause() {
        running ? session?.pause() : session?.resume()
    }

    func end() {
        session?.end()
        showsSummary = true
    }

    func reset() {
        stopRecovery()
        builder = nil
        session = nil
        workout = nil
        heartRate = 0
        averageHeartRate = 0
        activeEnergy = 0
        distance = 0
        recoveryRate = nil
    }

    // MARK: Recovery

    /// The heart rate in the first minutes after the end.
    private func startRecovery(at end: Date) {
        let type = HKQuantityType(.heartRate)
        let predicate = HKQuery.predicateForSamples(withStart: end, end: nil)
        let query = HKAnchoredObjectQuery(
            type: type, predicate: predicate, anchor: nil, limit: HKObjectQueryNoLimit
        ) { [weak self] _, samples, deleted, _, _ in
            self?.show(samples, without: deleted)
        }
        query.updateHandler = { [weak self] _, samples, deleted, _, _ in
            self?.show(samples, without: deleted)
        }
        recovery = query
        healthStore.execute(query)
    }

    private func stopRecovery() {
        guard let recovery else { return }
        healthStore.stop(recovery)
        self.recovery = nil
    }

    private func show(_ samples: [HKSample]?, without deleted: [HKDeletedObject]?) {
        let gone = Set((deleted ?? []).map(\.uuid))
        let kept = (samples as? [HKQuantitySample] ?? []).filter { !gone.contains($0.uuid) }
        guard let last = kept.last else { return }
        let unit = HKUnit.count().unitDivided(by: .minute())
        DispatchQueue.main.async {
            self.recoveryRate = last.quantity.doubleValue(for: unit)
        }
    }

    private func update(_ statistics: HKStatistics?) {
        guard let statistics else { return }
        DispatchQueue.main.async {
            switch statistics.quantityType {
            case HKQuantityType(.heartRate):
                let unit = HKUnit.count().unitDivided(by: .minute())
                self.heartRate = statistics.mostRecentQuantity()?.doubleValue(for: unit) ?? 0
                self.averageHeartRate = statistics.averageQuantity()?.doubleValue(for: unit) ?? 0
            case HKQuantityType(.activeEnergyBurned):
                self.activeEnergy =
                    statistics.sumQuantity()?.doubleValue(for: .kilocalorie()) ?? 0
            case HKQuantityType(.distanceWalkingRunning), HKQuantityType(.distanceCycling):
                self.distance = statistics.sumQuantity()?.doubleValue(for: .meter()) ?? 0
            default:
                return
            }
        }
    }
}

extension WorkoutRecorder: HKWorkoutSessionDelegate {
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        DispatchQueue.main.async {
            self.running = toState == .running
        }
        guard toState == .ended else { return }
        builder?.endCollection(withEnd: date) { success, error in
            self.builder?.finishWorkout { workout, error in
                self.workout = workout  // finds main-actor-state
            }
        }
        startRecovery(at: date)
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: Error) {  // finds unfinished-workout
        print("session failed: \(error.localizedDescription)")
    }
}

extension WorkoutRecorder: HKLiveWorkoutBuilderDelegate {
    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}

    func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
    ) {
        for type in collectedTypes {
            guard let quantityType = type as? HKQuantityType else { continue }
            update(workoutBuilder.statistics(for: quantityType))
        }
    }
}
