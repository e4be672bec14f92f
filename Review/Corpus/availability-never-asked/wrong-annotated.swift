// The store's type stands at the variable; only the first store is told.
import HealthKit

final class Annotated {
    let store: HKHealthStore = .init()  // finds availability-never-asked
    lazy var other = HKHealthStore()
}
