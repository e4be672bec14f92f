// Totals collected outside the handlers, and answers to another language.
import Foundation
import HealthKit

final class SummaryModule: NSObject {
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    private func total(_ type: HKQuantityType, _ unit: HKUnit, _ day: NSPredicate) -> Double {
        let semaphore = DispatchSemaphore(value: 0)
        var total = 0.0
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: day, options: .cumulativeSum
        ) { _, result, _ in
            total = result?.sumQuantity()?.doubleValue(for: unit) ?? 0  // finds error-as-zero
            semaphore.signal()
        }
        store.execute(query)
        semaphore.wait()
        return total
    }

    func export(_ day: NSPredicate, to file: URL) throws {
        let row = [total(HKQuantityType(.stepCount), .count(), day)]
        try JSONEncoder().encode(row).write(to: file)
    }

    @objc func getSteps(
        _ resolve: @escaping RCTPromiseResolveBlock, rejecter reject: @escaping RCTPromiseRejectBlock
    ) {
        let day = HKQuery.predicateForSamples(
            withStart: Calendar.current.startOfDay(for: .now), end: nil)
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: day,
            options: .cumulativeSum
        ) { _, result, error in
            guard let sum = result?.sumQuantity() else {
                resolve(["steps": 0])  // finds error-as-zero
                return
            }
            resolve(["steps": sum.doubleValue(for: .count())])
        }
        store.execute(query)
    }
}
