// Options that end the app, in the forms they are written.
import HealthKit

final class Totals {
    let store: HKHealthStore
    let steps = HKQuantityType(.stepCount)
    var options: HKStatisticsOptions = .discreteAverage

    init(store: HKHealthStore) { self.store = store }

    func mean(today: NSPredicate) {
        let query = HKStatisticsQuery(
            quantityType: steps, quantitySamplePredicate: today,
            options: options  // finds statistics-options
        ) { _, statistics, _ in
            print(statistics?.averageQuantity() as Any)
        }
        store.execute(query)
    }

    func beats(today: NSPredicate) async throws -> HKStatistics? {
        try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.heartRate), predicate: today),
            options: [.cumulativeSum, .separateBySource]  // finds statistics-options
        ).result(for: store)
    }
}
