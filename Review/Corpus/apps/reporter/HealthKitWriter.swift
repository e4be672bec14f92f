import Foundation
import HealthKit

public class HealthKitWriter {

    private let healthStore: HKHealthStore

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    public func save(quantity: Quantity, completion: @escaping StatusCompletionBlock) {
        do {
            let sample = try quantity.asOriginal()
            guard healthStore.authorizationStatus(for: sample.sampleType) == .sharingAuthorized else {
                completion(false, HealthKitError.notAvailable())
                return
            }
            healthStore.save(sample, withCompletion: completion)
        } catch {
            completion(false, error)
        }
    }

    public func delete(sample: HKSample, completion: @escaping StatusCompletionBlock) {
        healthStore.delete(sample, withCompletion: completion)
    }

    public func deleteObjects(
        of type: HKObjectType, predicate: NSPredicate, completion: @escaping (Bool, Int, Error?) -> Void
    ) {
        healthStore.deleteObjects(of: type, predicate: predicate, withCompletion: completion)
    }

    public func add(_ samples: [HKSample], to workout: HKWorkout, completion: @escaping StatusCompletionBlock) {
        healthStore.add(samples, to: workout, completion: completion)
    }
}
