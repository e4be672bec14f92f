// Handlers that change a property of a class without a lock.
import HealthKit

final class Collector {
    let store: HKHealthStore
    private var latest: [HKSampleType: HKSample] = [:]
    private var rows: [[String: Any]] = []

    init(store: HKHealthStore) { self.store = store }

    func read(_ types: [HKQuantityType], _ predicate: NSPredicate) {
        for type in types {
            let query = HKSampleQuery(
                sampleType: type, predicate: predicate, limit: 1, sortDescriptors: nil
            ) { [weak self] _, samples, _ in
                guard let self, let sample = samples?.first else { return }
                self.latest[type] = sample  // finds unlocked-results
            }
            store.execute(query)
        }
    }

    func readBoth(_ predicate: NSPredicate) {
        let sleep = HKSampleQuery(
            sampleType: HKCategoryType(.sleepAnalysis), predicate: predicate, limit: 10,
            sortDescriptors: nil
        ) { _, samples, _ in
            for sample in samples ?? [] { self.rows.append(["sleep": sample.startDate]) }
        }
        let weight = HKSampleQuery(
            sampleType: HKQuantityType(.bodyMass), predicate: predicate, limit: 10,
            sortDescriptors: nil
        ) { _, samples, _ in
            for sample in samples ?? [] { self.rows.append(["weight": sample.startDate]) }  // finds unlocked-results
        }
        store.execute(sleep)
        store.execute(weight)
    }
}

final class Report {
    let store: HKHealthStore
    private var values: [String: Double] = [:]

    init(store: HKHealthStore) { self.store = store }

    func load(_ predicate: NSPredicate) {
        loadSteps(predicate)
        loadEnergy(predicate)
    }

    private func loadSteps(_ predicate: NSPredicate) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: predicate,
            options: .cumulativeSum
        ) { _, statistics, _ in
            self.values["steps"] = statistics?.sumQuantity()?.doubleValue(for: .count())
        }
        store.execute(query)
    }

    private func loadEnergy(_ predicate: NSPredicate) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.activeEnergyBurned), quantitySamplePredicate: predicate,
            options: .cumulativeSum
        ) { _, statistics, _ in
            self.values["energy"] = statistics?.sumQuantity()?.doubleValue(for: .kilocalorie())  // finds unlocked-results
        }
        store.execute(query)
    }
}
