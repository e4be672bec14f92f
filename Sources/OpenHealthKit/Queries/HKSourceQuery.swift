public import Foundation
import HealthEngine
import HealthStorage

/// Asks once who wrote the samples that a predicate selects.
open class HKSourceQuery: HKQuery, @unchecked Sendable {  // immutable but for the locked handler
    private typealias Handler = @Sendable (HKSourceQuery, Set<HKSource>?, (any Error)?) -> Void

    private let type: HKSampleType
    private let handler: QueryHandler<Handler>

    /// Asks about samples of one type.
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
