// The flag as what it is: whether the request could be made.
import HealthKit
import UIKit

final class Asking {
    private let store: HKHealthStore
    private let weight = HKQuantityType(.bodyMass)
    private(set) var hasRequestedAuthorization = false
    private(set) var isAuthorizedToSave = false
    private(set) var failure: String?

    init(store: HKHealthStore) { self.store = store }

    func ask(_ completion: @escaping (Result<Void, any Error>) -> Void) {
        store.requestAuthorization(toShare: [weight], read: [weight]) { success, error in
            guard success else {
                completion(.failure(error ?? HKError(.errorNoData)))
                return
            }
            completion(.success(()))
        }
    }

    func note() {
        store.requestAuthorization(toShare: [weight], read: [weight]) { success, error in
            self.hasRequestedAuthorization = success
            if !success { self.failure = "The request failed: \(String(describing: error))" }
            if self.store.authorizationStatus(for: self.weight) == .sharingAuthorized {
                self.isAuthorizedToSave = true
            }
        }
    }

    func noteLater() async throws {
        try await store.requestAuthorization(toShare: [weight], read: [weight])
        hasRequestedAuthorization = true
        if store.authorizationStatus(for: weight) == .sharingAuthorized {
            isAuthorizedToSave = true
        }
        isAuthorizedToSave = store.authorizationStatus(for: weight) == .sharingAuthorized
    }

    func log() {
        store.requestAuthorization(toShare: [weight], read: []) { success, error in
            if success { print("authorization granted or not, it was asked") } else { print("denied?") }
        }
    }
}
