import Foundation

extension Watcher {
    /// Starts observing and reads all types once. Then compares the recent days of destinations
    /// with a comparison, and a mirror's types whose read permission seems to have changed.
    ///
    /// Observes first, then enables background delivery, so that no wake is missed. Returns before
    /// reading has finished; ``sync()`` waits for it. Call it at each launch, in
    /// `didFinishLaunching`, since HealthKit may launch the app in the background. Does nothing if
    /// the watcher is running.
    public func start() async {
        guard !isStarted else { return }
        isStarted = true
        observe()
        await enableDelivery()
        guard isStarted else { return }
        for subscriber in subscribers { await subscriber.launch?() }
        let readers = await resumedReaders()
        launches.set(
            Task { [weak self] in
                let outcomes = await Self.read(readers, .demand)
                await self?.compareRecentDays()
                // The next sync or start retries what fails here.
                _ = try? await self?.compareWhereReadingChanged(after: outcomes)
            })
    }

    /// Stops observing and reading: cancels the deliveries under way, and waits until their batches
    /// are stored or have failed. Also cancels comparisons, retries and the delivery of nights,
    /// without waiting for them.
    ///
    /// Nothing is read until the next ``start()`` or ``sync()``. Positions are kept. Background
    /// delivery stays enabled, so HealthKit can still launch the app.
    public func stop() async {
        isStarted = false
        isStopped = true
        observer = nil
        launches.set(nil)
        renewals.set(nil)
        comparisons.set(nil)
        for subscriber in subscribers { await subscriber.halt?() }
        let running = readers.all
        for reader in running { await reader.halt() }
    }

    /// Reads the types of every subscriber until neither existing samples nor changes are left, and
    /// delivers pending nights to night handlers at once.
    ///
    /// Also compares a mirror's types whose read permission was revoked or granted since the last
    /// comparison. Entries that HealthKit no longer shows are ``MirrorEntry/State/notVisible``
    /// afterwards, or removed if their deletion is proven.
    ///
    /// Use it in a background task, or wherever up-to-date data is needed. It does not require
    /// ``start()``. A failing subscriber does not affect the others; one that is stuck is retried.
    ///
    /// - Returns: The numbers of batches, samples and deletions delivered during the call, and the
    ///   failures.
    /// - Throws: `CancellationError` if the task is cancelled. Delivered batches stay delivered,
    ///   and the next call reads the remaining changes.
    @discardableResult
    public func sync() async throws -> SyncSummary {
        try Task.checkCancellation()
        let before = SyncSummary.Counts(statusRegistry.all)
        let outcomes = await Self.read(resumedReaders(), .demand)
        try Task.checkCancellation()
        var failures: [PositionKey: any Error] = [:]
        for (key, outcome) in outcomes {
            switch outcome {
            case .caughtUp, .held: continue
            case .failed(let error): failures[key] = error
            case .killed(let error): throw error
            case .cancelled: failures[key] = CancellationError()
            }
        }
        let compared = try await compareWhereReadingChanged(after: outcomes)
        failures.merge(compared) { first, _ in first }
        for subscriber in subscribers {
            do {
                try await subscriber.deliverPending?()
            } catch {
                failures[PositionKey(subscriber: subscriber.name, type: "")] = error
            }
        }
        try Task.checkCancellation()
        return SyncSummary(
            counts: SyncSummary.Counts(statusRegistry.all) - before, failures: failures)
    }

    /// Reads all types to their end, one after the other. The subscribers follow in the order of
    /// their addition, and for each one the types in the order of ``trackedTypes``.
    ///
    /// Used before ``start()``, so that destinations get pending changes in a deterministic order.
    /// The next sync or start retries what fails here.
    package func readInOrder() async {
        for reader in await resumedReaders() where !Task.isCancelled {
            _ = await Self.read([reader], .demand)
        }
    }

