public import Foundation
import HealthEngine
import HealthStorage

/// A query for signed clinical records, such as SMART Health Cards.
///
/// When executed, it requests permission to read the records, as
/// ``HKHealthStore/requestAuthorization(toShare:read:)`` does for other types: once, and not for
/// each query as on a device (Semantics §10.11).
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

    private static let sampleType = HKSampleType.of(
        identifier: VerifiableClinicalRecord.typeIdentifier)

    /// Creates a query for records of any source that have all given kinds of credential.
    ///
    /// - Parameters:
    ///   - recordTypes: The kinds of credential.
    ///   - predicate: Which records to return; nil for all.
    ///   - resultsHandler: Called once on a background queue, with the records in order of the
    ///     relevant date, or an error.
    @preconcurrency
    public required convenience init(
        recordTypes: [String], predicate: NSPredicate?,
        resultsHandler:
            @escaping @Sendable (
                HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?
            ) -> Void
    ) {
        self.init(
            recordTypes: recordTypes, sourceTypes: [], predicate: predicate,
            resultsHandler: resultsHandler)
    }

    /// Creates a query for records that have all given kinds of credential and one of the sources.
    ///
    /// - Parameters:
    ///   - recordTypes: The kinds of credential.
    ///   - sourceTypes: The kinds of source; empty for any.
    ///   - predicate: Which records to return; nil for all.
    ///   - resultsHandler: Called once on a background queue, with the records in order of the
    ///     relevant date, or an error.
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
        super.init(
            _objectType: HKVerifiableClinicalRecordQuery.sampleType, predicate: predicate)
    }

    /// The requested kinds of credential.
    open var recordTypes: [String] { types }
    /// The requested kinds of source; empty if none were given.
    open var sourceTypes: [HKVerifiableClinicalRecordSourceType] { sources }

    override func run(_ execution: QueryExecution) throws {
        let type = HKVerifiableClinicalRecordQuery.sampleType
        try execution.openStore.request([], [type])
        let samples = try execution.samples(
            [HKQueryDescriptor(sampleType: type, predicate: predicate)],
            limit: HKObjectQueryNoLimit, sortedBy: SampleSort.list([]))
        let records = samples.compactMap { $0 as? HKVerifiableClinicalRecord }.filter(isRequested)
        execution.deliver { handler.current?(self, records, nil) }
    }

    private func isRequested(_ record: HKVerifiableClinicalRecord) -> Bool {
        guard Set(types).isSubset(of: record.recordTypes) else { return false }
        guard !sources.isEmpty else { return true }
        return record.sourceType.map { sources.contains($0) } ?? false
    }

    override func report(_ error: HKError) { handler.current?(self, nil, error) }
    override func releaseHandlers() { handler.current = nil }
}

/// A query descriptor for signed clinical records.
public struct HKVerifiableClinicalRecordQueryDescriptor: HKAsyncQuery {
    /// The requested kinds of credential, all of which a record must have.
    public var recordTypes: [HKVerifiableClinicalRecordCredentialType]
    /// The requested kinds of source; empty for any.
    public var sourceTypes: [HKVerifiableClinicalRecordSourceType]
    /// Which records to return; nil for all.
    public var predicate: NSPredicate?

    /// Creates a query descriptor for signed clinical records.
    ///
    /// - Parameters:
    ///   - recordTypes: The kinds of credential.
    ///   - sourceTypes: The kinds of source; empty for any.
    ///   - predicate: Which records to return; nil for all.
    public init(
        recordTypes: [HKVerifiableClinicalRecordCredentialType],
        sourceTypes: [HKVerifiableClinicalRecordSourceType], predicate: NSPredicate? = nil
    ) {
        self.recordTypes = recordTypes
        self.sourceTypes = sourceTypes
        self.predicate = predicate
    }

    /// Executes the query, as ``HKVerifiableClinicalRecordQuery`` does.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: The records in order of the relevant date.
    /// - Throws: ``HKError``.
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
