public import Foundation

/// Asks for medications, which no store of ours keeps yet: executed, it reports
/// ``HKError/errorHealthDataUnavailable``.
// Immutable but for the locked handler.
open class HKUserAnnotatedMedicationQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        (HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?) -> Void

    private let handler: QueryHandler<Handler>

    /// Asks for medications; the handler is told when one was the last.
    public required init(
        predicate: NSPredicate?, limit: Int,
        resultsHandler:
            @escaping (
                HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?
            ) -> Void
    ) {
        handler = QueryHandler(resultsHandler)
        super.init(_objectType: .userAnnotatedMedicationType(), predicate: predicate)
    }

    override func run(_ execution: QueryExecution) throws {
        throw HKError.absent("Reading medications")
    }

    override func report(_ error: HKError) { handler.current?(self, nil, true, error) }
    override func releaseHandlers() { handler.current = nil }
}

/// Awaits medications, which no store of ours keeps yet.
public struct HKUserAnnotatedMedicationQueryDescriptor: HKAsyncQuery {
    /// Which medications are asked for.
    public var predicate: NSPredicate?
    /// How many at most; nil for all.
    public var limit: Int?

    /// A query of medications.
    public init(predicate: NSPredicate? = nil, limit: Int? = nil) {
        self.predicate = predicate
        self.limit = limit
    }

    /// - Throws: ``HKError/errorHealthDataUnavailable``.
    public func result(
        for healthStore: HKHealthStore
    ) async throws -> [HKUserAnnotatedMedication] {
        try await healthStore.answer { give in
            HKUserAnnotatedMedicationQuery(
                predicate: predicate, limit: limit ?? HKObjectQueryNoLimit
            ) { _, medication, _, error in
                give(Result(medication.map { [$0] }, error))
            }
        }
    }
}
