import Foundation
import HealthKit

/// The years before the study, in batches of a month that can be resumed.
public actor BulkExporter {

    private let store: HKHealthStore
    private let standard: any StudyStandard
    private var finished: Set<Date> = []

    public init(store: HKHealthStore, standard: any StudyStandard) {
        self.store = store
        self.standard = standard
    }

    public func export(_ type: HKSampleType, since first: Date) async throws {
        let calendar = Calendar.current
        var month = calendar.dateInterval(of: .month, for: first)
        while let current = month, current.start < .now {
            if !finished.contains(current.start) {
                try await standard.add(samples(of: type, in: current), of: type)
                finished.insert(current.start)
            }
            month = calendar.dateInterval(of: .month, for: current.end)
        }
    }

    private func samples(of type: HKSampleType, in interval: DateInterval) async throws -> [HKSample] {
        let predicate = HKQuery.predicateForSamples(
            withStart: interval.start, end: interval.end, options: .strictStartDate)
        return try await withCheckedThrowingContinuation { continuation in
            let query = HKSampleQuery(
                sampleType: type, predicate: predicate, limit: HKObjectQueryNoLimit, sortDescriptors: nil
            ) { _, samples, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: samples ?? [])
                }
            }
            store.execute(query)
        }
    }

    /// A first look at what there is, for the consent screen.
    public func preview() async throws -> [HKSample] {
        let start = Calendar.current.date(byAdding: .day, value: -1, to: .now)
        let predicate = HKQuery.predicateForSamples(withStart: start, end: nil)
        let descriptor = HKSampleQueryDescriptor( // finds types-in-one-query
            predicates: [
                .quantitySample(type: HKQuantityType(.stepCount), predicate: predicate),
                .quantitySample(type: HKQuantityType(.heartRate), predicate: predicate),
                .categorySample(type: HKCategoryType(.sleepAnalysis), predicate: predicate),
            ],
            sortDescriptors: [],
            limit: 50)
        return try await descriptor.result(for: store)
    }
}
