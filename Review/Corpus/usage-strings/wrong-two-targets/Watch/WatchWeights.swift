// The watch's files have all it needs.
import HealthKit

struct WatchWeights {
    let store: HKHealthStore

    func authorize() async throws {
        let weight = HKQuantityType(.bodyMass)
        try await store.requestAuthorization(toShare: [weight], read: [weight])
    }
}
