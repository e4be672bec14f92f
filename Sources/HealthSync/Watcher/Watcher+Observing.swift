import Foundation

extension Watcher {
    /// Observes what is tracked and may be observed. The new observer listens before the old one goes.
    func observe() {
        let types = Set(types.map(\.sampleType)).subtracting(unasked { $0 })
        guard isStarted, !types.isEmpty else {
            observer = nil
            return
        }
        observer = ObserverNudge(types, in: store) { [weak self] signal in
            guard let self else {
                if case .changed(_, let completion) = signal { completion.call() }
                return
            }
            switch signal {
            case .changed(let types, let completion): answer(types, completion)
            case .failed(let error): Task { await self.observerFailed(error, over: types) }
            }
        }
    }

    /// Observes a type too that could not be observed before.
    func observe(alsoOf type: TrackedType) async {
        guard unasked({ $0.remove(type.sampleType) }) != nil, isStarted else { return }
        observe()
        await enableDelivery()
    }

    /// Has the changed types read, and tells HealthKit once that is done or the time is up.
    nonisolated func answer(
        _ types: Set<HKSampleType>?, _ completion: ObserverNudge.Completion
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
        _ readers: [LaneReader], within budget: Duration, of clock: any Clock<Duration>
    ) async -> [PositionKey: DrainOutcome] {
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
        if error.isUnasked {
            let refused = await unaskedTypes(among: types)
            guard isStarted, observer?.types == types else { return }
            unasked { $0.formUnion(refused) }
            guard refused.isEmpty else {
                observe()
                // Permission may have come before this was noted: whoever can read now says so.
                let readers = currentReaders { refused.contains($0.type.sampleType) }
                return Self.wake(readers)
            }
        }
        // Asked for meanwhile, or a lock or the like: later.
        let wait = configuration.pauses.dropFirst(error.isUnasked ? 0 : 2).first ?? .seconds(30)
        renewals.set(
            Task { [weak self, clock] in
                do { try await clock.sleep(for: wait) } catch { return }
                await self?.observe()
            })
    }

    private func unaskedTypes(among types: Set<HKSampleType>) async -> Set<HKSampleType> {
        var refused: Set<HKSampleType> = []
        for type in types {
            let reader = PageReader(
                store: store, type: TrackedType(type), pageSize: 1, gate: gate)
            do {
                _ = try await reader.currentAnchor()
            } catch {
                if error.isUnasked { refused.insert(type) }
            }
        }
        return refused
    }

    /// Enables background delivery of what is observed and can be delivered.
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
                board.update(tracked) { [failure] in $0.deliveryError = failure }
            }
        }
    }
}
