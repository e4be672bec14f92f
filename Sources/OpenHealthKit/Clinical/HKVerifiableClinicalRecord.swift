public import Foundation

/// Asks for signed clinical records, which no store of ours keeps yet: executed, it reports
/// ``HKError/errorHealthDataUnavailable``.
// Immutable but for the locked handler.
open class HKVerifiableClinicalRecordQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (
            HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?
        ) -> Void

    private let types: [String]
    private let sources: [HKVerifiableClinicalRecordSourceType]
    private let handler: QueryHandler<Handler>

    /// Asks for records of some types.
    @preconcurrency
    public required init(
        recordTypes: [String], predicate: NSPredicate?,
        resultsHandler:
            @escaping @Sendable (
                HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?
            ) -> Void
    ) {
        types = recordTypes
        sources = []
        handler = QueryHandler(resultsHandler)
        super.init(_objectType: nil, predicate: predicate)
    }

    /// Asks for records of some types, from some kinds of sources.
    @preconcurrency
    public required init(
        recordTypes: [String], sourceTypes: [HKVerifiableClinicalRecordSourceType],
        predicate: NSPredicate?,
        resultsHandler:
            @escaping @Sendable (
                HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?
            ) -> Void
    ) {
        types = recordTypes
        sources = sourceTypes
        handler = QueryHandler(resultsHandler)
        super.init(_objectType: nil, predicate: predicate)
    }

    /// Which credentials are asked for.
    open var recordTypes: [String] { types }
    /// Which kinds of sources are asked.
    open var sourceTypes: [HKVerifiableClinicalRecordSourceType] { sources }

    override func run(_ execution: QueryExecution) throws {
        throw HKError.absent("Reading verifiable clinical records")
    }

    override func report(_ error: HKError) { handler.current?(self, nil, error) }
    override func releaseHandlers() { handler.current = nil }
}

/// Awaits signed clinical records, which no store of ours keeps yet.
public struct HKVerifiableClinicalRecordQueryDescriptor: HKAsyncQuery {
    /// Which credentials are asked for.
    public var recordTypes: [HKVerifiableClinicalRecordCredentialType]
    /// Which kinds of sources are asked.
    public var sourceTypes: [HKVerifiableClinicalRecordSourceType]
    /// Which records are asked for.
    public var predicate: NSPredicate?

    /// A query of records.
    public init(
        recordTypes: [HKVerifiableClinicalRecordCredentialType],
        sourceTypes: [HKVerifiableClinicalRecordSourceType], predicate: NSPredicate? = nil
    ) {
        self.recordTypes = recordTypes
        self.sourceTypes = sourceTypes
        self.predicate = predicate
    }

    /// - Throws: ``HKError/errorHealthDataUnavailable``.
    public func result(
        for healthStore: HKHealthStore
    ) async throws -> [HKVerifiableClinicalRecord] {
        try await healthStore.answer { give in
            HKVerifiableClinicalRecordQuery(
                recordTypes: recordTypes.map(\.rawValue), sourceTypes: sourceTypes,
                predicate: predicate
            ) { _, records, error in
                give(Result(records, error))
            }
        }
    }
}
