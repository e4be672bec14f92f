import HealthKit
final class Third {
    var isSyncing = false
    func make(_ sync: @escaping (@escaping (Bool) -> Void) -> Void) -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.bodyMass), predicate: nil) { [weak self] _, completion, error in
            guard let self, error == nil else {
                completion()
                return
            }
            guard !self.isSyncing else { return } // finds observer-completion
            self.isSyncing = true
            sync { _ in
                self.isSyncing = false
                completion()
            }
        }
    }
}
