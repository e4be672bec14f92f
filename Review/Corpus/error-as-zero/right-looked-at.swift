// The error was looked at: 0 is what remains for a day without data.
import Foundation
import HealthKit

final class CheckedTotals {
    private let store: HKHealthStore
    private let defaults = UserDefaults.standard
    var message: String?
    var steps = 0.0

    init(store: HKHealthStore) { self.store = store }

    private var today: NSPredicate {
        HKQuery.predicateForSamples(
            withStart: Calendar.current.startOfDay(for: .now), end: nil, options: .strictStartDate)
    }

    func refresh() {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: today,
            options: .cumulativeSum
        ) { [weak self] _, result, error in
            if let error = error as? HKError, error.code != .errorNoData { return }
            let total = result?.sumQuantity()?.doubleValue(for: .count()) ?? 0
            self?.defaults.set(total, forKey: "stepsToday")
        }
        store.execute(query)
    }

    func byCode(_ completion: @escaping (Result<Double, any Error>) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: today,
            options: .cumulativeSum
        ) { _, result, error in
            if let error {
                switch (error as? HKError)?.code {
                case .errorNoData: completion(.success(0))
                default: completion(.failure(error))
                }
                return
            }
            completion(.success(result?.sumQuantity()?.doubleValue(for: .count()) ?? 0))
        }
        store.execute(query)
    }

    func keep() {
        byCode { [defaults] result in
            guard case .success(let total) = result else { return }
            defaults.set(total, forKey: "steps")
        }
    }

    /// People see the error beside the 0.
    func show() {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: today,
            options: .cumulativeSum
        ) { [weak self] _, result, error in
            let text = error?.localizedDescription
            DispatchQueue.main.async {
                self?.message = text
                self?.steps = result?.sumQuantity()?.doubleValue(for: .count()) ?? 0
            }
        }
        store.execute(query)
    }
}
