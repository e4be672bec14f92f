public import Foundation
import HealthEngine
import HealthStorage

/// A query for the sources of matching samples.
open class HKSourceQuery: HKQuery, @unchecked Sendable {  // immutable except for its handler
    private typealias Handler = @Sendable (HKSourceQuery, Set<HKSource>?, (any Error)?) -> Void

    private let type: HKSampleType
    private let handler: QueryHandler<Handler>

    /// Creates a query for the sources of one type's samples.
    ///
    /// - Parameters:
    ///   - sampleType: The type.
    ///   - objectPredicate: Which samples to consider; nil for all.
    ///   - completionHandler: Called once on a background queue, with the sources or an error.
    @preconcurrency
    public required init(
        sampleType: HKSampleType, samplePredicate objectPredicate: NSPredicate?,
        completionHandler:
            @escaping @Sendable (HKSourceQuery, Set<HKSource>?, (any Error)?) -> Void
    ) {
        type = sampleType
        handler = QueryHandler(completionHandler)
        super.init(_objectType: sampleType, predicate: objectPredicate)
    }

    override func run(_ execution: QueryExecution) throws {
        let request = try execution.request(type, super.predicate)
        let stored = try execution.connection.readableStore.sources(
            request, visibility: execution.visibility(of: [type]))
        let sources = Set(stored.sources.map { HKSource($0) })
        execution.deliver { handler.current?(self, sources, nil) }
    }

    override func report(_ error: HKError) { handler.current?(self, nil, error) }
    override func releaseHandlers() { handler.current = nil }
}

/// A query descriptor for the sources of matching samples, as ``HKSourceQuery`` returns them.
public struct HKSourceQueryDescriptor<Sample>: HKAsyncQuery where Sample: HKSample {
    /// The type and the samples to consider.
    public var predicate: HKSamplePredicate<Sample>

    /// Creates a query descriptor.
    ///
    /// - Parameter predicate: The type and the samples to consider.
    public init(predicate: HKSamplePredicate<Sample>) { self.predicate = predicate }

    /// Executes the query.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: The sources, ordered by bundle identifier.
    /// - Throws: ``HKError``; `CancellationError` if the task is cancelled.
    public func result(for healthStore: HKHealthStore) async throws -> [HKSource] {
        let sources = try await healthStore.awaitResult { deliver in
            HKSourceQuery(
                sampleType: predicate.sampleType, samplePredicate: predicate.nsPredicate
            ) { _, sources, error in
                deliver(Result(sources, error))
            }
        }
        return sources.sorted { $0.bundleIdentifier < $1.bundleIdentifier }
    }
}
