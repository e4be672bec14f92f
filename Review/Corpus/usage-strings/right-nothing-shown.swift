// No project file in sight: nothing can be said about its texts.
import HealthKit

func authorize(_ store: HKHealthStore) async throws {
    let weight = HKQuantityType(.bodyMass)
    try await store.requestAuthorization(toShare: [weight], read: [weight])
}
