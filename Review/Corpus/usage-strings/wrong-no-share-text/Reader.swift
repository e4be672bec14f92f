// Reads steps; the Info.plist beside it doesn't say why.
import HealthKit

struct Reader {
    let store: HKHealthStore

    func authorize() async throws {
        try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])  // finds usage-strings
    }
}
