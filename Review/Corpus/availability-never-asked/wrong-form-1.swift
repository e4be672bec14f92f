import HealthKit
final class Unasked {
    let store = HKHealthStore() // finds availability-never-asked
    func ask() async throws { try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)]) }
}
