// Reads only: the text about writing isn't needed; the widget's plist needs none at all.
import HealthKit

func authorize(_ store: HKHealthStore) async throws {
    try await store.requestAuthorization(
        toShare: [], read: [HKQuantityType(.stepCount), HKCategoryType(.sleepAnalysis)])
}
