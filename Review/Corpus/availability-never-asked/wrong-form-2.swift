import HealthKit
struct Lazy {
    static var shared: HKHealthStore = { HKHealthStore.init() }() // finds availability-never-asked
    let other: HKHealthStore = .init()
}
