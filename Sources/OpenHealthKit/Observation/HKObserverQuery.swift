public import Foundation
import HealthEngine
import HealthStorage

/// What an observer calls when it has dealt with a change.
public typealias HKObserverQueryCompletionHandler = () -> Void

/// Tells that something was saved or deleted, by this app or another, without saying what.
///
/// The handler is called once soon after `execute` and then for each matching save and deletion
/// (Semantics §7.1–7.2). Call the completion handler every time: in the background a
/// wake that isn't answered comes again, and after three the type wakes the app no more.
open class HKObserverQuery: HKQuery, @unchecked Sendable {  // mutable state is locked
    private typealias Handler =
        @Sendable (
            HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler,
            (any Error)?
        ) -> Void

    private struct Watch {
        var delivery: BackgroundDelivery
        var number: Int
        /// The last change that was looked at.
        var sequence: Int64
        /// How often the handler was called.
        var wakes = 0
    }

    private let descriptors: [HKQueryDescriptor]
    private let handler: QueryHandler<Handler>
    private let watch = Locked<Watch?>(nil)

    /// Observes one type.
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

    /// Observes several types; the handler is told which of them changed.
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

    override var askedTypes: [HKObjectType] { descriptors.map(\.sampleType) }

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
            execution.perform { self.tell(changed, completion, execution) }
        }
        let sequence = execution.firstSequence
        watch { $0 = Watch(delivery: delivery, number: number, sequence: sequence) }
        // Stopped meanwhile: nobody else will take the observer off.
        if execution.isStopped { releaseHandlers() }
    }

    override func storeChanged(_ change: StoreChange, _ execution: QueryExecution) throws {
        guard let watch = watch({ $0 }) else { return }
        let changed = try execution.types(of: descriptors, in: change, after: watch.sequence)
        self.watch { $0?.sequence = change.sequence }
        if !changed.isEmpty { watch.delivery.changed(changed, for: watch.number) }
    }

    private func tell(
        _ changed: Set<String>, _ completion: ObserverCompletion, _ execution: QueryExecution
    ) {
        let types = Set(descriptors.map(\.sampleType).filter { changed.contains($0.identifier) })
        let number = watch { watch in
            watch?.wakes += 1
            return watch?.wakes ?? 0
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
        let ended = watch { watch in
            defer { watch = nil }
            return watch
        }
        if let ended { ended.delivery.removeObserver(ended.number) }
    }
}

extension QueryExecution {
    /// Identifiers of the types of which something that a descriptor selects, and that the app may
    /// see, was saved or deleted.
    func types(
        of descriptors: [HKQueryDescriptor], in change: StoreChange, after sequence: Int64
    ) throws -> Set<String> {
        var changed: Set<String> = []
        for descriptor in descriptors {
            guard change.concerns(descriptor.sampleType) else { continue }
            let request = try request(descriptor)
            let visibility = try visibility(of: [descriptor.sampleType])
            if request.filter == .everything, visibility[request.type.code] == .all {
                changed.insert(descriptor.sampleType.identifier)
                continue
            }
            let found = try connection.readableStore.changes(
                [request], after: sequence, sampleLimit: 1, tombstoneLimit: 1,
                visibility: visibility)
            if found.samples.count > 0 || !found.deleted.isEmpty {
                changed.insert(descriptor.sampleType.identifier)
            }
        }
        return changed
    }
}

extension StoreChange {
    /// Whether something of a type may have changed; of types that only the store knows it may
    /// always.
    func concerns(_ type: HKObjectType) -> Bool {
        type.row.map { types.contains($0.code) } ?? true
    }
}
