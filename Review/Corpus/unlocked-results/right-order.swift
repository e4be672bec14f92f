// Handlers that run one after the other, or that each have a collection of their own.
import HealthKit

struct Snapshot {
    let store: HKHealthStore
    let predicate: NSPredicate
    let types: [HKQuantityType]

    private func sum(_ type: HKQuantityType, _ done: @escaping (Double) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: predicate, options: .cumulativeSum
        ) { _, statistics, _ in
            done(statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0)
        }
        store.execute(query)
    }

    func oneAfterTheOther() -> [Double] {
        let semaphore = DispatchSemaphore(value: 0)
        var values: [Double] = []
        for type in types {
            sum(type) { value in
                values.append(value)
                semaphore.signal()
            }
            semaphore.wait()
        }
        sum(HKQuantityType(.stepCount)) { value in
            values.append(value)
            semaphore.signal()
        }
        semaphore.wait()
        return values
    }

    func nested(_ done: @escaping ([Double]) -> Void) {
        var values: [Double] = []
        sum(HKQuantityType(.stepCount)) { steps in
            values.append(steps)
            sum(HKQuantityType(.activeEnergyBurned)) { energy in
                values.append(energy)
                done(values)
            }
        }
    }

    func awaited() async -> [Double] {
        var values: [Double] = []
        for type in types {
            await withCheckedContinuation { (next: CheckedContinuation<Void, Never>) in
                sum(type) { value in
                    values.append(value)
                    next.resume()
                }
            }
        }
        return values
    }

    func alternatives(_ isActive: Bool, _ done: @escaping ([Double]) -> Void) {
        var values: [Double] = []
        if isActive {
            sum(HKQuantityType(.activeEnergyBurned)) { values.append($0); done(values) }
        } else {
            sum(HKQuantityType(.basalEnergyBurned)) { values.append($0); done(values) }
        }
    }

    func inside() {
        for type in types {
            var values: [Double] = []
            sum(type) { value in
                values.append(value)
                var copies: [Double] = []
                copies.append(value)
                print(values, copies)
            }
        }
    }

    func calledAtOnce(_ names: [String]) -> [String: Int] {
        var counts: [String: Int] = [:]
        names.forEach { counts[$0, default: 0] += 1 }
        return counts
    }
}
