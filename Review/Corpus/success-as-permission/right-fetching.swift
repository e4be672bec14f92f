// Success that merely starts a fetch or an observer, as Apple's samples do.
import HealthKit
import SwiftUI

final class StepsLoader: ObservableObject {
    @Published private(set) var steps = 0.0
    private let store: HKHealthStore
    private let type = HKQuantityType(.stepCount)

    init(store: HKHealthStore) { self.store = store }

    func start() {
        store.requestAuthorization(toShare: [], read: [type]) { success, error in
            if success {
                self.fetchSteps()
                self.startObserver()
            }
        }
    }

    func startOrLog() {
        store.requestAuthorization(toShare: [], read: [type]) { success, error in
            guard success else {
                print("HealthKit request failed: \(String(describing: error))")
                return
            }
            DispatchQueue.main.async { self.fetchSteps() }
        }
    }

    func ask(_ completion: @escaping (Bool) -> Void) {
        store.requestAuthorization(toShare: [], read: [type]) { success, _ in completion(success) }
    }

    func begin() {
        ask { success in
            if success { self.startObserver() }
        }
    }

    func beginLater() async {
        guard await asked() else { return }
        fetchSteps()
    }

    private func asked() async -> Bool {
        do {
            try await store.requestAuthorization(toShare: [], read: [type])
            return true
        } catch {
            return false
        }
    }

    private func fetchSteps() {}
    private func startObserver() {}
}

struct StepsScreen: View {
    @StateObject var loader: StepsLoader

    var body: some View {
        Text("\(loader.steps)").onAppear { loader.start() }
    }
}

final class AskingPromise {
    enum AskError: Error { case denied }

    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func ask(_ types: Set<HKObjectType>, _ promise: @escaping (Result<Void, any Error>) -> Void) {
        store.requestAuthorization(toShare: [], read: types) { ok, error in
            if let error { return promise(.failure(error)) }
            promise(ok ? .success(()) : .failure(AskError.denied))
        }
    }
}
