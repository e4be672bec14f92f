public import Foundation
import HealthEngine
import HealthStorage

/// A query for correlations, filtered by their own properties and by those of their members.
// `@unchecked Sendable`: all stored properties are immutable except for the handler, which is
// locked.
open class HKCorrelationQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (HKCorrelationQuery, [HKCorrelation]?, (any Error)?) -> Void

    private let type: HKCorrelationType
    private let memberPredicates: [HKSampleType: NSPredicate]?
    private let handler: QueryHandler<Handler>

    /// Creates a query for correlations of one type.
    ///
    /// - Parameters:
    ///   - correlationType: The type.
    ///   - predicate: Which correlations to return; nil for all.
    ///   - samplePredicates: Predicates for members, by the type of the member; nil for none. For
    ///     each entry, a correlation needs at least one member of that type that matches. Example:
    ///     blood pressures with a systolic value above 140 mmHg.
    ///   - completion: Called once on a background queue, with the correlations ordered by start,
    ///     or an error.
    @preconcurrency
    public required init(
        type correlationType: HKCorrelationType, predicate: NSPredicate?,
        samplePredicates: [HKSampleType: NSPredicate]?,
        completion:
            @escaping @Sendable (HKCorrelationQuery, [HKCorrelation]?, (any Error)?) -> Void
    ) {
        type = correlationType
        memberPredicates = samplePredicates
        handler = QueryHandler(completion)
        super.init(_objectType: correlationType, predicate: predicate)
    }

    /// The type of the correlations.
    open var correlationType: HKCorrelationType { type }

    /// The predicates for members, by type.
    open var samplePredicates: [HKSampleType: NSPredicate]? { memberPredicates }

    override func run(_ execution: QueryExecution) throws {
        let memberRequests = try (memberPredicates ?? [:]).map {
            try execution.request($0.key, $0.value)
        }
        let stored = try execution.connection.readableStore.objects(
            [execution.request(type, super.predicate)], sortedBy: [], limit: nil,
            visibility: execution.visibility(of: [type]))
        let correlations = SampleObjects.objects(stored)
            .compactMap { $0 as? HKCorrelation }
            .filter { correlation in
                memberRequests.allSatisfy { request in
                    correlation.objects.contains {
                        $0.sampleType.identifier == request.type.identifier
                            && request.filter.matches(ObjectFacts(sample: $0))
                    }
                }
            }
        execution.deliver { handler.current?(self, correlations, nil) }
    }

    override func report(_ error: HKError) { handler.current?(self, nil, error) }
    override func releaseHandlers() { handler.current = nil }
}
