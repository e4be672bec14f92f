// A store that comes from outside: who makes it must ask.
import HealthKit

final class InjectedReader {
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func earliest() -> Date {
        store.earliestPermittedSampleDate()
    }
}
