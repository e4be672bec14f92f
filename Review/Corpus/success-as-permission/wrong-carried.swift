// The flag carried on: through a completion, a continuation, a default, an awaited request.
import HealthKit
import SwiftUI

final class Gate {
    private let store: HKHealthStore
    private let types: Set<HKObjectType> = [HKQuantityType(.stepCount)]

    init(store: HKHealthStore) { self.store = store }

    func ask(_ completion: @escaping (Bool, (any Error)?) -> Void) {
        store.requestAuthorization(toShare: nil, read: types) { success, error in
            completion(success, error)
        }
    }

    func answer() async -> Bool {
        await withCheckedContinuation { continuation in
            store.requestAuthorization(toShare: [], read: types) { ok, _ in
                continuation.resume(returning: ok)
            }
        }
    }

    func authorize() async throws {
        try await store.requestAuthorization(toShare: [], read: types)
    }

    func remember() {
        store.requestAuthorization(toShare: nil, read: types) { success, _ in
            UserDefaults.standard.set(success, forKey: "healthAccessGranted")  // finds success-as-permission
        }
    }
}

@MainActor
final class GateModel: ObservableObject {
    @Published var hasAccess = false
    @Published var state = State.unknown
    @Published var canRead = false
    @Published var didAsk = false
    private let gate: Gate

    enum State { case unknown, granted, denied }

    init(gate: Gate) { self.gate = gate }

    func start() {
        gate.ask { success, _ in
            DispatchQueue.main.async {
                self.state = success ? .granted : .denied  // finds success-as-permission
            }
        }
    }

    func startLater() async {
        hasAccess = await gate.answer()  // finds success-as-permission
        let granted = await gate.answer()
        canRead = granted  // finds success-as-permission
    }

    func startThrowing() async {
        do {
            try await gate.authorize()
            didAsk = true
            hasAccess = true  // finds success-as-permission
        } catch {
            hasAccess = false
        }
    }
}
