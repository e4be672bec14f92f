import Foundation
import HealthEngine
import HealthStorage

// How a query class plugs in. A subclass of HKQuery overrides, in its class body and internally:
//
//     override var isLongRunning: Bool             // goes on until stopped; false without override
//     override func run(_ execution: QueryExecution) throws
//     override func storeChanged(_ change: StoreChange, _ execution: QueryExecution) throws
//     override func report(_ error: HKError)       // hand an error to the handler
//     override func releaseHandlers()              // forget the handlers
//
// `run` and `storeChanged` are called on the query's own serial queue, so they may read the store
// at leisure: `execution.connection.store` is the SampleStore, `try execution.request(type,
// predicate)` turns a type and a predicate into a SampleRequest, `try execution.visibility(of:
// types)` says what the app may see. Handlers are called only inside `execution.deliver { … }`,
// which leaves out what comes after `stop`. What `run` or `storeChanged` throws arrives in `report`
// as an HKError. Handlers are kept in `QueryHandler`, which lets go of them after `stop`.
//
//     final class QueryHandler<Handler>            // let handler: QueryHandler<(HKFooQuery, …) -> Void>
//     handler.current?(self, results, nil)         // nil after stop
//
// Between two batches of a long delivery ask `execution.isStopped`. A Swift descriptor asks through
// `QueryAnswer` (see QueryAnswer.swift): one answer or a sequence of them.

/// One query's run in one store: its queue, whether it goes on, what it listens to.
final class QueryExecution: @unchecked Sendable {  // mutable state behind `lock`
    let connection: StoreConnection
    let identity: AppIdentity
    private weak var handle: HKHealthStore?
    private let queue: DispatchQueue
    private let lock = NSLock()
    private var query: HKQuery?
    private var subscription: ChangeSubscription?
    private var hasStopped = false

    private init(_ query: HKQuery, in store: HKHealthStore) {
        self.query = query
        handle = store
        connection = store.connection
        identity = store.identity
        queue = DispatchQueue(
            label: "HKQuery", qos: .userInitiated, attributes: .initiallyInactive,
            target: .global(qos: .userInitiated))
    }

    /// Executes a query: its first results come later, on a queue of its own.
    static func start(_ query: HKQuery, in store: HKHealthStore) {
        let execution = QueryExecution(query, in: store)
        if let first = query.lifecycle.claim(for: execution) {
            execution.queue.activate()
            return first.refuseAgain(query)
        }
        execution.queue.async { execution.runFirst(query, in: store) }
        // Listening begins inside `execute`: what is saved from now on is noticed.
        if query.isLongRunning { execution.listen(in: store) }
        execution.queue.activate()
    }

    /// Ends the query. No handler begins afterwards; one that runs goes on to its end.
    func stop() {
        end(.stopped)?.releaseHandlers()
    }

    /// Whether `stop` has been called.
    var isStopped: Bool { lock.withLock { hasStopped } }

    /// Calls a handler, unless the query has been stopped.
    func deliver(_ call: () -> Void) {
        if !isStopped { call() }
    }

    private func runFirst(_ query: HKQuery, in store: HKHealthStore) {
        if isStopped { return }
        attempt(query) { try query.run(self) }
        if !query.isLongRunning { _ = end(.finished) }
    }

    private func attempt(_ query: HKQuery, _ work: () throws -> Void) {
        do { try work() } catch {
            let error = HKError(reporting: error)
            deliver { query.report(error) }
        }
    }

    private func listen(in store: HKHealthStore) {
        store.runningQueries.add(self)
        let subscription = connection.feed.subscribe { [weak self] change in
            self?.take(change)
        }
        lock.withLock { if !hasStopped { self.subscription = subscription } }
    }

    private func take(_ change: StoreChange) {
        queue.async { [weak self] in
            // The handle is held while the change is handed over; without it the query has ended.
            guard let self, let store = handle, let query = lock.withLock({ self.query }) else {
                return
            }
            withExtendedLifetime(store) {
                self.attempt(query) { try query.storeChanged(change, self) }
            }
        }
    }

    private func refuseAgain(_ query: HKQuery) {
        queue.async {
            query.report(
                HKError(
                    .errorInvalidArgument,
                    "A query can be executed once; make a new one to ask again."))
        }
    }

    private enum Ending { case finished, stopped }

    /// The query that ran until now; nil if it had ended before.
    private func end(_ ending: Ending) -> HKQuery? {
        let (query, subscription) = lock.withLock {
            if ending == .stopped { hasStopped = true }
            defer { (self.query, self.subscription) = (nil, nil) }
            return (self.query, self.subscription)
        }
        subscription?.cancel()
        handle?.runningQueries.remove(self)
        return query
    }
}

extension QueryExecution {
    /// A type and a predicate as the store reads them.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a predicate that no store can run.
    func request(_ type: HKSampleType, _ predicate: NSPredicate?) throws -> SampleRequest {
        SampleRequest(type: type.type, filter: try filter(predicate, for: type, store: openStore()))
    }

    /// What the app may see of these types at this moment.
    ///
    /// - Throws: ``HKError`` if a type was never asked for, or while the store is locked.
    func visibility(of types: [HKObjectType]) throws -> Visibility {
        try openStore().visibility(toRead: types)
    }

    /// The handle that runs the query.
    func openStore() throws -> HKHealthStore {
        guard let handle else {
            throw HKError(.errorDatabaseInaccessible, "The store of this query has been closed.")
        }
        return handle
    }
}

/// Whether a query has been executed.
final class QueryLifecycle: @unchecked Sendable {  // its one variable is locked
    private let lock = NSLock()
    private var execution: QueryExecution?

    /// Nil if the query is this execution's, else the execution whose it is already.
    func claim(for execution: QueryExecution) -> QueryExecution? {
        lock.withLock {
            if let first = self.execution { return first }
            self.execution = execution
            return nil
        }
    }

    var current: QueryExecution? { lock.withLock { execution } }
}

/// The long-running queries of one handle; they end with it.
final class RunningQueries: @unchecked Sendable {  // its one variable is locked
    private let lock = NSLock()
    private var executions: [ObjectIdentifier: QueryExecution] = [:]

    func add(_ execution: QueryExecution) {
        lock.withLock { executions[ObjectIdentifier(execution)] = execution }
    }

    func remove(_ execution: QueryExecution) {
        lock.withLock { _ = executions.removeValue(forKey: ObjectIdentifier(execution)) }
    }

    var count: Int { lock.withLock { executions.count } }

    deinit {
        for execution in executions.values { execution.stop() }
    }
}

/// A handler that is let go after `stop`, with everything that it holds.
final class QueryHandler<Handler>: @unchecked Sendable {  // its one variable is locked
    private let lock = NSLock()
    private var handler: Handler?

    init(_ handler: Handler?) { self.handler = handler }

    /// Nil where none was given, and after `stop`.
    var current: Handler? {
        get { lock.withLock { handler } }
        set { lock.withLock { handler = newValue } }
    }
}

extension HKHealthStore {
    /// What `execute` does.
    func startQuery(_ query: HKQuery) { QueryExecution.start(query, in: self) }

    /// What `stop` does: nothing to a query that was never executed.
    func stopQuery(_ query: HKQuery) { query.lifecycle.current?.stop() }
}
