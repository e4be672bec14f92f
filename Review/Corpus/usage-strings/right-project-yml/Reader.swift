// The text stands in the file that the project is made from.
import HealthKit

struct Reader {
    let store: HKHealthStore

    func authorize() async throws {
        try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
    }
}
