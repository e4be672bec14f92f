// Options from outside that are chosen by the type, or asked about before.
import HealthKit

final class CheckedBridge {
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func type(named name: String) -> HKQuantityType? {
        switch name {
        case "steps": return HKQuantityType(.stepCount)
        case "pulse": return HKQuantityType(.heartRate)
        default: return nil
        }
    }

    func daily(_ name: String, resolve: @escaping (Any?) -> Void) {
        guard let type = type(named: name) else { return resolve(nil) }
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: nil,
            options: type.aggregationStyle == .cumulative ? .cumulativeSum : .discreteAverage
        ) { _, statistics, _ in
            resolve(statistics?.startDate)
        }
        store.execute(query)
    }

    func latest(_ identifier: String, resolve: @escaping (Any?) -> Void) {
        let name = HKQuantityTypeIdentifier(rawValue: identifier)
        guard let type = HKQuantityType.quantityType(forIdentifier: name) else { return resolve(nil) }
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: nil, options: .mostRecent
        ) { _, statistics, _ in
            resolve(statistics?.startDate)
        }
        store.execute(query)
    }

    private func sum(_ type: HKQuantityType, resolve: @escaping (Any?) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: nil, options: .cumulativeSum
        ) { _, statistics, _ in
            resolve(statistics?.startDate)
        }
        store.execute(query)
    }

    func value(_ name: String, resolve: @escaping (Any?) -> Void) {
        guard let type = type(named: name), type.aggregationStyle == .cumulative else { return resolve(nil) }
        sum(type, resolve: resolve)
    }
}

extension CheckedBridge {
    func byIdentifier(_ identifier: String, resolve: @escaping (Any?) -> Void) {
        let name = HKQuantityTypeIdentifier(rawValue: identifier)
        guard let type = HKQuantityType.quantityType(forIdentifier: name) else {
            return resolve(nil)
        }
        let options: HKStatisticsOptions
        switch name {
        case .stepCount, .flightsClimbed: options = .cumulativeSum
        default: options = .discreteAverage
        }
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: nil, options: options
        ) { _, statistics, _ in
            resolve(statistics?.startDate)
        }
        store.execute(query)
    }
}
