// Handlers that end the app where a read fails.
import HealthKit

final class BodyReader {
    private let store: HKHealthStore
    private let newest = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)

    init(store: HKHealthStore) { self.store = store }

    func weight(_ show: @escaping (HKQuantitySample) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bodyMass), predicate: nil, limit: 1,
            sortDescriptors: [newest]
        ) { _, samples, error in
            guard let samples else {
                fatalError("no weight: \(error?.localizedDescription ?? "")")  // finds fatal-on-failure
            }
            if let weight = samples.first as? HKQuantitySample { show(weight) }
        }
        store.execute(query)
    }

    func height(_ show: @escaping ([HKQuantitySample]) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.height), predicate: nil, limit: 5, sortDescriptors: [newest]
        ) { _, samples, _ in
            show(samples as! [HKQuantitySample])  // finds fatal-on-failure
        }
        store.execute(query)
    }

    func fat(_ show: @escaping (Double) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bodyFatPercentage), predicate: nil, limit: 1,
            sortDescriptors: [newest]
        ) { _, samples, error in
            if error != nil { return }
            let sample = samples![0] as! HKQuantitySample  // finds fatal-on-failure
            show(sample.quantity.doubleValue(for: .percent()))
        }
        store.execute(query)
    }

    func steps(since start: Date, _ show: @escaping (Double) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount),
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            options: .cumulativeSum
        ) { _, statistics, _ in
            show(statistics!.sumQuantity()!.doubleValue(for: .count()))  // finds fatal-on-failure
        }
        store.execute(query)
    }
}
