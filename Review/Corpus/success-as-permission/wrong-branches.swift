// Permission set by a branch on the flag, or past a guard; and fetches that only it decides.
import HealthKit

final class Branches {
    private let store: HKHealthStore
    private let types: Set<HKObjectType> = [HKQuantityType(.stepCount)]
    private(set) var isAuthorized = false
    private(set) var isReady = false

    init(store: HKHealthStore) { self.store = store }

    func inBranch() {
        store.requestAuthorization(toShare: nil, read: types) { success, error in
            if success {
                self.isAuthorized = true  // finds success-as-permission
            } else {
                self.isAuthorized = false
            }
        }
    }

    func pastGuard() {
        store.requestAuthorization(toShare: nil, read: types) { success, error in
            guard success else { return print(String(describing: error)) }
            self.isReady = true
            self.isAuthorized = true  // finds success-as-permission
        }
    }

    func denied() {
        store.requestAuthorization(toShare: nil, read: types) { success, error in
            if !success {
                self.isReady = false
            } else {
                self.isAuthorized = true  // finds success-as-permission
            }
        }
    }

    func gating() {
        store.requestAuthorization(toShare: nil, read: types) { success, _ in
            guard success else { return }
            self.fetchSteps()
        }
        store.requestAuthorization(toShare: nil, read: types) { success, error in
            guard success else { return self.report(error) }
            self.fetchSteps()
        }
    }

    private func fetchSteps() {}
    private func report(_ error: (any Error)?) {}
}

final class Texts {
    private let store: HKHealthStore
    private(set) var text = ""

    init(store: HKHealthStore) { self.store = store }

    func ask(_ types: Set<HKObjectType>) {
        store.requestAuthorization(toShare: nil, read: types) { success, error in
            guard success else { return print(String(describing: error)) }  // finds success-as-permission
            self.text = "Access granted"
        }
    }
}
