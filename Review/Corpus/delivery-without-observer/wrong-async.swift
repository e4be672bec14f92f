// Background delivery asked for in async code, and an async stream instead of an observer.
import HealthKit

struct SleepFeed {
    let store: HKHealthStore

    func follow(_ apply: ([HKCategorySample], [HKDeletedObject]) -> Void) async throws {
        let type = HKCategoryType(.sleepAnalysis)
        try await store.enableBackgroundDelivery(for: type, frequency: .daily)  // finds delivery-without-observer
        let changes = HKAnchoredObjectQueryDescriptor(
            predicates: [.categorySample(type: type)], anchor: nil)
        for try await change in changes.results(for: store) {
            apply(change.addedSamples, change.deletedObjects)
        }
    }
}
