// A watcher in two tiers: an observer that nudges, one anchored query for all types.
import HealthKit

final class SampleWatcher {
    static let shared = SampleWatcher(healthStore: StoreProvider.store)
    private let healthStore: HKHealthStore
    private let server: ChangeServer

    init(healthStore: HKHealthStore, server: ChangeServer = .shared) {
        self.healthStore = healthStore
        self.server = server
    }

    func trackedTypes() -> [HKSampleType] {
        return [
            HKQuantityType(.dietaryEnergyConsumed), HKQuantityType(.appleExerciseTime),
            HKQuantityType(.dietaryProtein), HKCategoryType(.sleepAnalysis),
        ]
    }

    func begin() {
        let types = trackedTypes()
        let descriptors = types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        let query = HKObserverQuery(queryDescriptors: descriptors) { _, _, completion, error in  // finds types-in-one-query
            if error == nil {
                self.fetchChanges()
            }
            completion()  // finds observer-completion
        }
        for type in types {
            healthStore.enableBackgroundDelivery(for: type, frequency: .immediate) { _, error in  // finds delivery-before-observer
                if let error { print("no delivery of \(type): \(error)") }
            }
        }
        healthStore.execute(query)
    }

    private func fetchChanges() {
        let types = trackedTypes()
        let descriptors = types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        let key = "sample-types-\(types.count)"
        let anchor = AnchorStorage.anchor(forKey: key)
        let query = HKAnchoredObjectQuery(  // finds types-in-one-query
            queryDescriptors: descriptors,
            anchor: anchor,
            limit: HKObjectQueryNoLimit
        ) { _, samplesOrNil, deletedOrNil, newAnchor, errorOrNil in  // finds ignored-deletions
            AnchorStorage.setAnchor(forKey: key, anchor: newAnchor)  // finds anchor-before-data
            guard let samples = samplesOrNil else {
                print("no samples")
                return
            }
            if anchor == nil {
                return
            }
            self.server.add(samples)
        }
        healthStore.execute(query)
    }
}
