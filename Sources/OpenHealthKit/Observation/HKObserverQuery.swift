public import Foundation
import HealthEngine
import HealthStorage

/// A closure that an observer calls when it has processed a change.
public typealias HKObserverQueryCompletionHandler = () -> Void

/// A long-running query that reports saves and deletions, by this app or another one, without their
/// data.
///
/// The handler is called once soon after `execute`, and then for matching saves and deletions
/// (Semantics §7.1–7.2). Changes in quick succession can be combined into one call. The handler
/// must call the completion handler every time. In the background, a delivery without completion is
/// retried; after three consecutive failures, delivery of the type stops. See
/// ``BackgroundDelivery``.
open class HKObserverQuery: HKQuery, @unchecked Sendable {  // mutable state is locked
    private typealias Handler =
        @Sendable (
            HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler,
            (any Error)?
        ) -> Void

    private struct Registration {
        var delivery: BackgroundDelivery
        var number: Int
        /// The sequence number up to which changes have been checked.
        var sequence: Int64
        /// The number of deliveries to the handler so far.
        var wakes = 0
    }

    private let descriptors: [HKQueryDescriptor]
    private let handler: QueryHandler<Handler>
    private let registration = Locked<Registration?>(nil)

    /// Creates an observer of one type.
    ///
    /// - Parameters:
    ///   - sampleType: The type.
    ///   - predicate: Which samples to observe; nil for all.
    ///   - updateHandler: Receives the query, the completion handler to call, and an error. Called
    ///     on a background queue.
    @preconcurrency
    public required init(
        sampleType: HKSampleType, predicate: NSPredicate?,
        updateHandler:
            @escaping @Sendable (
                HKObserverQuery, @escaping HKObserverQueryCompletionHandler, (any Error)?
            ) -> Void
    ) {
        descriptors = [HKQueryDescriptor(sampleType: sampleType, predicate: predicate)]
        handler = QueryHandler { query, _, completion, error in
            updateHandler(query, completion, error)
        }
        super.init(_objectType: sampleType, predicate: predicate)
    }

    /// Creates an observer of several types.
    ///
    /// - Parameters:
    ///   - queryDescriptors: The types and predicates to observe; at least one.
    ///   - updateHandler: Receives the query, the changed types, the completion handler to call,
    ///     and an error. The types are nil with an error. Called on a background queue.
    @preconcurrency
    public required init(
        queryDescriptors: [HKQueryDescriptor],
        updateHandler:
            @escaping @Sendable (
                HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler,
                (any Error)?
            ) -> Void
    ) {
        descriptors = queryDescriptors
        handler = QueryHandler(updateHandler)
        super.init(
            _objectType: queryDescriptors.onlyType, predicate: queryDescriptors.onlyPredicate)
    }

    override var isLongRunning: Bool { true }

    override var queriedTypes: [HKObjectType] { descriptors.map(\.sampleType) }

    override func begin(_ execution: QueryExecution) {
        execution.connection.backgroundDelivery(of: execution.identity)
            .expectObserver(of: Set(descriptors.identifiers))
    }

    override func run(_ execution: QueryExecution) throws {
        _ = try execution.requests(descriptors)
        _ = try execution.visibility(of: descriptors.map(\.sampleType))
        let delivery = execution.connection.backgroundDelivery(of: execution.identity)
        let number = delivery.addObserver(of: Set(descriptors.identifiers)) {
            [weak self, weak execution] changed, completion in
            guard let self, let execution else { return }
            execution.perform { self.deliver(changed, completion, execution) }
        }
        let sequence = execution.firstSequence
        registration { $0 = Registration(delivery: delivery, number: number, sequence: sequence) }
        // If the query was stopped before `registration` was set, the observer is still registered
        // and must be removed here.
        if execution.isStopped { releaseHandlers() }
    }

