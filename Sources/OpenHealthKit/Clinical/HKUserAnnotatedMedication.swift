public import Foundation

/// A medication that a person tracks. Medications are not implemented: none are stored.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKUserAnnotatedMedication: NSObject, @unchecked Sendable {
    /// The person's name for the medication; always nil.
    open var nickname: String? { nil }
    /// Whether the medication is archived; always false.
    open var isArchived: Bool { false }
    /// Whether the medication has a schedule; always false.
    open var hasSchedule: Bool { false }

    /// The medication; always one without a name.
    open var medication: HKMedicationConcept {
        HKMedicationConcept(_displayText: "", generalForm: .unknown)
    }

    override init() {}
}

/// A query for medications, which are not implemented: when executed, it reports
/// ``HKError/errorHealthDataUnavailable``.
// `@unchecked Sendable`: all stored properties are immutable except for the handler, which is
// locked.
open class HKUserAnnotatedMedicationQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        (HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?) -> Void

    private let handler: QueryHandler<Handler>

    /// Creates a query for medications.
    ///
    /// - Parameters:
    ///   - predicate: Which medications to return; nil for all.
    ///   - limit: The maximum number of medications.
    ///   - resultsHandler: Receives the query, one medication, whether the medication is the last
    ///     one, and an error. Here the handler is called once, with the error.
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
        throw HKError.unavailable("Reading medications")
    }

    override func report(_ error: HKError) { handler.current?(self, nil, true, error) }
    override func releaseHandlers() { handler.current = nil }
}

/// A query descriptor for medications, which are not implemented.
public struct HKUserAnnotatedMedicationQueryDescriptor: HKAsyncQuery {
    /// Which medications to return; nil for all.
    public var predicate: NSPredicate?
    /// The maximum number of medications; nil for no limit.
    public var limit: Int?

    /// Creates a query descriptor for medications.
    ///
    /// - Parameters:
    ///   - predicate: Which medications to return; nil for all.
    ///   - limit: The maximum number of medications; nil for no limit.
    public init(predicate: NSPredicate? = nil, limit: Int? = nil) {
        self.predicate = predicate
        self.limit = limit
    }

    /// Executes the query, which always fails.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: Never returns.
    /// - Throws: ``HKError/errorHealthDataUnavailable``.
    public func result(
        for healthStore: HKHealthStore
    ) async throws -> [HKUserAnnotatedMedication] {
        try await healthStore.awaitResult { deliver in
            HKUserAnnotatedMedicationQuery(
                predicate: predicate, limit: limit ?? HKObjectQueryNoLimit
            ) { _, medication, _, error in
                deliver(Result(medication.map { [$0] }, error))
            }
        }
    }
}
