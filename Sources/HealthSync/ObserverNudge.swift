import Foundation

/// One observer over all tracked types; it stops when this goes.
///
/// It only says that something changed. What, the anchored queries tell.
final class ObserverNudge: Sendable {
    /// What the observer was told.
    enum Signal: Sendable {
        /// Types that changed, all of them if nil, and what is to be called when they are dealt with.
        case changed(Set<HKSampleType>?, Completion)
        /// The observer has ended.
        case failed(any Error)
    }

    /// What HealthKit waits for.
    // Called from any thread, as HealthKit's own documentation does; its type doesn't say so.
    struct Completion: @unchecked Sendable {
        let call: HKObserverQueryCompletionHandler
    }

    let types: Set<HKSampleType>
    private let store: HKHealthStore
    private let query: HKObserverQuery

    /// Begins to observe.
    ///
    /// - Parameter receive: Called on a queue of HealthKit's; it must not hold whoever holds this.
    init(
        _ types: Set<HKSampleType>, in store: HKHealthStore,
        _ receive: @escaping @Sendable (Signal) -> Void
    ) {
        self.types = types
        self.store = store
        query = HKObserverQuery(
            queryDescriptors: types.sorted { $0.identifier < $1.identifier }
                .map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        ) { _, types, completion, error in
            if let error {
                completion()
                receive(.failed(error))
            } else {
                receive(.changed(types, Completion(call: completion)))
            }
        }
        store.execute(query)
    }

    /// Begins nothing any more.
    func stop() { store.stop(query) }

    deinit { store.stop(query) }
}
