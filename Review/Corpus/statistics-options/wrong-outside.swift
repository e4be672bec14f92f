// Options that come over a bridge apart from the type.
import HealthKit

final class StatisticsBridge {
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func statistics(typeIdentifier: String, options: [String], resolve: @escaping (Any?) -> Void) {
        let identifier = HKQuantityTypeIdentifier(rawValue: typeIdentifier)
        guard let type = HKObjectType.quantityType(forIdentifier: identifier) else { return resolve(nil) }
        var chosen = HKStatisticsOptions()
        for option in options {
            switch option {
            case "sum": chosen.insert(.cumulativeSum)
            case "average": chosen.insert(.discreteAverage)
            case "maximum": chosen.insert(.discreteMax)
            default: break
            }
        }
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: nil,
            options: chosen  // finds statistics-options
        ) { _, statistics, _ in
            resolve(statistics?.startDate)
        }
        store.execute(query)
    }

    private func parse(_ names: [String]) -> HKStatisticsOptions {
        var all: HKStatisticsOptions = []
        if names.contains("sum") { all.insert(.cumulativeSum) }
        if names.contains("average") { all.insert(.discreteAverage) }
        return all
    }

    func parsed(_ name: String, options: [String], resolve: @escaping (Any?) -> Void) {
        guard
            let type = HKQuantityType.quantityType(
                forIdentifier: HKQuantityTypeIdentifier(rawValue: name))
        else { return resolve(nil) }
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: nil,
            options: parse(options)  // finds statistics-options
        ) { _, statistics, _ in
            resolve(statistics?.startDate)
        }
        store.execute(query)
    }

    func type(named name: String) -> HKQuantityType? {
        switch name {
        case "steps": return HKQuantityType(.stepCount)
        case "pulse": return HKQuantityType(.heartRate)
        default: return nil
        }
    }

    func total(_ name: String, resolve: @escaping (Any?) -> Void) {
        guard let type = type(named: name) else { return resolve(nil) }
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: nil,
            options: .cumulativeSum  // finds statistics-options
        ) { _, statistics, _ in
            resolve(statistics?.startDate)
        }
        store.execute(query)
    }
}
