// The outcome decides what is said.
import HealthKit
import SwiftUI

@MainActor final class HonestModel: ObservableObject {
    @Published var isSaved = false
    @Published var message: String?
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func save(_ sample: HKQuantitySample) {
        store.save(sample) { success, error in
            DispatchQueue.main.async {
                if success {
                    self.isSaved = true
                } else {
                    self.message = error?.localizedDescription ?? "Not saved"
                }
            }
        }
    }

    func saveAwaited(_ sample: HKQuantitySample) async {
        do {
            try await store.save(sample)
            isSaved = true
        } catch {
            message = error.localizedDescription
        }
    }

    func add(_ sample: HKQuantitySample, _ completion: @escaping (Bool) -> Void) {
        store.save(sample) { success, _ in completion(success) }
    }

    func log(_ sample: HKQuantitySample) async throws {
        try await store.save(sample)
        isSaved = true
    }

    /// Nothing is said at all.
    func note(_ sample: HKQuantitySample) {
        store.save(sample) { _, error in
            if let error { print(error) }
        }
    }

    func end(_ builder: HKWorkoutBuilder) async {
        do {
            try await builder.endCollection(at: .now)
            guard try await builder.finishWorkout() != nil else {
                message = "The workout is saved once the phone is unlocked"
                return
            }
            isSaved = true
        } catch {
            message = "Not saved"
        }
    }
}

struct TrySheet: View {
    @Environment(\.dismiss) private var dismiss
    @State private var failure: String?
    let healthStore: HKHealthStore
    let sample: HKQuantitySample

    var body: some View {
        Button("Save") {
            Task {
                do {
                    try await healthStore.save(sample)
                    dismiss()
                } catch {
                    failure = error.localizedDescription
                }
            }
        }
    }
}
