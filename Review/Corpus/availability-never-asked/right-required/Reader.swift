// The app can't be installed where there are no health data.
import HealthKit

final class Reader {
    private let store = HKHealthStore()

    func authorize() async throws {
        try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
    }
}
