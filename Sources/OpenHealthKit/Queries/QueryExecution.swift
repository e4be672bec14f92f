import Foundation
import HealthEngine
import HealthStorage

// How to implement a query class. A subclass of HKQuery overrides these internal members in its
// class body:
//
//     override var isLongRunning: Bool             // runs until stopped; the default is false
//     override func begin(_ execution: QueryExecution)   // inside `execute`; rarely needed
//     override func run(_ execution: QueryExecution) throws
//     override func storeChanged(_ change: StoreChange, _ execution: QueryExecution) throws
//     override func report(_ error: HKError)       // pass an error to the handler
//     override func reportUpdate(_ error: HKError) // later errors; the default calls `report`
//     override func releaseHandlers()              // release the handlers
//
// `run` and `storeChanged` are called on the query's own serial queue, so they may block while
// reading. `execution.connection.readableStore` is the SampleStore.
// `try execution.request(type, predicate)` converts a type and a predicate to a SampleRequest.
// `try execution.visibility(of: types)` returns which samples the app may read. Call handlers only
// inside `execution.deliver { … }`, which does nothing after `stop`. An error thrown by `run` or
// `storeChanged` is passed to `report` or `reportUpdate` as an HKError. If `storeChanged` fails
// because the device is locked, the change is processed after the unlock instead. Keep handlers in
// a `QueryHandler`, whose `current` is nil after `stop`:
//
//     private let handler: QueryHandler<@Sendable (HKFooQuery, [HKFoo]?, (any Error)?) -> Void>
//     handler.current?(self, results, nil)
//
// During a long delivery check `execution.isStopped` between batches. A Swift descriptor awaits
// `store.awaitResult(of:)` or iterates `store.resultSequence(of:)` (HKAsyncQuery.swift).

/// One execution of a query in one store: its queue, its state and its subscription to changes.
// Unchecked: `hasRun` is accessed on the queue only, and `firstSequence` is written before the
// queue is activated. All other mutable state is locked.
final class QueryExecution: @unchecked Sendable {
    let connection: StoreConnection
    let identity: AppIdentity
    private weak var handle: HKHealthStore?
    private let queue: DispatchQueue
    private let state = Locked(State())
    /// Whether `run` has returned without an error; accessed on the queue only.
    private var hasRun = false
    /// The store's last sequence number when a long-running query was executed; 0 for other
    /// queries.
    private(set) var firstSequence: Int64 = 0

    private struct State {
        var query: HKQuery?
        var subscription: ChangeSubscription?
        var hasStopped = false
        /// The union of the reported changes that wait to be processed on the queue.
        var pending: StoreChange?
        /// The union of the changes that could not be read because the device was locked.
        var deferred: StoreChange?
        var unlockListenerNumber: Int?
    }

    private init(_ query: HKQuery, in store: HKHealthStore) {
        state { $0.query = query }
        handle = store
        connection = store.connection
        identity = store.identity
        queue = DispatchQueue(
            label: "HKQuery", qos: .userInitiated, attributes: .initiallyInactive,
            target: .global(qos: .userInitiated))
    }

    /// Executes a query, or reports an error if it was executed before. Results are delivered
    /// asynchronously on the query's own queue.
    static func start(_ query: HKQuery, in store: HKHealthStore) {
        let execution = QueryExecution(query, in: store)
        if let registered = query.lifecycle.register(execution) {
            execution.queue.activate()
            return registered.reportSecondExecution(of: query)
        }
        // The subscription begins inside `execute`, so that every later save is reported.
        let failure = query.isLongRunning ? execution.listen(in: store) : nil
        query.begin(execution)
        execution.asApp { execution.runFirst(query, in: store, failure) }
        execution.queue.activate()
    }

    /// Stops the query and releases its handlers. No handler starts afterwards; a running one is
    /// not interrupted.
    func stop() {
        end(.stopped)?.releaseHandlers()
    }

    /// Whether the query has been stopped.
    var isStopped: Bool { state { $0.hasStopped } }

    /// Calls a handler, unless the query has been stopped.
    func deliver(_ call: () -> Void) {
        if !isStopped { call() }
    }

    /// Enqueues a closure on the query's queue.
    func perform(_ work: @escaping @Sendable () -> Void) {
        asApp(work)
    }