    /// Starts reading types, as a change reported by HealthKit does, and returns at once. Works
    /// before the first ``start()`` too. After ``stop()``, does nothing until the next ``start()``
    /// or ``sync()``.
    ///
    /// Wakes that come while a type is being read are combined. A handler that failed is not
    /// retried before its retry delay has elapsed, and a stuck handler not at all. Call it after
    /// requesting authorization, or when the device was unlocked, to avoid waiting for the next
    /// retry.
    ///
    /// - Parameter types: The types to read; all tracked types if nil.
    public func wake(_ types: Set<HKSampleType>? = nil) {
        Self.wake(wokenReaders(types))
    }

    private func resumedReaders() async -> [SubscriberReader] {
        isStopped = false
        let readers = currentReaders()
        for reader in readers { await reader.resume() }
        return readers
    }

    /// Records a wake in the statuses and returns the readers of the types, or all readers if
    /// `types` is nil. Does nothing and returns none after ``stop()``.
    func wokenReaders(_ types: Set<HKSampleType>?) -> [SubscriberReader] {
        if isStopped { return [] }
        let date = now()
        for type in self.types where types?.contains(type.sampleType) ?? true {
            statusRegistry.update(type) { $0.lastWake = date }
        }
        return currentReaders { types?.contains($0.type.sampleType) ?? true }
    }

    /// Compares the last ``Configuration/reconciledDays`` days, but at most the window of its first
    /// run, for every subscriber with a comparison. Subscribers with ``FirstRun/fromNow`` are
    /// skipped, as are types whose reading is paused for ``PauseReason/notDetermined``.
    ///
    /// After a failure, the comparison is retried after the third retry delay, if there is one and
    /// the watcher is running.
    private func compareRecentDays() async {
        guard configuration.reconciledDays > 0 else { return }
        var isIncomplete = false
        for subscriber in subscribers where !Task.isCancelled {
            let span = (subscriber.firstRun ?? firstRun)
                .narrowed(.days(configuration.reconciledDays), at: now())
            guard let reconcile = subscriber.reconcile, let span else { continue }
            let readable = types.filter {
                statusRegistry.status($0)?.subscribers[subscriber.name]?.readingPause
                    != .notDetermined
            }
            do {
                if !readable.isEmpty { try await reconcile(readable, span) }
                note(nil, subscriber)
            } catch {
                note(error, subscriber)
                isIncomplete = true
            }
        }
        if isIncomplete { postponeComparison() }
    }

    private func note(_ error: (any Error)?, _ subscriber: Subscriber) {
        for type in types {
            statusRegistry.update(type) {
                $0.subscribers[subscriber.name, default: SubscriberStatus()].comparingError = error
            }
        }
    }

    private func postponeComparison() {
        guard isStarted, let wait = configuration.retryDelays.dropFirst(2).first else { return }
        comparisons.set(
            Task { [weak self, clock] in
                do { try await clock.sleep(for: wait) } catch { return }
                await self?.compareRecentDays()
            })
    }
}

/// The result of ``Watcher/sync()``.
public struct SyncSummary: Sendable {
    struct Counts: Sendable {
        var batches = 0
        var added = 0
        var deleted = 0

        init(_ statuses: [TypeStatus]) {
            for subscriber in statuses.flatMap(\.subscribers.values) {
                batches += subscriber.batches
                added += subscriber.added
                deleted += subscriber.deleted
            }
        }

        static func - (a: Counts, b: Counts) -> Counts {
            var difference = a
            difference.batches -= b.batches
            difference.added -= b.added
            difference.deleted -= b.deleted
            return difference
        }
    }

    let counts: Counts
    /// The errors of reading, of comparisons and of deliveries of nights, by the key of the
    /// position concerned. The key of a failed delivery of nights has the type "". Reading that
    /// ``Watcher/stop()`` has cancelled counts as failed.
    public let failures: [PositionKey: any Error]

    /// The number of batches delivered during the call, the sum over all types and subscribers.
    public var batches: Int { counts.batches }
    /// The number of samples delivered as added during the call, including existing ones, the sum
    /// over all types and subscribers.
    public var added: Int { counts.added }
    /// The number of deletions delivered during the call, the sum over all types and subscribers.
    public var deleted: Int { counts.deleted }
    /// Whether nothing failed: every subscriber's types were read to their end, and the comparisons
    /// and deliveries of nights that were needed succeeded.
    public var isComplete: Bool { failures.isEmpty }
}
