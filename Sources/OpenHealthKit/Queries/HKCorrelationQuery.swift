public import Foundation
import HealthEngine
import HealthStorage

/// Asks once for correlations by their own facts and by those of their members.
// Immutable but for the handler, which is under a lock.
open class HKCorrelationQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (HKCorrelationQuery, [HKCorrelation]?, (any Error)?) -> Void

    private let type: HKCorrelationType
    private let memberPredicates: [HKSampleType: NSPredicate]?
    private let handler: QueryHandler<Handler>

    /// Asks for correlations of one type.
    ///
    /// - Parameters:
    ///   - predicate: Tests the correlation itself.
    ///   - samplePredicates: By type, each true of at least one member of that type: blood pressures
    ///     whose systolic reading is above 140 mmHg.
    ///   - completion: Called once.
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

    /// What it asks for.
    open var correlationType: HKCorrelationType { type }

    /// What is asked of members, by type.
    open var samplePredicates: [HKSampleType: NSPredicate]? { memberPredicates }

    override func run(_ execution: QueryExecution) throws {
        let asked = try (memberPredicates ?? [:]).map { try execution.request($0.key, $0.value) }
        let stored = try execution.connection.readableStore.objects(
            [execution.request(type, super.predicate)], sortedBy: [], limit: nil,
            visibility: execution.visibility(of: [type]))
        let correlations = SampleObjects.objects(stored)
            .compactMap { $0 as? HKCorrelation }
            .filter { correlation in
                asked.allSatisfy { request in
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
