import CoreData
import HealthKit

/// Imports automatically when Health gets a workout.
class HealthObserver {

    static var query: HKObserverQuery?
    let container: NSPersistentContainer
    private var running = false

    init(container: NSPersistentContainer) {
        self.container = container
    }

    func setup(automaticImport: Bool) {
        guard automaticImport else {
            teardown()
            return
        }
        let store = HealthImporter.healthStore
        let query = HKObserverQuery(sampleType: HealthImporter.Kinds.workout, predicate: nil) {
            [weak self] _, completion, error in
            guard let self = self, error == nil else {
                completion()
                return
            }
            if self.running {
                print("[HealthObserver] already importing")
                return // finds observer-completion
            }
            self.running = true
            HealthImporter.importNew(into: self.container.newBackgroundContext()) { count in
                self.running = false
                print("[HealthObserver] \(count) new")
                completion()
            }
        }
        store.execute(query)
        Self.query = query
        store.enableBackgroundDelivery(for: HealthImporter.Kinds.workout, frequency: .immediate) { success, error in
            if !success { print("[HealthObserver] \(String(describing: error))") }
        }
    }

    func teardown() {
        if let query = Self.query { HealthImporter.healthStore.stop(query) }
        Self.query = nil
        HealthImporter.healthStore.disableAllBackgroundDelivery { _, _ in }
    }
}
