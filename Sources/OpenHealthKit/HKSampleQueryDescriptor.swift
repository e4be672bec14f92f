public import Foundation
import HealthStorage

/// Awaits samples, as ``HKSampleQuery`` asks for them.
///
/// ```swift
/// let descriptor = HKSampleQueryDescriptor(
///     predicates: [.quantitySample(type: HKQuantityType(.stepCount))],
///     sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)], limit: 10)
/// let latest = try await descriptor.result(for: store)
/// ```
// Sort descriptors of key paths are immutable, though Foundation doesn't say so for every Sample.
public struct HKSampleQueryDescriptor<Sample>: HKAsyncQuery, @unchecked Sendable
where Sample: HKSample {
    /// Types and predicates; a sample that matches several comes once.
    public var predicates: [HKSamplePredicate<Sample>]
    /// The order of the samples; by start date if empty.
    public var sortDescriptors: [SortDescriptor<Sample>]
    /// How many samples at most; nil for all.
    public var limit: Int?

    /// A query of samples.
    public init(
        predicates: [HKSamplePredicate<Sample>], sortDescriptors: [SortDescriptor<Sample>],
        limit: Int? = nil
    ) {
        self.predicates = predicates
        self.sortDescriptors = sortDescriptors
        self.limit = limit
    }

    /// The samples.
    ///
    /// - Throws: ``HKError``; `CancellationError` if the task is cancelled.
    public func result(for healthStore: HKHealthStore) async throws -> [Sample] {
        let order = try SampleSort.list(sortDescriptors)
        let samples = try await healthStore.answer { give in
            HKSampleQuery(
                descriptors: predicates.map(\.descriptor), limit: limit ?? HKObjectQueryNoLimit,
                order: order
            ) { _, samples, error in
                give(Result(samples, error))
            }
        }
        return samples.compactMap { $0 as? Sample }
    }
}
