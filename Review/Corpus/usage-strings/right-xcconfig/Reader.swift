// The settings come from a configuration file that isn't read here, and may hold the texts.
import HealthKit

func authorize(_ store: HKHealthStore) async throws {
    try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
}
