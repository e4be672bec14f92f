import Foundation

extension Watcher {
    /// Observes all tracked types except those that HealthKit refuses to observe; see
    /// ``undetermined``. The new query starts before the old one stops. Stops observing if the
    /// watcher is not running, or there is no type to observe.
    func observe() {
        let types = Set(types.map(\.sampleType)).subtracting(undetermined { $0 })
        guard isStarted, !types.isEmpty else {
            observer = nil
            return
        }
        observer = ObserverRegistration(types, in: store) { [weak self] signal in
            guard let self else {
                if case .changed(_, let completion) = signal { completion.call() }
                return
            }
            switch signal {
            case .changed(let types, let completion): handleUpdate(types, completion)
            case .failed(let error): Task { await self.observerFailed(error, over: types) }
            }
        }
    }

    /// Tries again to observe a type that HealthKit refused to observe. If the watcher is not
    /// running, the type is observed at the next start. Does nothing for other types.
    func observe(alsoOf type: TrackedType) async {
        guard undetermined({ $0.remove(type.sampleType) }) != nil, isStarted else { return }
        observe()
        await enableDelivery()
    }

    /// Reads the changed types, or all tracked types if `types` is nil. Calls HealthKit's
    /// completion handler afterwards, at the latest when the time budget is used up.
    nonisolated func handleUpdate(
        _ types: Set<HKSampleType>?, _ completion: ObserverRegistration.Completion
    ) {
        let (clock, budget, probe) = (clock, configuration.budget, probe)
        Task { [weak self] in
            do { try probe.reached(.woken) } catch { return }
            let readers = await self?.wokenReaders(types) ?? []
            let outcomes = await Self.read(readers, within: budget, of: clock)
            for case .killed in outcomes.values { return }
            completion.call()
            try? probe.reached(.completionCalled)
        }
    }

    private static func read(
        _ readers: [SubscriberReader], within budget: Duration, of clock: any Clock<Duration>
    ) async -> [PositionKey: ReadOutcome] {
        await withTaskGroup { group in
            group.addTask { await read(readers, .wake) }
            group.addTask {
                try? await clock.sleep(for: budget)
                return [:]
            }
            let first = await group.next() ?? [:]
            group.cancelAll()
            return first
        }
    }

    private func observerFailed(_ error: any Error, over types: Set<HKSampleType>) async {
        guard isStarted, observer?.types == types else { return }
        if error.isNotDetermined {
            let refused = await undeterminedTypes(among: types)
            guard isStarted, observer?.types == types else { return }
            undetermined { $0.formUnion(refused) }
            guard refused.isEmpty else {
                observe()
                // Authorization may have been requested meanwhile. A reader that succeeds adds its
                // type to the observed ones again.
                let readers = currentReaders { refused.contains($0.type.sampleType) }
                return Self.wake(readers)
            }
        }
        // Authorization was requested meanwhile, or the query failed for another reason, such as a
        // locked device: retries later.
        let wait =
            configuration.retryDelays.dropFirst(error.isNotDetermined ? 0 : 2).first ?? .seconds(30)
        renewals.set(
            Task { [weak self, clock] in
                do { try await clock.sleep(for: wait) } catch { return }
                await self?.observe()
            })
    }

    private func undeterminedTypes(among types: Set<HKSampleType>) async -> Set<HKSampleType> {
        var refused: Set<HKSampleType> = []
        for type in types {
            let reader = PageReader(
                store: store, type: TrackedType(type), pageSize: 1, semaphore: semaphore)
            do {
                _ = try await reader.currentAnchor()
            } catch {
                if error.isNotDetermined { refused.insert(type) }
            }
        }
        return refused
    }

    /// Enables background delivery, if configured, for observed types for which it is not enabled
    /// yet. HealthKit has no background delivery for correlation types.
    func enableDelivery() async {
        guard case .enabled(let frequency) = configuration.backgroundDelivery else { return }
        for type in observer?.types ?? [] {
            guard !(type is HKCorrelationType), !delivered.contains(type) else { continue }
            var failure: (any Error)?
            do {
                try await store.enableBackgroundDelivery(for: type, frequency: frequency)
                delivered.insert(type)
            } catch { failure = error }
            for tracked in types where tracked.sampleType == type {
                statusRegistry.update(tracked) { [failure] in $0.deliveryError = failure }
            }
        }
    }
}

/// An observer query over a set of types, which stops on deallocation.
///
/// It reports only that something changed. The anchored queries read the changes.
final class ObserverRegistration: Sendable {
    /// A call of the observer query's handler.
    enum Signal: Sendable {
        /// The types that changed, nil for all observed ones, and the completion handler to call
        /// once they were read.
        case changed(Set<HKSampleType>?, Completion)
        /// The query failed and has ended.
        case failed(any Error)
    }

    /// The completion handler of an observer query's update, for which HealthKit waits.
    // Unchecked: HealthKit's documentation allows calling it on any thread, but its type isn't
    // Sendable.
    struct Completion: @unchecked Sendable {
        let call: HKObserverQueryCompletionHandler
    }

    let types: Set<HKSampleType>
    private let store: HKHealthStore
    private let query: HKObserverQuery

    /// Starts observing the types.
    ///
    /// - Parameter receive: Called on a queue of HealthKit's. It must not retain the owner of this
    ///   object.
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

    /// Stops the query.
    func stop() { store.stop(query) }

    deinit { store.stop(query) }
}
