import HealthKit
func first(_ store: HKHealthStore, changed: @escaping () -> Void) -> HKObserverQuery {
    let query = HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) { _, completionHandler, error in
        if error != nil {
            return // finds observer-completion
        }
        changed()
        completionHandler()
    }
    store.execute(query)
    return query
}
