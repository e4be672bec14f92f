public import Foundation

/// The base class of queries, which return results through handlers.
///
/// A query can be executed once. A second `execute` does not affect the first one. It reports
/// ``HKError/errorInvalidArgument`` through the query's handler, unless the query was stopped,
/// which releases the handlers. Handlers never run inside `execute` or on the main queue. The
/// handlers of one query run serially and in order. No handler starts after `stop` has returned
/// (Semantics §6.9–6.10).
///
/// Create instances of subclasses; this class has no results. Their initializers are `required`, so
/// that a metatype can create a query as with Apple's framework: `let type: HKSampleQuery.Type = …;
/// type.init(…)`. A subclass that overrides one declares it `required` instead of `override`.
open class HKQuery: NSObject, @unchecked Sendable {  // immutable except for the locked lifecycle
    private let type: HKObjectType?
    private let condition: NSPredicate?
    /// The execution state of the query.
    let lifecycle = QueryLifecycle()

    /// Creates a query; for subclasses. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - type: The requested type; nil for several or none.
    ///   - predicate: Which objects to return; nil for all.
    public init(_objectType type: HKObjectType?, predicate: NSPredicate?) {
        self.type = type
        self.condition = predicate
    }

    /// The requested type; nil if there are several or none.
    open var objectType: HKObjectType? { type }

    /// The requested type if it is a sample type, otherwise nil.
    open var sampleType: HKSampleType? { type as? HKSampleType }

    /// Which objects to return; nil for all.
    open var predicate: NSPredicate? { condition }

    // Internal below: what subclasses override, see QueryExecution.swift.

    /// All requested types, for diagnostics.
    var queriedTypes: [HKObjectType] { type.map { [$0] } ?? [] }

    /// Whether the query keeps running after its first results until it is stopped.
    var isLongRunning: Bool { false }

    /// Called inside `execute`, before anything is read.
    func begin(_ execution: QueryExecution) {}

    /// Reads the first results and delivers them through `execution.deliver`.
    func run(_ execution: QueryExecution) throws {}

    /// Delivers the results of a change in the store, if it affects the query. Called for
    /// long-running queries only.
    func storeChanged(_ change: StoreChange, _ execution: QueryExecution) throws {}

    /// Calls the handler with an error. Called on the query's queue: for a subscription or `run`
    /// that failed, and for a second execution.
    func report(_ error: HKError) {}

    /// Calls the handler of later results with an error. Called inside `deliver` for a failed
    /// `storeChanged`.
    func reportUpdate(_ error: HKError) { report(error) }

    /// Releases the handlers. Called by `stop`.
    func releaseHandlers() {}
}
