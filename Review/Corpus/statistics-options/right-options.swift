// Options that suit their types, and types that nobody can know from here.
import HealthKit

final class SuitableStatistics {
    let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func steps(since start: Date, completion: @escaping (HKStatistics?) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount),
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            options: [.cumulativeSum, .separateBySource]
        ) { _, statistics, _ in
            completion(statistics)
        }
        store.execute(query)
    }

    func heartRate(predicate: NSPredicate) async throws -> HKStatistics? {
        try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.heartRate), predicate: predicate),
            options: [.discreteAverage, .discreteMin, .discreteMax]
        ).result(for: store)
    }

    func lastWeight(completion: @escaping (HKQuantity?) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.bodyMass), quantitySamplePredicate: nil,
            options: .mostRecent
        ) { _, statistics, _ in
            completion(statistics?.mostRecentQuantity())
        }
        store.execute(query)
    }

    func lastSteps(completion: @escaping (HKQuantity?) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil,
            options: [.mostRecent, .duration]
        ) { _, statistics, _ in
            completion(statistics?.mostRecentQuantity())
        }
        store.execute(query)
    }

    func statistics(
        of type: HKQuantityType, options: HKStatisticsOptions, predicate: NSPredicate?,
        completion: @escaping (HKStatistics?) -> Void
    ) {
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: predicate, options: options
        ) { _, statistics, _ in
            completion(statistics)
        }
        store.execute(query)
    }

    func daily(of type: HKQuantityType, from start: Date) -> HKStatisticsCollectionQuery {
        let options: HKStatisticsOptions =
            type.aggregationStyle == .cumulative ? .cumulativeSum : .discreteAverage
        return HKStatisticsCollectionQuery(
            quantityType: type,
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            options: options, anchorDate: Calendar.current.startOfDay(for: start),
            intervalComponents: DateComponents(day: 1))
    }
}
