public import Foundation

/// A question to a store, answered once or again and again through its handlers.
///
/// A query is executed once: a second `execute` reports ``HKError/errorInvalidArgument`` through
/// the query's handler and leaves the first undisturbed. Handlers never run inside `execute` nor
/// on the main queue; those of one query run one after another, in order, and none begins after
/// `stop` has returned (Semantics §6.9–6.10).
///
/// Make one of the subclasses; this class alone asks nothing. Their initializers are `required`, so
/// that a metatype makes a query as Apple's do: `let type: HKSampleQuery.Type = …; type.init(…)`. A
/// subclass of yours that overrides one says `required` instead of `override`.
open class HKQuery: NSObject, @unchecked Sendable {  // immutable but for the locked lifecycle
    private let type: HKObjectType?
    private let condition: NSPredicate?
    /// Whether the query has been executed, and the execution.
    let lifecycle = QueryLifecycle()

    /// Ours, for the subclasses: a query of a type, nil where it has none or several.
    public init(_objectType type: HKObjectType?, predicate: NSPredicate?) {
        self.type = type
        self.condition = predicate
    }

    /// The type asked for; nil where several are.
    open var objectType: HKObjectType? { type }

    /// The type asked for, if it is one of samples.
    open var sampleType: HKSampleType? { type as? HKSampleType }

    /// Which objects are asked for; nil for all.
    open var predicate: NSPredicate? { condition }

    // Internal below: how a subclass plugs in, see QueryExecution.swift.

    /// All types asked for, for findings.
    var askedTypes: [HKObjectType] { type.map { [$0] } ?? [] }

    /// Whether it goes on after its first results until it is stopped.
    var isLongRunning: Bool { false }

    /// Called inside `execute`, before anything is read.
    func begin(_ execution: QueryExecution) {}

    /// Reads and hands over the first results, through `execution.deliver`.
    func run(_ execution: QueryExecution) throws {}

    /// Hands over what a change of the store brought; only long-running queries are asked.
    func storeChanged(_ change: StoreChange, _ execution: QueryExecution) throws {}

    /// Calls the handler with an error. It runs inside `deliver`.
    func report(_ error: HKError) {}

    /// Calls the handler of later results with an error. It runs inside `deliver`.
    func reportUpdate(_ error: HKError) { report(error) }

    /// Lets go of the handlers and of all they hold, after `stop`.
    func releaseHandlers() {}
}
