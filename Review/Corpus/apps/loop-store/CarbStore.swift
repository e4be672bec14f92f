import Foundation
import HealthKit

public final class CarbStore: HealthKitSampleStore {

    private var entries: [String: HKQuantitySample] = [:]
    private let entryQueue = DispatchQueue(label: "org.example.loopstore.carbs")

    public init(healthStore: HKHealthStore) {
        super.init(
            healthStore: healthStore, type: HKQuantityType(.dietaryCarbohydrates),
            observationStart: Date(timeIntervalSinceNow: -24 * 3600))
    }

    override func processResults(
        added: [HKSample], deleted: [HKDeletedObject], completion: @escaping (Bool) -> Void
    ) {
        entryQueue.async {
            for case let sample as HKQuantitySample in added {
                self.entries[sample.uuid.uuidString] = sample
            }
            for object in deleted { self.entries.removeValue(forKey: object.uuid.uuidString) }
            completion(true)
        }
    }

    public func replace(_ old: HKQuantitySample, grams: Double, completion: @escaping (Error?) -> Void) {
        let version = (old.metadata?[HKMetadataKeySyncVersion] as? Int ?? 1) + 1
        var metadata = old.metadata ?? [:]
        metadata[HKMetadataKeySyncVersion] = version
        let new = HKQuantitySample(
            type: HKQuantityType(.dietaryCarbohydrates), quantity: HKQuantity(unit: .gram(), doubleValue: grams),
            start: old.startDate, end: old.endDate, metadata: metadata)
        healthStore.save(new) { _, error in completion(error) }
    }

    public func delete(_ entry: HKQuantitySample, completion: @escaping (Error?) -> Void) {
        healthStore.delete(entry) { _, error in
            self.entryQueue.async { self.entries[entry.uuid.uuidString] = nil }
            completion(error)
        }
    }

    public func totalCarbs(since start: Date, completion: @escaping (Double?) -> Void) {
        let unit = HKUnit.gram()
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.dietaryCarbohydrates),
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: nil, options: .strictStartDate),
            options: .cumulativeSum
        ) { _, statistics, _ in
            completion(statistics?.sumQuantity()?.doubleValue(for: unit))
        }
        healthStore.execute(query)
    }
}
