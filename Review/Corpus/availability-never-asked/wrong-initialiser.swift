// The store made by its initialiser's full name.
import HealthKit

struct SleepReader {
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    static func live() -> SleepReader {
        SleepReader(store: HKHealthStore.init())  // finds availability-never-asked
    }
}
