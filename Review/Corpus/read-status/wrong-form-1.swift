import HealthKit
final class StepGate {
    let store: HKHealthStore
    let type = HKQuantityType(.stepCount)
    init(store: HKHealthStore) { self.store = store }
    func today(_ day: NSPredicate, _ done: @escaping (Double?) -> Void) {
        guard store.authorizationStatus(for: type) == .sharingAuthorized else { // finds read-status
            return done(nil)
        }
        store.execute(HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: day, options: .cumulativeSum
        ) { _, statistics, _ in done(statistics?.sumQuantity()?.doubleValue(for: .count())) })
    }
}
