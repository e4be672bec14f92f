import Foundation
import HealthKit

/// What the watch sends to the phone, several times a minute.
struct RunUpdate: Codable, Equatable {
    var heartRate: Double?
    var kilocalories: Double?
    var metres: Double?
    var elapsed: TimeInterval
}

/// The watch's side of a running tracker: it records the run and mirrors it to the phone.
@MainActor
final class WatchRun: NSObject {
    struct StateChange {
        let state: HKWorkoutSessionState
        let date: Date
    }

    let healthStore: HKHealthStore
    private(set) var session: HKWorkoutSession?
    private(set) var builder: HKLiveWorkoutBuilder?
    private(set) var last = RunUpdate(elapsed: 0)
    private(set) var workout: HKWorkout?
    private(set) var errors: [String] = []
    private(set) var water = 0.0

    // Delegates are called in the background, where the order must not be lost.
    private let changes = AsyncStream.makeStream(of: StateChange.self)

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
        super.init()
        Task {
            for await change in changes.stream { await consume(change) }
        }
    }

    func requestAuthorization() async throws {
        let typesToShare: Set<HKSampleType> = [
            HKQuantityType.workoutType(), HKQuantityType(.dietaryWater),
        ]
        let typesToRead: Set<HKObjectType> = [
            HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned),
            HKQuantityType(.distanceWalkingRunning), HKQuantityType(.basalEnergyBurned),
            HKQuantityType.workoutType(),
        ]
        try await healthStore.requestAuthorization(toShare: typesToShare, read: typesToRead)
    }

    func start(_ activity: HKWorkoutActivityType, at date: Date) async throws {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        configuration.locationType = .outdoor
        let session = try HKWorkoutSession(healthStore: healthStore, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        self.session = session
        self.builder = builder
        session.delegate = self
        builder.delegate = self
        builder.dataSource = HKLiveWorkoutDataSource(
            healthStore: healthStore, workoutConfiguration: configuration)
        try await session.startMirroringToCompanionDevice()
        session.startActivity(with: date)
        try await builder.beginCollection(at: date)
    }

    func togglePause() {
        if session?.state == .running { session?.pause() } else { session?.resume() }
    }

    private func consume(_ change: StateChange) async {
        guard change.state == .stopped, let builder = builder else { return }
        do {
            try await builder.endCollection(at: change.date)
            workout = try await builder.finishWorkout()
            session?.end()
        } catch {
            errors.append(error.localizedDescription)
        }
    }

    private func show(_ statistics: HKStatistics) {
        switch statistics.quantityType {
        case HKQuantityType(.heartRate):
            let unit = HKUnit.count().unitDivided(by: HKUnit.minute())
            last.heartRate = statistics.mostRecentQuantity()?.doubleValue(for: unit)
        case HKQuantityType(.activeEnergyBurned):
            last.kilocalories = statistics.sumQuantity()?.doubleValue(for: .kilocalorie())
        case HKQuantityType(.distanceWalkingRunning), HKQuantityType(.distanceCycling):
            last.metres = statistics.sumQuantity()?.doubleValue(for: .meter())
        default: return
        }
    }

    private func send() async {
        guard let data = try? JSONEncoder().encode(last) else { return }
        do {
            try await session?.sendToRemoteWorkoutSession(data: data)
        } catch {
            errors.append(error.localizedDescription)
        }
    }
}

extension WatchRun: HKWorkoutSessionDelegate {
    nonisolated func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) { changes.continuation.yield(StateChange(state: toState, date: date)) }

    nonisolated func workoutSession(
        _ workoutSession: HKWorkoutSession, didFailWithError error: any Error
    ) {
        let text = error.localizedDescription
        Task { @MainActor in errors.append(text) }
    }

    nonisolated func workoutSession(
        _ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data]
    ) {
        Task { @MainActor in
            for data in data {
                if let litres = try? JSONDecoder().decode(Double.self, from: data) {
                    water += litres
                }
            }
        }
    }
}

extension WatchRun: HKLiveWorkoutBuilderDelegate {
    nonisolated func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
    ) {
        Task { @MainActor in
            for type in collectedTypes {
                guard let type = type as? HKQuantityType else { continue }
                if let statistics = workoutBuilder.statistics(for: type) { show(statistics) }
            }
            last.elapsed = workoutBuilder.elapsedTime
            await send()
        }
    }

    nonisolated func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}
}
