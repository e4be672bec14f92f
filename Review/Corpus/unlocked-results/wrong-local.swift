// Handlers that change a local collection together.
import HealthKit

struct Snapshot {
    let store: HKHealthStore
    let predicate: NSPredicate
    let types: [HKQuantityType]

    func all(_ done: @escaping ([HKSample]) -> Void) {
        let group = DispatchGroup()
        var found: [HKSample] = []
        for type in types {
            group.enter()
            store.execute(
                HKSampleQuery(sampleType: type, predicate: predicate, limit: 100, sortDescriptors: nil) {
                    _, samples, _ in
                    defer { group.leave() }
                    found.append(contentsOf: samples ?? [])  // finds unlocked-results
                })
        }
        group.notify(queue: .main) { done(found) }
    }

    func each(_ done: @escaping ([String: Double]) -> Void) {
        let group = DispatchGroup()
        var totals = [String: Double]()
        types.forEach { type in
            group.enter()
            sum(type) { value in
                totals[type.identifier] = value  // finds unlocked-results
                DispatchQueue.main.async { group.leave() }
            }
        }
        group.notify(queue: .main) { done(totals) }
    }

    func two(_ done: @escaping ([String: Double]) -> Void) {
        let group = DispatchGroup()
        var totals: [String: Double] = [:]
        group.enter()
        sum(HKQuantityType(.stepCount)) { value in
            totals["steps"] = value
            group.leave()
        }
        group.enter()
        sum(HKQuantityType(.activeEnergyBurned)) { value in
            totals["energy"] = value  // finds unlocked-results
            group.leave()
        }
        group.notify(queue: .main) { done(totals) }
    }

    func distance(_ done: @escaping (Double) -> Void) {
        let group = DispatchGroup()
        var meters = 0.0
        for type in [HKQuantityType(.distanceCycling), HKQuantityType(.distanceWalkingRunning)] {
            group.enter()
            sum(type) {
                meters += $0  // finds unlocked-results
                group.leave()
            }
        }
        group.notify(queue: .main) { done(meters) }
    }

    private func sum(_ type: HKQuantityType, _ done: @escaping (Double) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: predicate, options: .cumulativeSum
        ) { _, statistics, _ in
            done(statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0)
        }
        store.execute(query)
    }

    func threads(_ read: @escaping (HKQuantityType) -> [Double]) -> [String: [Double]] {
        let group = DispatchGroup()
        var series: [String: [Double]] = [:]
        for type in types {
            DispatchQueue.global(qos: .utility).async(group: group) {
                let values = read(type)
                series[type.identifier, default: []].append(contentsOf: values)  // finds unlocked-results
            }
        }
        group.wait()
        return series
    }

    func performed(_ read: @escaping (HKQuantityType) -> Double) -> [Double] {
        var values: [Double] = []
        DispatchQueue.concurrentPerform(iterations: types.count) { place in
            values.append(read(types[place]))  // finds unlocked-results
        }
        return values
    }
}
