import Foundation
import HealthEngine
import HealthStorage

// How a query class plugs in. A subclass of HKQuery overrides, in its class body and internally:
//
//     override var isLongRunning: Bool             // goes on until stopped; false without override
//     override func begin(_ execution: QueryExecution)   // inside `execute`; seldom needed
//     override func run(_ execution: QueryExecution) throws
//     override func storeChanged(_ change: StoreChange, _ execution: QueryExecution) throws
//     override func report(_ error: HKError)       // hand an error to the handler
//     override func reportUpdate(_ error: HKError) // later errors; to the same handler if not given
//     override func releaseHandlers()              // forget the handlers
//
// `run` and `storeChanged` are called on the query's own serial queue, so they may read the store
// at leisure: `execution.connection.readableStore` is the SampleStore, `try execution.request(type,
// predicate)` turns a type and a predicate into a SampleRequest, `try execution.visibility(of:
// types)` says what the app may see. Handlers are called only inside `execution.deliver { … }`,
// which leaves out what comes after `stop`. What `run` or `storeChanged` throws arrives in `report`
// as an HKError. Handlers are kept in `QueryHandler`, which lets go of them after `stop`.
//
//     final class QueryHandler<Handler>            // let handler: QueryHandler<(HKFooQuery, …) -> Void>
//     handler.current?(self, results, nil)         // nil after stop
//
// Between two batches of a long delivery ask `execution.isStopped`. A Swift descriptor awaits
// `store.answer(of:)` or iterates `store.answers(of:)` (QueryAnswer.swift).

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
    /// What was told of and waits for its turn on the queue.
    private var untaken: StoreChange?
    /// What was told of while the device was being locked.
    private var missed: StoreChange?
    private var unlockNumber: Int?
    /// Whether the first results are out; touched on the queue alone.
    private var hasRun = false
    /// The last change before the query was executed, for long-running ones.
    private(set) var firstSequence: Int64 = 0

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
        if let again = query.lifecycle.claim(for: execution) {
            execution.queue.activate()
            return again.refuse(query)
        }
        // Listening begins inside `execute`: what is saved from now on is noticed.
        let failure = query.isLongRunning ? execution.listen(in: store) : nil
        query.begin(execution)
        execution.asApp { execution.runFirst(query, in: store, failure) }
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

    /// Does something on the query's queue, after all that waits there.
    func perform(_ work: @escaping @Sendable () -> Void) {
        asApp(work)
    }

    /// Does something on the query's queue as the handle's app, whose own samples are known by that.
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

    /// What went wrong, if anything did.
    private func listen(in store: HKHealthStore) -> HKError? {
        do {
            firstSequence = try connection.store.lastSequence
            let subscription = connection.feed.subscribe { [weak self] in self?.takeSoon($0) }
            store.runningQueries.add(self, of: store)
            let isStopped = lock.withLock {
                if !hasStopped { self.subscription = subscription }
                return hasStopped
            }
            if isStopped { store.runningQueries.remove(self) }
            return nil
        } catch { return HKError(reporting: error) }
    }

    /// Takes a change in turn; what comes while a handler is busy is taken together.
    private func takeSoon(_ change: StoreChange) {
        let isFirst = lock.withLock {
            defer { untaken = change.joined(with: untaken) }
            return untaken == nil
        }
        if isFirst { asApp { self.takeUntaken() } }
    }

    private func takeUntaken() {
        let change = lock.withLock {
            defer { untaken = nil }
            return untaken
        }
        if let change { take(change) }
    }

    private func take(_ change: StoreChange) {
        // What came before the first results is in them.
        guard hasRun, let query = lock.withLock({ self.query }) else { return }
        guard var error = failure(of: query, at: change) else { return }
        if error.code == .errorDatabaseInaccessible, connection.protectedData.isAccessible {
            // Unlocked meanwhile, or free again.
            guard let second = failure(of: query, at: change) else { return }
            error = second
        }
        let isLocked =
            error.code == .errorDatabaseInaccessible && !connection.protectedData.isAccessible
        isLocked ? takeAtUnlock(change) : deliver { query.reportUpdate(error) }
    }

    private func failure(of query: HKQuery, at change: StoreChange) -> HKError? {
        do { try query.storeChanged(change, self) } catch { return HKError(reporting: error) }
        return nil
    }

    /// Puts off a change that can't be read now, to be taken once the device is unlocked.
    private func takeAtUnlock(_ change: StoreChange) {
        let isFirst = lock.withLock {
            missed = change.joined(with: missed)
            return unlockNumber == nil
        }
        if isFirst {
            let number = connection.protectedData.addUnlockListener { [weak self] in
                guard let self else { return }
                asApp { self.takeMissed() }
            }
            lock.withLock { unlockNumber = number }
        }
        // Unlocked meanwhile: nobody else will call.
        if connection.protectedData.isAccessible { asApp { self.takeMissed() } }
    }

    private func takeMissed() {
        forgetUnlock()
        let change = lock.withLock {
            defer { missed = nil }
            return missed
        }
        if let change { take(change) }
    }

    private func forgetUnlock() {
        let number = lock.withLock {
            defer { unlockNumber = nil }
            return unlockNumber
        }
        if let number { connection.protectedData.removeUnlockListener(number) }
    }

    private func refuse(_ query: HKQuery) {
        let error = connection.misuse(
            HKError(
                .errorInvalidArgument,
                "A query can be executed once; make a new one to ask again."))
        asApp { query.report(error) }
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
        forgetUnlock()
        query?.lifecycle.end()
        connection.runningQueries?.remove(self)
        return query
    }

    /// What the query asks about, for findings; nil once it has ended.
    var finding: (query: String, types: [String])? {
        guard let query = lock.withLock({ self.query }) else { return nil }
        return ("\(type(of: query))", query.askedTypes.map(\.identifier))
    }
}

