// Options that HealthKit refuses for the type: these raise an exception at run time.
import HealthKit

final class StatisticsService {
    let store: HKHealthStore
    private static let weight = HKQuantityType(.bodyMass)

    init(store: HKHealthStore) {
        self.store = store
    }

    func heartRate(since start: Date, completion: @escaping (HKStatistics?) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.heartRate),
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            options: .cumulativeSum  // finds statistics-options
        ) { _, statistics, _ in
            completion(statistics)
        }
        store.execute(query)
    }

    func steps(predicate: NSPredicate, completion: @escaping (HKStatistics?) -> Void) {
        guard let type = HKQuantityType.quantityType(forIdentifier: .stepCount) else { return }
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: predicate,
            options: [.discreteAverage, .separateBySource]  // finds statistics-options
        ) { _, statistics, _ in
            completion(statistics)
        }
        store.execute(query)
    }

    func weights(predicate: NSPredicate, anchor: Date) -> HKStatisticsCollectionQuery {
        let options: HKStatisticsOptions = [.cumulativeSum, .separateBySource]
        return HKStatisticsCollectionQuery(
            quantityType: Self.weight, quantitySamplePredicate: predicate,
            options: options,  // finds statistics-options
            anchorDate: Calendar.current.startOfDay(for: anchor),
            intervalComponents: DateComponents(day: 1))
    }

    func anything(_ type: HKQuantityType, completion: @escaping (HKStatistics?) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: nil,
            options: [.cumulativeSum, .discreteMax]  // finds statistics-options
        ) { _, statistics, _ in
            completion(statistics)
        }
        store.execute(query)
    }
}
