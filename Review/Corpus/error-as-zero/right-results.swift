// Failures that arrive as a `Result` and leave what is stored alone; zeros that are something else.
import HealthKit

final class CarefulSteps {
    private let store: HKHealthStore
    private let defaults: UserDefaults

    init(store: HKHealthStore, defaults: UserDefaults) {
        self.store = store
        self.defaults = defaults
    }

    func fetch(_ range: NSPredicate, completion: @escaping (Result<Double, Error>) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum
        ) { _, statistics, error in
            if let error { return completion(.failure(error)) }
            completion(.success(statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0))
        }
        store.execute(query)
    }

    func remember(_ range: NSPredicate) {
        fetch(range) { result in
            guard let value = try? result.get() else { return }
            self.defaults.set(value, forKey: "steps")
        }
    }

    func cache(_ range: NSPredicate) {
        fetch(range) { result in
            switch result {
            case .success(let value):
                self.defaults.set(value, forKey: "steps")
            case .failure:
                self.defaults.set(0, forKey: "successesInARow")
            }
        }
    }
}
