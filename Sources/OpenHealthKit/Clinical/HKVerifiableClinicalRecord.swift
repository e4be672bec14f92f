public import Foundation

/// A signed clinical record, such as a vaccination or a test result. Such records are not
/// implemented: none are stored and no query returns any.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKVerifiableClinicalRecord: HKSample, @unchecked Sendable {
    /// The kinds of credential in the record; always empty.
    open var recordTypes: [String] { [] }
    /// The identifier of the issuer; always empty.
    open var issuerIdentifier: String { "" }
    /// The person described by the record.
    open var subject: HKVerifiableClinicalRecordSubject { HKVerifiableClinicalRecordSubject() }
    /// When the record was issued: the start date.
    open var issuedDate: Date { startDate }
    /// When the certified event took place: the start date.
    open var relevantDate: Date { startDate }
    /// When the record expires; always nil.
    open var expirationDate: Date? { nil }
    /// The names of the items shown to people; always empty.
    open var itemNames: [String] { [] }
    /// The format the record was received in; always nil, because it is not stored.
    open var sourceType: HKVerifiableClinicalRecordSourceType? { nil }
    /// The record as received; always empty, because it is not stored.
    open var dataRepresentation: Data { Data() }
    /// The record as a JSON Web Signature; always empty, because it is not stored.
    open var jwsRepresentation: Data { Data() }
}

/// The person described by a signed record.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKVerifiableClinicalRecordSubject: NSObject, @unchecked Sendable {
    override init() {}

    /// The person's name; always empty.
    open var fullName: String { "" }
    /// The person's date of birth; always nil, because it is not stored.
    open var dateOfBirthComponents: DateComponents? { nil }
}

/// A query for signed clinical records, which are not implemented: when executed, it reports
/// ``HKError/errorHealthDataUnavailable``.
// `@unchecked Sendable`: all stored properties are immutable except for the handler, which is
// locked.
open class HKVerifiableClinicalRecordQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (
            HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?
        ) -> Void

    private let types: [String]
    private let sources: [HKVerifiableClinicalRecordSourceType]
    private let handler: QueryHandler<Handler>

    /// Creates a query for records with the given kinds of credential.
    ///
    /// - Parameters:
    ///   - recordTypes: The kinds of credential.
    ///   - predicate: Which records to return; nil for all.
    ///   - resultsHandler: Receives the query, no records and the error.
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

    /// Creates a query for records with the given kinds of credential and source.
    ///
    /// - Parameters:
    ///   - recordTypes: The kinds of credential.
    ///   - sourceTypes: The kinds of source.
    ///   - predicate: Which records to return; nil for all.
    ///   - resultsHandler: Receives the query, no records and the error.
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

    /// The requested kinds of credential.
    open var recordTypes: [String] { types }
    /// The requested kinds of source; empty if none were given.
    open var sourceTypes: [HKVerifiableClinicalRecordSourceType] { sources }

    override func run(_ execution: QueryExecution) throws {
        throw HKError.unavailable("Reading verifiable clinical records")
    }

    override func report(_ error: HKError) { handler.current?(self, nil, error) }
    override func releaseHandlers() { handler.current = nil }
}

/// A query descriptor for signed clinical records, which are not implemented.
public struct HKVerifiableClinicalRecordQueryDescriptor: HKAsyncQuery {
    /// The requested kinds of credential.
    public var recordTypes: [HKVerifiableClinicalRecordCredentialType]
    /// The requested kinds of source.
    public var sourceTypes: [HKVerifiableClinicalRecordSourceType]
    /// Which records to return; nil for all.
    public var predicate: NSPredicate?

    /// Creates a query descriptor for signed clinical records.
    ///
    /// - Parameters:
    ///   - recordTypes: The kinds of credential.
    ///   - sourceTypes: The kinds of source.
    ///   - predicate: Which records to return; nil for all.
    public init(
        recordTypes: [HKVerifiableClinicalRecordCredentialType],
        sourceTypes: [HKVerifiableClinicalRecordSourceType], predicate: NSPredicate? = nil
    ) {
        self.recordTypes = recordTypes
        self.sourceTypes = sourceTypes
        self.predicate = predicate
    }

    /// Executes the query, which always fails.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: Never returns.
    /// - Throws: ``HKError/errorHealthDataUnavailable``.
    public func result(
        for healthStore: HKHealthStore
    ) async throws -> [HKVerifiableClinicalRecord] {
        try await healthStore.awaitResult { deliver in
            HKVerifiableClinicalRecordQuery(
                recordTypes: recordTypes.map(\.rawValue), sourceTypes: sourceTypes,
                predicate: predicate
            ) { _, records, error in
                deliver(Result(records, error))
            }
        }
    }
}
