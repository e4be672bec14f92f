// The phone's own files lack what the watch's have.
import HealthKit

struct Weights {
    let store: HKHealthStore

    func authorize() async throws {
        let weight = HKQuantityType(.bodyMass)
        try await store.requestAuthorization(toShare: [weight], read: [weight])  // finds usage-strings
    }
}
