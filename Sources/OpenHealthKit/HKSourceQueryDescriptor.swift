/// Awaits who wrote the samples that a predicate selects, as ``HKSourceQuery`` tells it.
public struct HKSourceQueryDescriptor<Sample>: HKAsyncQuery where Sample: HKSample {
    /// The type and which of its samples count.
    public var predicate: HKSamplePredicate<Sample>

    /// A query of sources.
    public init(predicate: HKSamplePredicate<Sample>) { self.predicate = predicate }

    /// The sources, by bundle identifier.
    ///
    /// - Throws: ``HKError``; `CancellationError` if the task is cancelled.
    public func result(for healthStore: HKHealthStore) async throws -> [HKSource] {
        let sources = try await healthStore.answer { give in
            HKSourceQuery(
                sampleType: predicate.sampleType, samplePredicate: predicate.nsPredicate
            ) { _, sources, error in
                give(Result(sources, error))
            }
        }
        return sources.sorted { $0.bundleIdentifier < $1.bundleIdentifier }
    }
}
