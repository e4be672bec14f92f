// Success taken for what it is: the question could be asked.
import HealthKit

final class AskingModel: ObservableObject {
    @Published private(set) var hasRequestedAuthorization = false
    private let store: HKHealthStore
    private let types: Set<HKObjectType> = [HKQuantityType(.stepCount)]

    init(store: HKHealthStore) {
        self.store = store
    }

    func ask(completion: @escaping (Result<Void, Error>) -> Void) {
        store.requestAuthorization(toShare: nil, read: types) { success, error in
            guard success else {
                completion(.failure(error ?? HKError(.errorAuthorizationNotDetermined)))
                return
            }
            completion(.success(()))
        }
    }

    func askCarefully(load: @escaping () -> Void, failed: @escaping (Error?) -> Void) {
        store.requestAuthorization(toShare: nil, read: types) { success, error in
            guard success else {
                failed(error)
                return
            }
            load()
        }
    }

    func askAndLoad(load: @escaping () -> Void) {
        store.requestAuthorization(toShare: nil, read: types) { _, error in
            if let error {
                print("could not ask: \(error)")
                return
            }
            load()
        }
    }

    @MainActor
    func askAsync() async throws -> Int {
        try await store.requestAuthorization(toShare: [], read: types)
        hasRequestedAuthorization = true
        return types.count
    }

    func log() {
        store.requestAuthorization(toShare: nil, read: types) { success, _ in
            print("authorization sheet done: \(success)")
        }
    }

    func asked() async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, Error>) in
            store.requestAuthorization(toShare: nil, read: types) { _, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume()
                }
            }
        }
        UserDefaults.standard.set(true, forKey: "onboardingDone")
    }
}
