// The success of asking kept as if it were the answer.
import HealthKit
import SwiftUI

final class PermissionModel: ObservableObject {
    @Published var isAuthorized = false
    @Published var hasHealthAccess = false
    @Published var state = State.unknown
    private let store: HKHealthStore
    private let types: Set<HKObjectType> = [HKQuantityType(.stepCount)]

    enum State { case unknown, authorized, denied }

    init(store: HKHealthStore) {
        self.store = store
    }

    func ask() {
        store.requestAuthorization(toShare: nil, read: types) { success, error in
            DispatchQueue.main.async {
                self.isAuthorized = success  // finds success-as-permission
            }
        }
    }

    func askGranted() {
        store.requestAuthorization(toShare: nil, read: types) { [weak self] granted, _ in
            Task { @MainActor in
                self?.hasHealthAccess = granted  // finds success-as-permission
            }
        }
    }

    func askState() {
        store.requestAuthorization(toShare: [], read: types) { success, _ in
            DispatchQueue.main.async {
                self.state = success ? .authorized : .denied  // finds success-as-permission
            }
        }
    }

    func askDirectly() {
        store.requestAuthorization(toShare: nil, read: types) { success, _ in
            self.isAuthorized = success  // finds main-actor-state, success-as-permission
        }
    }

    @MainActor
    func askAsync() async {
        do {
            try await store.requestAuthorization(toShare: [], read: types)
            isAuthorized = true  // finds success-as-permission
        } catch {
            state = .unknown
        }
    }

    func askDefaults() {
        store.requestAuthorization(toShare: nil, read: types) {
            UserDefaults.standard.set($0, forKey: "healthAccessGranted")  // finds success-as-permission
        }
    }
}