    override func storeChanged(_ change: StoreChange, _ execution: QueryExecution) throws {
        guard let registration = registration({ $0 }) else { return }
        let changed = try execution.types(of: descriptors, in: change, after: registration.sequence)
        self.registration { $0?.sequence = change.sequence }
        if !changed.isEmpty { registration.delivery.changed(changed, for: registration.number) }
    }

    private func deliver(
        _ changed: Set<String>, _ completion: ObserverCompletion, _ execution: QueryExecution
    ) {
        let types = Set(descriptors.map(\.sampleType).filter { changed.contains($0.identifier) })
        let number = registration { registration in
            registration?.wakes += 1
            return registration?.wakes ?? 0
        }
        let wake = ObserverWake(observer: ObjectIdentifier(self), number: number)
        ObserverWake.$current.withValue(wake) {
            execution.deliver { handler.current?(self, types, { completion.call() }, nil) }
        }
        completion.handlerReturned()
    }

    override func report(_ error: HKError) { handler.current?(self, nil, {}, error) }

    override func releaseHandlers() {
        handler.current = nil
        let ended = registration { registration in
            defer { registration = nil }
            return registration
        }
        if let ended { ended.delivery.removeObserver(ended.number) }
    }
}

extension QueryExecution {
    /// Returns the identifiers of those types of the descriptors that have changed. A type has
    /// changed if a sample that matches and is visible to the app was saved or deleted.
    func types(
        of descriptors: [HKQueryDescriptor], in change: StoreChange, after sequence: Int64
    ) throws -> Set<String> {
        var changed: Set<String> = []
        for descriptor in descriptors {
            guard change.affects(descriptor.sampleType) else { continue }
            let request = try request(descriptor)
            let visibility = try visibility(of: [descriptor.sampleType])
            if request.filter == .everything, visibility[request.type.code] == .all,
                change.types.contains(request.type.code)
            {
                changed.insert(descriptor.sampleType.identifier)
                continue
            }
            let found = try changesWithHeartbeats(
                [request], after: sequence, limit: 1, visibility)
            if !found.added.isEmpty || !found.deleted.isEmpty {
                changed.insert(descriptor.sampleType.identifier)
            }
        }
        return changed
    }
}

extension StoreChange {
    /// Whether the change includes a type; always true for a type that is not in the catalogue.
    func affects(_ type: HKObjectType) -> Bool {
        guard let row = type.row else { return true }
        if types.contains(row.code) { return true }
        // An import stores heartbeats in another type (Semantics §10.5b).
        guard let beats = HeartbeatTypes.catalogued, row == beats.series else { return false }
        return types.contains(beats.variability.code)
    }
}

/// The completion of one delivery to an observer. The app has to call it within the time limit.
///
/// The closure that is passed to the app retains this object. If the object is released without a
/// call, the delivery fails at once, so a missing call is often detected before the limit.
final class ObserverCompletion: Sendable {
    enum Outcome: Sendable { case called, dropped }

    private let onOutcome: Locked<(@Sendable (Outcome) -> Void)?>

    private let awaited: AwaitedDelivery?

    /// Creates the completion of a delivery that begins now.
    ///
    /// - Parameters:
    ///   - awaited: Makes a ``ManualClock`` wait for the delivery; nil for other clocks.
    ///   - onOutcome: Called once, on the thread that calls or releases the completion.
    init(_ awaited: AwaitedDelivery? = nil, _ onOutcome: @escaping @Sendable (Outcome) -> Void) {
        self.awaited = awaited
        self.onOutcome = Locked(onOutcome)
    }

    /// Reports that the app's handler has returned. The app may still call the completion later,
    /// within the time limit.
    func handlerReturned() { awaited?.handlerReturned() }

    /// Completes the delivery; further calls have no effect.
    func call() { finish(.called) }

    deinit { finish(.dropped) }

    private func finish(_ outcome: Outcome) {
        let onOutcome = onOutcome { onOutcome in
            defer { onOutcome = nil }
            return onOutcome
        }
        onOutcome?(outcome)
        awaited?.finish()
    }
}