    /// Enqueues a closure on the query's queue. It runs with the handle's app as the current app,
    /// so that `HKSource.default()` means that app.
    private func asApp(_ work: @escaping @Sendable () -> Void) {
        queue.async { [identity] in AppIdentity.withCurrent(identity, work) }
    }

    private func runFirst(_ query: HKQuery, in store: HKHealthStore, _ failure: HKError?) {
        if isStopped { return }
        do {
            if let failure { throw failure }
            try query.run(self)
            hasRun = true
        } catch {
            let error = HKError(reporting: error)
            deliver { query.report(error) }
        }
        if !hasRun || !query.isLongRunning { _ = end(.finished) }
    }

    /// Subscribes to changes of the store and registers the query as running. Returns nil, or the
    /// error.
    private func listen(in store: HKHealthStore) -> HKError? {
        do {
            firstSequence = try connection.store.lastSequence
            let subscription = connection.feed.subscribe { [weak self] in self?.enqueue($0) }
            store.runningQueries.add(self, of: store)
            let isStopped = state { state in
                if !state.hasStopped { state.subscription = subscription }
                return state.hasStopped
            }
            if isStopped { store.runningQueries.remove(self) }
            return nil
        } catch { return HKError(reporting: error) }
    }

    /// Enqueues a change. Changes that arrive before the queue has processed it are combined with
    /// it.
    private func enqueue(_ change: StoreChange) {
        let isFirst = state { state in
            defer { state.pending = change.merging(state.pending) }
            return state.pending == nil
        }
        if isFirst { asApp { self.processPending() } }
    }

    private func processPending() {
        let change = state { state in
            defer { state.pending = nil }
            return state.pending
        }
        if let change { process(change) }
    }

    private func process(_ change: StoreChange) {
        // Changes before the first results need no delivery, because the first results include
        // them. If `run` failed, the query has ended.
        guard hasRun, let query = state({ $0.query }) else { return }
        guard var error = failure(of: query, at: change) else { return }
        if error.code == .errorDatabaseInaccessible, connection.protectedData.isAccessible {
            // Tried once more: the device may have been unlocked during the call, or the store was
            // busy.
            guard let second = failure(of: query, at: change) else { return }
            error = second
        }
        let isLocked =
            error.code == .errorDatabaseInaccessible && !connection.protectedData.isAccessible
        isLocked ? processAtUnlock(change) : deliver { query.reportUpdate(error) }
    }

    private func failure(of query: HKQuery, at change: StoreChange) -> HKError? {
        do { try query.storeChanged(change, self) } catch { return HKError(reporting: error) }
        return nil
    }

    /// Keeps a change that cannot be read now until the device is unlocked.
    private func processAtUnlock(_ change: StoreChange) {
        let isFirst = state { state in
            state.deferred = change.merging(state.deferred)
            return state.unlockListenerNumber == nil
        }
        if isFirst {
            let number = connection.protectedData.addUnlockListener { [weak self] in
                guard let self else { return }
                asApp { self.processDeferred() }
            }
            state { $0.unlockListenerNumber = number }
        }
        // An unlock before the listener was added does not call it.
        if connection.protectedData.isAccessible { asApp { self.processDeferred() } }
    }

    private func processDeferred() {
        removeUnlockListener()
        let change = state { state in
            defer { state.deferred = nil }
            return state.deferred
        }
        if let change { process(change) }
    }

    private func removeUnlockListener() {
        let number = state { state in
            defer { state.unlockListenerNumber = nil }
            return state.unlockListenerNumber
        }
        if let number { connection.protectedData.removeUnlockListener(number) }
    }

    private func reportSecondExecution(of query: HKQuery) {
        let error = connection.misuseError(
            HKError(
                .errorInvalidArgument,
                "A query can be executed only once: create a new one."))
        asApp { query.report(error) }
    }

    private enum EndReason { case finished, stopped }

    /// Ends the execution and cancels its subscription. Returns the query; nil if it had already
    /// ended.
    private func end(_ reason: EndReason) -> HKQuery? {
        let (query, subscription) = state { state in
            if reason == .stopped { state.hasStopped = true }
            defer { (state.query, state.subscription) = (nil, nil) }
            return (state.query, state.subscription)
        }
        subscription?.cancel()
        removeUnlockListener()
        query?.lifecycle.end()
        connection.runningQueries?.remove(self)
        return query
    }

