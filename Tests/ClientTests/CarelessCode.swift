import Foundation
import HealthKit

/// What the articles warn of, written down as it is found in apps; each compiles and seems to work.
struct CarelessCode {
    let healthStore: HKHealthStore
    let steps = HKQuantityType(.stepCount)

    /// Everything ever recorded, and added up by hand.
    func sumOfEverything() async throws -> Double {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKSampleQuery(
                sampleType: steps, predicate: nil, limit: HKObjectQueryNoLimit,
                sortDescriptors: nil
            ) { _, samples, error in
                if let error {
                    continuation.resume(throwing: error)
                    return
                }
                var total = 0.0
                for case let sample as HKQuantitySample in samples ?? [] {
                    total += sample.quantity.doubleValue(for: .count())
                }
                continuation.resume(returning: total)
            }
            healthStore.execute(query)
        }
    }

    /// Changes without those that went away.
    func additions(since anchor: HKQueryAnchor?) async throws -> (Int, HKQueryAnchor?) {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKAnchoredObjectQuery(
                type: steps, predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
            ) { _, samples, _, newAnchor, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: (samples?.count ?? 0, newAnchor))
                }
            }
            healthStore.execute(query)
        }
    }

    /// An observer that never says that it is done.
    func observe(_ onChange: @escaping @Sendable () -> Void) -> HKObserverQuery {
        let query = HKObserverQuery(sampleType: steps, predicate: nil) { _, _, _ in onChange() }
        healthStore.execute(query)
        return query
    }

    /// The average of something that only adds up.
    func averageSteps() async throws -> HKStatistics? {
        try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: steps), options: .discreteAverage
        ).result(for: healthStore)
    }

    /// Background delivery that nobody listens to.
    func enableDelivery() async throws {
        try await healthStore.enableBackgroundDelivery(for: steps, frequency: .hourly)
    }

    /// Steps without what people typed in, by a format string.
    func measuredSteps() async throws -> [HKQuantitySample] {
        let measured = NSPredicate(format: "metadata.%K != YES", HKMetadataKeyWasUserEntered)
        let late = NSPredicate(
            format: "%K >= %@", HKPredicateKeyPathStartDate,
            Date(timeIntervalSinceReferenceDate: 796_258_800) as NSDate)
        return try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: steps,
                    predicate: NSCompoundPredicate(andPredicateWithSubpredicates: [measured, late]))
            ], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: healthStore)
    }
}
