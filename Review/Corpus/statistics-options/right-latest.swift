// The latest value suits every type, under its old name too; mixed lists are not judged.
import HealthKit

final class Latest {
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func steps(in range: NSPredicate) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: [.cumulativeSum, .discreteMostRecent]
        ) { _, statistics, _ in
            print(statistics?.mostRecentQuantity() as Any)
        }
        store.execute(query)
    }

    func all(in range: NSPredicate) async throws {
        for type in [HKQuantityType(.stepCount), HKQuantityType(.heartRate)] {
            let options: HKStatisticsOptions =
                type.aggregationStyle == .cumulative ? .cumulativeSum : .discreteAverage
            let descriptor = HKStatisticsQueryDescriptor(
                predicate: .quantitySample(type: type, predicate: range), options: options)
            print(try await descriptor.result(for: store) as Any)
        }
    }
}