    /// The name and types of the query, for diagnostics; nil once it has ended.
    var finding: (query: String, types: [String])? {
        guard let query = state({ $0.query }) else { return nil }
        return ("\(type(of: query))", query.queriedTypes.map(\.identifier))
    }
}

extension QueryExecution {
    /// Converts a type and a predicate to a request to the store.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for an unknown type or an unsupported predicate.
    func request(_ type: HKSampleType, _ predicate: NSPredicate?) throws -> SampleRequest {
        guard let row = type.row ?? (try? connection.store.type(named: type.identifier)) else {
            throw HKError(.errorInvalidArgument, "Unknown type \(type.identifier).")
        }
        let filter = try SampleFilter(predicate, for: type, thisApp: identity.bundleIdentifier)
        guard type is HKMedicationDoseEventType else { return SampleRequest(row, filter) }
        // Doses are visible if their medication is.
        let visible = try openStore.doseFilter()
        return SampleRequest(row, visible == .everything ? filter : .and([filter, visible]))
    }

    /// Returns which samples of the types the app may read now.
    ///
    /// - Throws: ``HKError`` if a type was never requested, or while the device is locked.
    func visibility(of types: [HKObjectType]) throws -> Visibility {
        try openStore.visibility(ofQueried: types)
    }

    /// The handle that executed the query. If it was released, a new handle with the same
    /// connection and app.
    var openStore: HKHealthStore {
        handle ?? HKHealthStore(_connection: connection, identity: identity)
    }
}

extension HKHealthStore {
    /// Returns which samples of the types the app may read now, with the members of correlations.
    ///
    /// - Throws: ``HKError`` if a type was never requested, or while the device is locked.
    func visibility(ofQueried types: [HKObjectType]) throws -> Visibility {
        var types = types
        if types.contains(where: { $0 is HKCorrelationType }) {
            // A correlation is visible if all its members are. Their types are not known here, so
            // all requested types are included (Semantics §8.10).
            for (code, permission) in try permissions() where permission.wasRequested {
                if let row = Catalogue.type(code: code) { types.append(HKSampleType.of(row)) }
            }
        }
        return try visibility(toRead: types)
    }
}

extension StoreChange {
    /// Returns the union of two changes.
    fileprivate func merging(_ other: StoreChange?) -> StoreChange {
        guard let other else { return self }
        return StoreChange(
            types: types.union(other.types), sequence: max(sequence, other.sequence))
    }
}

/// The execution state of a query, which can be executed once.
final class QueryLifecycle: Sendable {
    private enum State {
        case new
        case running(QueryExecution)
        case ended
    }

    private let state = Locked<State>(.new)

    /// Starts an execution. Returns nil on success, otherwise the execution that reports the error:
    /// the running one, or the new one if the query has ended.
    func register(_ execution: QueryExecution) -> QueryExecution? {
        state { state in
            switch state {
            case .new:
                state = .running(execution)
                return nil
            case .running(let first): return first
            case .ended: return execution
            }
        }
    }

    func end() { state { $0 = .ended } }

    /// The running execution; nil before `execute` and after the end.
    var execution: QueryExecution? {
        state { state in
            if case .running(let execution) = state { return execution }
            return nil
        }
    }

    var hasEnded: Bool {
        state { state in
            if case .ended = state { return true }
            return false
        }
    }
}

/// Holds a handler until the query is stopped, so that objects captured by the handler are released
/// then.
final class QueryHandler<Handler>: Sendable {
    private let handler = Locked<Handler?>(nil)

    init(_ handler: Handler?) { self.handler { $0 = handler } }

    /// The handler; nil if none was given, and after `stop`.
    var current: Handler? {
        get { handler { $0 } }
        set {
            // The old handler is released outside the lock. Its release can run code of the app
            // that stops the query, which sets this property again.
            let old = handler { handler in
                defer { handler = newValue }
                return handler
            }
            withExtendedLifetime(old) {}
        }
    }
}

extension HKHealthStore {
    /// Implements `execute`.
    func startQuery(_ query: HKQuery) { QueryExecution.start(query, in: self) }

    /// Implements `stop`. Has no effect on a query that was never executed.
    func stopQuery(_ query: HKQuery) {
        query.lifecycle.execution?.stop()
        if query.lifecycle.hasEnded { query.releaseHandlers() }
    }
}
