// Steps, distance and flights added up sample by sample in query handlers.
import HealthKit

final class DailyTotals {
    let healthStore: HKHealthStore

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    private func today() -> NSPredicate {
        let start = Calendar.current.startOfDay(for: Date())
        return HKQuery.predicateForSamples(withStart: start, end: Date(), options: .strictStartDate)
    }

    func steps(completion: @escaping (Double) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.stepCount), predicate: today(),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            var total = 0.0
            for sample in samples as? [HKQuantitySample] ?? [] {
                total += sample.quantity.doubleValue(for: .count())  // finds summed-samples
            }
            completion(total)
        }
        healthStore.execute(query)
    }

    func distance(completion: @escaping (Double) -> Void) {
        guard let type = HKSampleType.quantityType(forIdentifier: .distanceWalkingRunning) else {
            completion(0)
            return
        }
        let query = HKSampleQuery(
            sampleType: type, predicate: today(), limit: 0, sortDescriptors: nil
        ) { _, results, error in
            guard error == nil, let walked = results as? [HKQuantitySample] else {
                completion(0)
                return
            }
            let meters = walked.reduce(0.0) {  // finds summed-samples
                $0 + $1.quantity.doubleValue(for: .meter())
            }
            completion(meters / 1000)
        }
        healthStore.execute(query)
    }

    func flights(completion: @escaping (Int) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.flightsClimbed), predicate: today(),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            var climbed = 0.0
            samples?.forEach { sample in
                guard let sample = sample as? HKQuantitySample else { return }
                climbed += sample.quantity.doubleValue(for: HKUnit.count())  // finds summed-samples
            }
            completion(Int(climbed))
        }
        healthStore.execute(query)
    }

    func pushes(completion: @escaping (Double) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.pushCount), predicate: today(),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) {
            let values = ($1 as? [HKQuantitySample] ?? []).map {
                $0.quantity.doubleValue(for: .count())
            }
            completion(values.reduce(0, +))  // finds summed-samples
        }
        healthStore.execute(query)
    }
}
