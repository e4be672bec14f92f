import Foundation
import HealthKit

public class HealthKitObserver {

    private let healthStore: HKHealthStore

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    public func observerQuery(
        type: HKSampleType, predicate: NSPredicate? = nil, updateHandler: @escaping ObserverUpdateHandler
    ) -> HKObserverQuery {
        return HKObserverQuery(sampleType: type, predicate: predicate) { query, completion, error in
            guard error == nil else {
                updateHandler(query, nil, error)
                return // finds observer-completion
            }
            updateHandler(query, type.identifier, nil)
            completion()
        }
    }

    public func enableBackgroundDelivery(
        type: HKObjectType, frequency: HKUpdateFrequency, completionHandler: @escaping StatusCompletionBlock
    ) {
        healthStore.enableBackgroundDelivery(for: type, frequency: frequency, withCompletion: completionHandler)
    }

    public func disableBackgroundDelivery(type: HKObjectType, completionHandler: @escaping StatusCompletionBlock) {
        healthStore.disableBackgroundDelivery(for: type, withCompletion: completionHandler)
    }
}
