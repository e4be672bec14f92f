// A watcher in two tiers, each type with its own observer, query and anchor.
import HealthKit

final class SampleWatcher {
    static let shared = SampleWatcher(healthStore: StoreProvider.store)
    private let healthStore: HKHealthStore
    private let anchors = AnchorFiles()
    private let database = ChangeDatabase()

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    static let types: [HKSampleType] = [
        HKQuantityType(.dietaryEnergyConsumed), HKQuantityType(.appleExerciseTime),
        HKQuantityType(.dietaryProtein), HKCategoryType(.sleepAnalysis),
    ]

    func begin() {
        for type in Self.types {
            let query = HKObserverQuery(sampleType: type, predicate: nil) {
                [weak self] _, completion, error in
                guard let self, error == nil else {
                    completion()
                    return
                }
                self.fetchChanges(of: type, completion: completion)
            }
            healthStore.execute(query)
            healthStore.enableBackgroundDelivery(for: type, frequency: .immediate) { _, error in
                if let error { print("no delivery of \(type): \(error)") }
            }
        }
    }

    private func fetchChanges(of type: HKSampleType, completion: @escaping () -> Void) {
        let query = HKAnchoredObjectQuery(
            type: type, predicate: nil, anchor: anchors.load(type.identifier),
            limit: HKObjectQueryNoLimit
        ) { [weak self] _, samples, deleted, newAnchor, error in
            defer { completion() }
            guard let self, let samples, let newAnchor else { return }
            self.database.add(samples)
            for object in deleted ?? [] {
                self.database.remove(object.uuid)
            }
            self.anchors.save(newAnchor, type.identifier)
        }
        healthStore.execute(query)
    }

    func describe(_ samples: [HKSample]) {
        for case let sample as HKQuantitySample in samples {
            switch sample.quantityType {
            case HKQuantityType(.dietaryEnergyConsumed):
                print(sample.quantity.doubleValue(for: .kilocalorie()), "kcal")
            case HKQuantityType(.appleExerciseTime):
                print(sample.quantity.doubleValue(for: .minute()), "min")
            case HKQuantityType(.dietaryProtein):
                print(sample.quantity.doubleValue(for: .gram()), "g")
            default:
                continue
            }
        }
    }
}
