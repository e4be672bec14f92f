// Properties that an actor, the main actor or a lock guards, or that one handler alone changes.
import HealthKit

actor Results {
    private var values: [String: Double] = [:]
    func add(_ value: Double, _ name: String) { values[name] = value }
}

final class Locked {
    let store: HKHealthStore
    private let access = NSLock()
    private var latest: [HKSampleType: HKSample] = [:]

    init(store: HKHealthStore) { self.store = store }

    private func keep(_ sample: HKSample) { access.withLock { latest[sample.sampleType] = sample } }

    func read(_ types: [HKQuantityType], _ predicate: NSPredicate) {
        for type in types {
            let query = HKSampleQuery(
                sampleType: type, predicate: predicate, limit: 1, sortDescriptors: nil
            ) { _, samples, _ in
                if let sample = samples?.first { self.keep(sample) }
            }
            store.execute(query)
        }
    }
}

final class Single {
    let store: HKHealthStore
    private var rows: [Date] = []
    private var queries: [HKQuery] = []

    init(store: HKHealthStore) { self.store = store }

    func read(_ types: [HKQuantityType], _ predicate: NSPredicate) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bodyMass), predicate: predicate, limit: 10,
            sortDescriptors: nil
        ) { _, samples, _ in
            for sample in samples ?? [] { self.rows.append(sample.startDate) }
        }
        queries.append(query)
        store.execute(query)
        for type in types {
            let each = HKSampleQuery(
                sampleType: type, predicate: predicate, limit: 1, sortDescriptors: nil
            ) { _, samples, _ in print(samples?.count ?? 0) }
            queries.append(each)
            store.execute(each)
        }
    }
}

final class Actors {
    let store: HKHealthStore
    let results = Results()

    init(store: HKHealthStore) { self.store = store }

    func read(_ types: [HKQuantityType], _ predicate: NSPredicate) {
        for type in types {
            let query = HKSampleQuery(
                sampleType: type, predicate: predicate, limit: 1, sortDescriptors: nil
            ) { _, samples, _ in
                let count = Double(samples?.count ?? 0)
                Task { await self.results.add(count, type.identifier) }
            }
            store.execute(query)
        }
    }
}
