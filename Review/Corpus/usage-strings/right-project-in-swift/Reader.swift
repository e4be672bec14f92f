// The project is written in Swift, which makes the list as well.
import HealthKit

struct Reader {
    let store: HKHealthStore

    func authorize() async throws {
        try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
    }
}
