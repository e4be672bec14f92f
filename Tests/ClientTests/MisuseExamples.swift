import Foundation
import HealthKit

/// Common mistakes from articles, as found in apps. All of it compiles and appears to work.
struct MisuseExamples {
    let healthStore: HKHealthStore
    let steps = HKQuantityType(.stepCount)

    /// Fetches all samples, and sums them by hand.
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

    /// Returns changes without deletions.
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

    /// Starts an observer that never calls its completion handler.
    func observe(_ onChange: @escaping @Sendable () -> Void) -> HKObserverQuery {
        let query = HKObserverQuery(sampleType: steps, predicate: nil) { _, _, _ in onChange() }
        healthStore.execute(query)
        return query
    }

    /// Requests the average of a cumulative type.
    func averageSteps() async throws -> HKStatistics? {
        try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: steps), options: .discreteAverage
        ).result(for: healthStore)
    }

    /// Enables background delivery without an observer.
    func enableDelivery() async throws {
        try await healthStore.enableBackgroundDelivery(for: steps, frequency: .hourly)
    }

    /// Returns steps without user-entered samples, selected with a format string.
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
