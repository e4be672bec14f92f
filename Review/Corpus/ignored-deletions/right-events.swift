// Events from now on, and the first results of a fresh query.
import HealthKit

final class LiveEvents {
    private let store = HKHealthStore()
    private var query: HKAnchoredObjectQuery?

    func start(_ deliver: @escaping ([HKSample]) -> Void) {
        let predicate = HKQuery.predicateForSamples(
            withStart: Date(), end: nil, options: .strictStartDate)
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.heartRate), predicate: predicate, anchor: nil,
            limit: HKObjectQueryNoLimit
        ) { _, samples, _, _, _ in deliver(samples ?? []) }
        query.updateHandler = { _, samples, _, _, _ in deliver(samples ?? []) }
        self.query = query
        store.execute(query)
    }

    func stop() {
        if let query { store.stop(query) }
    }
}

final class ShownReadings {
    private let store = HKHealthStore()
    private var query: HKAnchoredObjectQuery?
    private(set) var readings: [UUID: Double] = [:]

    func start() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.bloodGlucose), predicate: nil, anchor: nil,
            limit: HKObjectQueryNoLimit
        ) { [weak self] _, samples, _, _, _ in self?.add(samples ?? []) }
        query.updateHandler = { [weak self] _, samples, deleted, _, _ in
            self?.add(samples ?? [])
            for object in deleted ?? [] { self?.readings[object.uuid] = nil }
        }
        self.query = query
        store.execute(query)
    }

    func stop() {
        if let query { store.stop(query) }
    }

    private func add(_ samples: [HKSample]) {
        for case let sample as HKQuantitySample in samples {
            readings[sample.uuid] = sample.quantity.doubleValue(for: HKUnit(from: "mg/dL"))
        }
    }
}