extension QueryExecution {
    /// A type and a predicate as the store reads them.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a predicate that no store can run.
    func request(_ type: HKSampleType, _ predicate: NSPredicate?) throws -> SampleRequest {
        guard let row = type.row ?? (try? connection.store.type(named: type.identifier)) else {
            throw HKError(.errorInvalidArgument, "There is no type \(type.identifier).")
        }
        return SampleRequest(
            row,
            try SampleFilter(predicate, for: type, thisApp: identity.bundleIdentifier))
    }

    /// What the app may see of these types at this moment.
    ///
    /// - Throws: ``HKError`` if a type was never asked for, or while the store is locked.
    func visibility(of types: [HKObjectType]) throws -> Visibility {
        let store = openStore
        var types = types
        if types.contains(where: { $0 is HKCorrelationType }) {
            // Correlations are seen if their members are, so those count too (§8.10).
            for (code, permission) in try store.permissions() where permission.isAsked {
                if let row = Catalogue.type(code: code) { types.append(HKSampleType.of(row)) }
            }
        }
        return try store.visibility(toRead: types)
    }

    /// The handle that executed the query, or one like it once that is gone.
    var openStore: HKHealthStore {
        handle ?? HKHealthStore(_connection: connection, identity: identity)
    }
}

extension StoreChange {
    /// Both as one.
    fileprivate func joined(with other: StoreChange?) -> StoreChange {
        guard let other else { return self }
        return StoreChange(
            types: types.union(other.types), sequence: max(sequence, other.sequence))
    }
}

/// Whether a query has been executed, and what runs it while it does.
final class QueryLifecycle: Sendable {
    private enum State {
        case new
        case running(QueryExecution)
        case ended
    }

    private let state = Locked<State>(.new)

    /// Nil if the query is this execution's now; else the execution that is to refuse it, the one
    /// that runs before this one.
    func claim(for execution: QueryExecution) -> QueryExecution? {
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

    /// What runs the query; nil before and after.
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

/// A handler that is let go after `stop`, with everything that it holds.
final class QueryHandler<Handler>: @unchecked Sendable {  // its one variable is locked
    private let lock = NSLock()
    private var handler: Handler?

    init(_ handler: Handler?) { self.handler = handler }

    /// Nil where none was given, and after `stop`.
    var current: Handler? {
        get { lock.withLock { handler } }
        set {
            // The old one goes outside the lock: with it may go what stops the query again.
            let old = lock.withLock {
                defer { handler = newValue }
                return handler
            }
            withExtendedLifetime(old) {}
        }
    }
}

extension HKHealthStore {
    /// What `execute` does.
    func startQuery(_ query: HKQuery) { QueryExecution.start(query, in: self) }

    /// What `stop` does: nothing to a query that was never executed.
    func stopQuery(_ query: HKQuery) {
        query.lifecycle.execution?.stop()
        if query.lifecycle.hasEnded { query.releaseHandlers() }
    }
}
