// The widget's files, which need nothing, don't count for the phone.
import HealthKit

struct Weights {
    let store: HKHealthStore

    func authorize() async throws {
        let weight = HKQuantityType(.bodyMass)
        try await store.requestAuthorization(toShare: [weight], read: [weight])
    }
}
