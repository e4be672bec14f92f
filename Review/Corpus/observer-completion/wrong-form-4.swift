import HealthKit
func fourth(_ load: @escaping () throws -> Void) -> HKObserverQuery {
    HKObserverQuery(sampleType: HKCategoryType(.sleepAnalysis), predicate: nil) { query, done, error in // finds observer-completion
        do {
            try load()
            done()
        } catch {
            print("Not loaded: \(error)")
        }
    }
}
