// Results unwrapped under their own name, beside another condition.
import HealthKit

func steps(on day: NSPredicate, store: HKHealthStore, completion: @escaping (Double) -> Void) {
    let query = HKSampleQuery(
        sampleType: HKQuantityType(.stepCount), predicate: day, limit: HKObjectQueryNoLimit,
        sortDescriptors: nil
    ) { _, results, _ in
        var steps = 0.0
        if let results = results, results.count > 0 {
            for result in results as! [HKQuantitySample] {
                steps += result.quantity.doubleValue(for: HKUnit.count())  // finds summed-samples
            }
        }
        completion(steps)
    }
    store.execute(query)
}
