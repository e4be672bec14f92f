import Foundation
import HealthKit

/// An app's HealthKit layer from before Swift 6: completion handlers, captured variables that
/// handlers set, a shared instance, and no sendability annotations.
class HealthKitService {
    let healthStore: HKHealthStore
    var lastError: Error?
    private var anchors: [String: HKQueryAnchor] = [:]
    private var observers: [HKObserverQuery] = []

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    deinit {
        observers.forEach { healthStore.stop($0) }
    }

    func authorize(_ completion: @escaping (Bool) -> Void) {
        guard HKHealthStore.isHealthDataAvailable(),
            let steps = HKObjectType.quantityType(forIdentifier: .stepCount),
            let mass = HKObjectType.quantityType(forIdentifier: .bodyMass),
            let sleep = HKObjectType.categoryType(forIdentifier: .sleepAnalysis)
        else {
            completion(false)
            return
        }
        healthStore.requestAuthorization(toShare: [mass], read: [steps, mass, sleep]) {
            success, error in
            self.lastError = error
            DispatchQueue.global().async { completion(success) }
        }
    }

    /// Runs several queries concurrently and collects their results in one dictionary.
    func summary(
        from start: Date, to end: Date, completion: @escaping ([String: Double]) -> Void
    ) {
        var values: [String: Double] = [:]
        let group = DispatchGroup()
        let queue = DispatchQueue(label: "summary")
        let queries: [(HKQuantityTypeIdentifier, HKStatisticsOptions, HKUnit)] = [
            (.stepCount, .cumulativeSum, .count()),
            (.bodyMass, .discreteAverage, .gramUnit(with: .kilo)),
        ]
        for (identifier, options, unit) in queries {
            guard let type = HKQuantityType.quantityType(forIdentifier: identifier) else {
                continue
            }
            group.enter()
            let predicate = HKQuery.predicateForSamples(
                withStart: start, end: end, options: .strictStartDate)
            let query = HKStatisticsQuery(
                quantityType: type, quantitySamplePredicate: predicate, options: options
            ) { _, statistics, _ in
                let quantity = statistics?.sumQuantity() ?? statistics?.averageQuantity()
                queue.async {
                    values[identifier.rawValue] = quantity?.doubleValue(for: unit)
                    group.leave()
                }
            }
            healthStore.execute(query)
        }
        group.notify(queue: queue) { completion(values) }
    }

    /// Sums the minutes in bed and asleep in a handler.
    func sleep(
        from start: Date, to end: Date,
        completion: @escaping (_ inBed: Double, _ asleep: Double) -> Void
    ) {
        var inBed = 0.0
        var asleep = 0.0
        guard let type = HKObjectType.categoryType(forIdentifier: .sleepAnalysis) else {
            completion(0, 0)
            return
        }
        let sort = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
        let query = HKSampleQuery(
            sampleType: type,
            predicate: HKQuery.predicateForSamples(withStart: start, end: end, options: []),
            limit: 30, sortDescriptors: [sort]
        ) { _, results, error in
            guard error == nil, let samples = results as? [HKCategorySample] else {
                self.lastError = error
                return
            }
            for sample in samples {
                let minutes = sample.endDate.timeIntervalSince(sample.startDate) / 60
                switch sample.value {
                case HKCategoryValueSleepAnalysis.inBed.rawValue: inBed += minutes
                case HKCategoryValueSleepAnalysis.asleepCore.rawValue,
                    HKCategoryValueSleepAnalysis.asleepUnspecified.rawValue:
                    asleep += minutes
                default: break
                }
            }
            completion(inBed, asleep)
        }
        healthStore.execute(query)
    }

    /// Returns the changes since the last call, with one anchor per type.
    func changes(
        of type: HKSampleType, completion: @escaping ([HKSample], [HKDeletedObject]) -> Void
    ) {
        let query = HKAnchoredObjectQuery(
            type: type, predicate: nil, anchor: anchors[type.identifier],
            limit: HKObjectQueryNoLimit
        ) { _, samples, deleted, anchor, error in
            if let error = error {
                self.lastError = error
                completion([], [])
                return
            }
            completion(samples ?? [], deleted ?? [])
            self.anchors[type.identifier] = anchor
        }
        healthStore.execute(query)
    }

    func observe(_ type: HKSampleType, onChange: @escaping () -> Void) {
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, error in
            if let error = error as? HKError { self.lastError = error }
            onChange()
            completion()
        }
        healthStore.execute(query)
        observers.append(query)
        healthStore.enableBackgroundDelivery(for: type, frequency: .immediate) { success, error in
            if !success { self.lastError = error }
        }
    }

    func saveWeight(_ kilograms: Double, date: Date, completion: @escaping (Bool) -> Void) {
        guard let type = HKQuantityType.quantityType(forIdentifier: .bodyMass) else {
            completion(false)
            return
        }
        let quantity = HKQuantity(unit: HKUnit(from: "kg"), doubleValue: kilograms)
        let sample = HKQuantitySample(type: type, quantity: quantity, start: date, end: date)
        healthStore.save(sample) { success, error in
            self.lastError = error
            completion(success)
        }
    }
}
