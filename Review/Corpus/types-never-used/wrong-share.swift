// A reader that also asks to write.
import HealthKit

struct StepReader {
    let store: HKHealthStore

    func authorize(completion: @escaping (Bool) -> Void) {
        let steps = HKQuantityType(.stepCount)
        store.requestAuthorization(toShare: [steps], read: [steps]) { done, _ in  // finds types-never-used
            completion(done)
        }
    }

    func today(completion: @escaping (Double) -> Void) {
        let range = HKQuery.predicateForSamples(
            withStart: Calendar.current.startOfDay(for: Date()), end: nil)
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum
        ) { _, statistics, _ in
            completion(statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0)
        }
        store.execute(query)
    }
}
