// Properties that belong to no actor, and locals that only share a name.
import HealthKit
import SwiftUI

final class PlainCache {
    private var latest: [HKSample] = []
    private let lock = NSLock()
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func load(_ range: NSPredicate) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: range, limit: 100,
            sortDescriptors: nil
        ) { [weak self] _, samples, _ in
            self?.lock.lock()
            self?.latest = samples ?? []  // finds error-as-zero
            self?.lock.unlock()
        }
        store.execute(query)
    }
}

@Observable
final class Chart {
    var points: [Double] = []
    @ObservationIgnored private var cache: [HKSample] = []
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func load(_ range: NSPredicate, completion: @escaping ([Double]) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.respiratoryRate), predicate: range, limit: 100,
            sortDescriptors: nil
        ) { _, samples, _ in
            var points: [Double] = []
            for sample in samples ?? [] {
                points.append(sample.startDate.timeIntervalSinceReferenceDate)
            }
            completion(points)
        }
        store.execute(query)
    }

    func keep(_ range: NSPredicate) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: range, limit: 100,
            sortDescriptors: nil
        ) { [weak self] _, samples, _ in
            self?.cache = samples ?? []  // finds error-as-zero
        }
        store.execute(query)
    }
}
