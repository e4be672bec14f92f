// The Info.plist is binary: what it holds isn't known here.
import HealthKit

func authorize(_ store: HKHealthStore) async throws {
    try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
}
