// Handlers that take turns, or each have a variable of their own.
import HealthKit

struct Snapshot {
    let store: HKHealthStore
    let predicate: NSPredicate
    let types: [HKQuantityType]
    private let queue = DispatchQueue(label: "results")
    private let lock = NSLock()

    private func sum(_ type: HKQuantityType, _ done: @escaping (Double) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: predicate, options: .cumulativeSum
        ) { _, statistics, _ in
            done(statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0)
        }
        store.execute(query)
    }

    private func sumOnMain(_ type: HKQuantityType, _ done: @escaping (Double) -> Void) {
        sum(type) { value in DispatchQueue.main.async { done(value) } }
    }

    func serial(_ done: @escaping ([Double]) -> Void) {
        let group = DispatchGroup()
        var values: [Double] = []
        for type in types {
            group.enter()
            sum(type) { value in
                queue.async {
                    values.append(value)
                    group.leave()
                }
            }
        }
        group.notify(queue: queue) { done(values) }
    }

    func locked() {
        var values: [Double] = []
        for type in types {
            sum(type) { value in
                lock.lock()
                defer { lock.unlock() }
                values.append(value)
            }
            sum(type) { value in lock.withLock { values.append(value) } }
        }
    }

    func onMain() {
        var values: [String: Double] = [:]
        for type in types {
            sumOnMain(type) { values[type.identifier] = $0 }
            sum(type) { value in DispatchQueue.main.async { values[type.identifier] = value } }
        }
    }

    func own(_ done: @escaping (Double, Double) -> Void) {
        let group = DispatchGroup()
        var steps = 0.0
        var energy = 0.0
        group.enter()
        sum(HKQuantityType(.stepCount)) { steps = $0; group.leave() }
        group.enter()
        sum(HKQuantityType(.activeEnergyBurned)) { energy += $0; group.leave() }
        group.notify(queue: .main) { done(steps, energy) }
    }
}
