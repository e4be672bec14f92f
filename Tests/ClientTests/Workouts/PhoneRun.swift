import Foundation
import HealthKit

/// The phone's side of a running tracker: it shows the watch's run and controls it.
@MainActor
final class PhoneRun: NSObject {
    let healthStore: HKHealthStore
    private(set) var session: HKWorkoutSession?
    private(set) var state = HKWorkoutSessionState.notStarted
    private(set) var updates: [RunUpdate] = []
    private(set) var isConnected = false
    private(set) var errors: [String] = []

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
        super.init()
    }

    /// Called when the app is launched.
    func retrieveRemoteSession() {
        healthStore.workoutSessionMirroringStartHandler = { mirroredSession in
            Task { @MainActor in
                self.session = mirroredSession
                self.session?.delegate = self
                self.state = mirroredSession.state
                self.isConnected = true
            }
        }
    }

    func pause() { session?.pause() }
    func resume() { session?.resume() }
    func stop(at date: Date) { session?.stopActivity(with: date) }

    func drink(litres: Double) async throws {
        try await session?.sendToRemoteWorkoutSession(data: JSONEncoder().encode(litres))
    }
}

extension PhoneRun: HKWorkoutSessionDelegate {
    nonisolated func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        Task { @MainActor in state = toState }
    }

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
            updates += data.compactMap { try? JSONDecoder().decode(RunUpdate.self, from: $0) }
        }
    }

    nonisolated func workoutSession(
        _ workoutSession: HKWorkoutSession,
        didDisconnectFromRemoteDeviceWithError error: (any Error)?
    ) {
        Task { @MainActor in isConnected = false }
    }
}
