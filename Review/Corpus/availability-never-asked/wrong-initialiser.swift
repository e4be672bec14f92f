// The store as a default argument and by its initialiser's full name.
import HealthKit

struct SleepReader {
    private let store: HKHealthStore

    init(store: HKHealthStore = .init()) {
        self.store = store
    }

    static func live() -> SleepReader {
        SleepReader(store: HKHealthStore.init())  // finds availability-never-asked
    }
}
