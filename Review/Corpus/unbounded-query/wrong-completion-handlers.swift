// Sample queries that read a whole history, through completion handlers.
import HealthKit

final class VitalsHistory {
    private let healthStore: HKHealthStore
    private let newestFirst = NSSortDescriptor(
        key: HKSampleSortIdentifierStartDate, ascending: false)

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    func loadHeartRate(completion: @escaping ([HKQuantitySample]) -> Void) {
        let query = HKSampleQuery(  // finds unbounded-query
            sampleType: HKQuantityType(.heartRate),
            predicate: nil,
            limit: HKObjectQueryNoLimit,
            sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples as? [HKQuantitySample] ?? [])
        }
        healthStore.execute(query)
    }

    func loadOxygen(completion: @escaping ([HKSample]?, Error?) -> Void) {
        let type = HKQuantityType(.oxygenSaturation)
        healthStore.execute(
            HKSampleQuery(  // finds unbounded-query
                sampleType: type, predicate: nil, limit: 0, sortDescriptors: [newestFirst]
            ) { _, samples, error in
                completion(samples, error)
            })
    }

    func loadGlucose(completion: @escaping ([HKSample]) -> Void) {
        guard let type = HKObjectType.quantityType(forIdentifier: .bloodGlucose) else { return }
        let all = HKQuery.predicateForSamples(withStart: nil, end: nil, options: [])
        let query = HKSampleQuery(  // finds unbounded-query
            sampleType: type, predicate: all, limit: Int(HKObjectQueryNoLimit),
            sortDescriptors: [newestFirst],
            resultsHandler: { _, results, _ in completion(results ?? []) })
        healthStore.execute(query)
    }

    func loadRespiration(completion: @escaping ([HKSample]) -> Void) {
        let noPredicate: NSPredicate? = nil
        let noLimit = HKObjectQueryNoLimit
        let query = HKSampleQuery(  // finds unbounded-query
            sampleType: HKQuantityType(.respiratoryRate), predicate: noPredicate, limit: noLimit,
            sortDescriptors: nil
        ) {
            completion($1 ?? [])
        }
        healthStore.execute(query)
    }
}
