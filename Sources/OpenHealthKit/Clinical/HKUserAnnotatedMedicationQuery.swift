public import Foundation
import HealthEngine
import HealthStorage

/// A query for medications, delivered one by one in order of their names.
///
/// Only medications that the app may read are delivered (Semantics §8.12).
// `@unchecked Sendable`: all stored properties are immutable except for the handler, which is
// locked.
open class HKUserAnnotatedMedicationQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        (HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?) -> Void

    private let handler: QueryHandler<Handler>
    private let maximumMedications: Int

    /// Creates a query for medications.
    ///
    /// - Parameters:
    ///   - predicate: Which medications to return; nil for all.
    ///   - limit: The maximum number of medications; ``HKObjectQueryNoLimit`` for no limit. A
    ///     negative limit is reported as ``HKError/errorInvalidArgument``.
    ///   - resultsHandler: Receives the query, one medication, whether the medication is the last
    ///     one, and an error. Without medications it is called once, with nil and true. Called on a
    ///     background queue.
    public required init(
        predicate: NSPredicate?, limit: Int,
        resultsHandler:
            @escaping (
                HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?
            ) -> Void
    ) {
        handler = QueryHandler(resultsHandler)
        maximumMedications = limit
        super.init(_objectType: .userAnnotatedMedicationType(), predicate: predicate)
    }

    override func run(_ execution: QueryExecution) throws {
        let medications = try execution.medications(super.predicate, limit: maximumMedications)
        if medications.isEmpty { execution.deliver { handler.current?(self, nil, true, nil) } }
        for (index, medication) in medications.enumerated() where !execution.isStopped {
            execution.deliver {
                handler.current?(
                    self, HKUserAnnotatedMedication(_medication: medication),
                    index == medications.count - 1, nil)
            }
        }
    }

    override func report(_ error: HKError) { handler.current?(self, nil, true, error) }
    override func releaseHandlers() { handler.current = nil }
}

extension QueryExecution {
    /// Reads the medications that the app may read and that match a predicate, in order of name.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a negative limit or an unsupported predicate;
    ///   the errors of ``HKHealthStore/readableMedications()``.
    fileprivate func medications(_ predicate: NSPredicate?, limit: Int) throws -> [Medication] {
        guard limit >= 0 else {
            throw HKError(
                .errorInvalidArgument,
                "The limit of a query is \(limit): use HKObjectQueryNoLimit for all medications.")
        }
        let filter = try filter(
            predicate, for: .userAnnotatedMedicationType(), store: openStore)
        let store = try connection.readableStore
        let readable = try openStore.readableMedications()
        let matching = try translatingErrors { try store.medications() }.filter {
            readable?.contains($0.identifier) ?? true
                && filter.matches(MedicationFacts(medication: $0))
        }
        return limit == HKObjectQueryNoLimit ? matching : Array(matching.prefix(limit))
    }
}

/// The properties of a medication that filters can test. It has no times and no source.
struct MedicationFacts: SampleFacts {
    let medication: Medication?

    var typeIdentifier: String { HKObjectType.userAnnotatedMedicationType().identifier }
    var start: Double { .nan }
    var end: Double { .nan }
    var uuid: SampleUUID { SampleUUID(high: 0, low: 0) }
    var bundleIdentifier: String? { nil }
    func metadata(_ key: String) -> MetadataValue? { nil }
}

/// A query descriptor for medications.
///
/// ```swift
/// let active = HKUserAnnotatedMedicationQueryDescriptor(
///     predicate: HKQuery.predicateForUserAnnotatedMedications(isArchived: false))
/// let medications = try await active.result(for: store)
/// ```
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

    /// Executes the query.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: The medications in order of name.
    /// - Throws: ``HKError``; `CancellationError` if the task is cancelled.
    public func result(
        for healthStore: HKHealthStore
    ) async throws -> [HKUserAnnotatedMedication] {
        let found = Locked<[HKUserAnnotatedMedication]>([])
        return try await healthStore.awaitResult { deliver in
            HKUserAnnotatedMedicationQuery(
                predicate: predicate, limit: limit ?? HKObjectQueryNoLimit
            ) { _, medication, isDone, error in
                if let error { return deliver(.failure(error)) }
                if let medication { found { $0.append(medication) } }
                if isDone { deliver(.success(found { $0 })) }
            }
        }
    }
}
