import Foundation

extension Watcher {
    /// Begins to watch.
    ///
    /// Observes first and enables background delivery then, so that no wake meets nobody; and has
    /// everything read once. Returns before that is done; see ``sync()``. Call it at each launch, as
    /// early as HealthKit wakes the app: in `didFinishLaunching`. Called again it does nothing.
    public func start() async {
        guard !isStarted else { return }
        isStarted = true
        observe()
        await enableDelivery()
        guard isStarted else { return }
        for lane in lanes { await lane.launch?() }
        let readers = await resumedReaders()
        launches.set(
            Task { [weak self] in
                let outcomes = await Self.read(readers, .demand)
                await self?.compareRecentDays()
                // What fails is tried again by the next sync or start.
                _ = try? await self?.compareWhereReadingChanged(after: outcomes)
            })
    }

    /// Ends all watching; waits until what was being handed over is settled. Nothing is read then
    /// before the next ``start()`` or ``sync()``.
    ///
    /// Background delivery stays enabled: HealthKit will launch the app, which starts a watcher.
    public func stop() async {
        isStarted = false
        isStopped = true
        observer = nil
        launches.set(nil)
        renewals.set(nil)
        comparisons.set(nil)
        for lane in lanes { await lane.halt?() }
        let running = readers.all
        for reader in running { await reader.halt() }
    }

    /// Reads every lane of every type to its end, and says how that went.
    ///
    /// Compares a mirror's types of which permission to read was taken back or given again since: what
    /// HealthKit doesn't show any more is ``Entry/State/notVisible`` when it returns.
    ///
    /// For a background task, or wherever the app wants to be sure. It needs no ``start()``. One lane's
    /// failure keeps no other from being read; a lane that is stuck is tried again.
    ///
    /// - Throws: `CancellationError` if the task is cancelled: what was handed over stays so, the rest
    ///   comes the next time.
    @discardableResult
    public func sync() async throws -> SyncSummary {
        try Task.checkCancellation()
        let before = SyncSummary.Counts(board.all)
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
        for lane in lanes {
            do {
                try await lane.settle?()
            } catch {
                failures[PositionKey(lane: lane.name, type: "")] = error
            }
        }
        try Task.checkCancellation()
        return SyncSummary(
            counts: SyncSummary.Counts(board.all) - before, failures: failures)
    }

    /// Has types read as HealthKit's observer does; all of them if nil. Returns at once.
    ///
    /// Wakes that come while a type is being read are answered together. Call it after asking for
    /// permission, or when the device is unlocked, so as not to wait for the next attempt.
    public func wake(_ types: Set<HKSampleType>? = nil) {
        Self.wake(wokenReaders(types))
    }

    private func resumedReaders() async -> [LaneReader] {
        isStopped = false
        let readers = currentReaders()
        for reader in readers { await reader.resume() }
        return readers
    }

    /// The readers that a wake concerns.
    func wokenReaders(_ types: Set<HKSampleType>?) -> [LaneReader] {
        if isStopped { return [] }
        let date = now()
        for type in self.types where types?.contains(type.sampleType) ?? true {
            board.update(type) { $0.lastWake = date }
        }
        return currentReaders { types?.contains($0.type.sampleType) ?? true }
    }

    /// Compares the last days of every lane that can, again and again until it succeeds.
    private func compareRecentDays() async {
        guard configuration.reconciledDays > 0 else { return }
        var isIncomplete = false
        for lane in lanes where !Task.isCancelled {
            let span = (lane.firstRun ?? firstRun)
                .narrowed(.days(configuration.reconciledDays), at: now())
            guard let reconcile = lane.reconcile, let span else { continue }
            let readable = types.filter {
                board.status($0)?.lanes[lane.name]?.readingPause != .notAsked
            }
            do {
                if !readable.isEmpty { try await reconcile(readable, span) }
                note(nil, lane)
            } catch {
                note(error, lane)
                isIncomplete = true
            }
        }
        if isIncomplete { postponeComparison() }
    }

    private func note(_ error: (any Error)?, _ lane: Lane) {
        for type in types {
            board.update(type) {
                $0.lanes[lane.name, default: LaneStatus()].comparingError = error
            }
        }
    }

    private func postponeComparison() {
        guard isStarted, let wait = configuration.pauses.dropFirst(2).first else { return }
        comparisons.set(
            Task { [weak self, clock] in
                do { try await clock.sleep(for: wait) } catch { return }
                await self?.compareRecentDays()
            })
    }
}

/// What a ``Watcher/sync()`` did.
public struct SyncSummary: Sendable {
    struct Counts: Sendable {
        var batches = 0
        var added = 0
        var deleted = 0

        init(_ statuses: [TypeStatus]) {
            for lane in statuses.flatMap(\.lanes.values) {
                batches += lane.batches
                added += lane.added
                deleted += lane.deleted
            }
        }

        static func - (a: Counts, b: Counts) -> Counts {
            var rest = a
            rest.batches -= b.batches
            rest.added -= b.added
            rest.deleted -= b.deleted
            return rest
        }
    }

    let counts: Counts
    /// What kept lanes from being read to their end.
    public let failures: [PositionKey: any Error]

    /// Batches handed over in all lanes; each lane counts its own.
    public var batches: Int { counts.batches }
    /// Samples handed over as added.
    public var added: Int { counts.added }
    /// Deletions handed over.
    public var deleted: Int { counts.deleted }
    /// Whether every lane was read to its end.
    public var isComplete: Bool { failures.isEmpty }
}
