public import Foundation

extension Watcher {
    /// Adds a handler for the nights of added and deleted samples, so that they can be computed
    /// again.
    ///
    /// ```swift
    /// try await watcher.onNights(calendar: .current, debounce: .seconds(5)) { nights in
    ///     for night in nights { try await summary.compute(night.interval) }
    /// }
    /// ```
    /// At the first run, these are all nights of the existing samples that the watcher's first-run
    /// policy includes.
    ///
    /// A watch delivers a night in many small batches. The handler is therefore called when no
    /// further batch has arrived for the time `debounce`; ``sync()`` calls it at once. A deletion
    /// changes the nights of the deleted sample. For this purpose, the position file stores the
    /// time span of each delivered sample.
    ///
    /// Changed nights are stored until the handler has returned, and survive a crash. If the
    /// handler throws, it is called again after the delays in ``Configuration/retryDelays``. After
    /// the last one, it is called only at the next start or sync, even if more nights change.
    /// - Parameters:
    ///   - calendar: The calendar, with the time zone, whose noons separate the nights.
    ///   - debounce: The time to wait after a batch. Each further batch starts the wait again; the
    ///     tenth wait before a delivery is not started again.
    ///   - types: The types whose samples change a night; sleep analysis if nil. They must be
    ///     tracked.
    ///   - name: The name under which the handler's positions are stored. It must be the same at
    ///     each launch.
    ///   - body: The handler. It gets all changed nights that are not delivered yet, the earliest
    ///     first.
    /// - Throws: ``SubscriberError``: a type isn't tracked, the name is in use, or the watcher's
    ///   position store is no ``PositionFile``.
    public func onNights(
        calendar: Calendar, debounce: Duration = .seconds(5), of types: [HKSampleType]? = nil,
        named name: String = "nights", _ body: @escaping @Sendable ([Night]) async throws -> Void
    ) throws(SubscriberError) {
        guard let file = positions as? PositionFile else { throw .noPositionFile }
        let identifiers =
            types?.map(\.identifier) ?? [HKCategoryTypeIdentifier.sleepAnalysis.rawValue]
        for identifier in identifiers { _ = try tracked(identifier) }
        let subscriber = "handler:" + name
        let debouncerReference = LockedValue<NightDebouncer?>(nil)
        let touchedNights = TouchedNights(
            subscriber: subscriber, file: file, calendar: calendar, now: now,
            touched: { await debouncerReference { $0 }?.touch() })
        let debouncer = NightDebouncer(
            touchedNights, debounceInterval: debounce, clock: clock,
            retryDelays: configuration.retryDelays,
            report: { [weak self] error, pause in
                Task { await self?.noteDebouncing(subscriber, identifiers, error, pause) }
            }, body)
        debouncerReference { $0 = debouncer }
        try addNights(
            Subscriber(
                subscriber, to: touchedNights, positions: file, of: .types(Set(identifiers))),
            debouncer, debouncerReference)
    }

    private func addNights(
        _ subscriber: Subscriber, _ debouncer: NightDebouncer,
        _ debouncerReference: LockedValue<NightDebouncer?>
    ) throws(SubscriberError) {
        var subscriber = subscriber
        subscriber.isHandler = true
        subscriber.deliverPending = { try await debouncer.deliverPending() }
        subscriber.launch = { await debouncer.launch() }
        subscriber.halt = { await debouncer.halt() }
        subscriber.end = {
            debouncerReference { $0 = nil }
            Task { await debouncer.halt() }
        }
        try add(subscriber)
    }

    private func noteDebouncing(
        _ subscriber: String, _ identifiers: [String], _ error: (any Error)?, _ pause: PauseReason?
    ) {
        for type in types where identifiers.contains(type.sampleType.identifier) {
            statusRegistry.update(type) {
                $0.subscribers[subscriber, default: SubscriberStatus()].debounceError = error
                $0.subscribers[subscriber, default: SubscriberStatus()].debouncePause = pause
            }
        }
    }
}

/// A debouncer that delivers changed nights when no further batch has arrived for a given time. At
/// the latest, it delivers them after the tenth wait.
actor NightDebouncer {
    private let touchedNights: TouchedNights
    private let debounceInterval: Duration
    private let clock: any Clock<Duration>
    private let retryDelays: [Duration]
    private let report: @Sendable ((any Error)?, PauseReason?) -> Void
    private let body: @Sendable ([Night]) async throws -> Void
    private let timer = CancellingTask()
    private let notification = CancellingTask()
    private var postponed = 0
    private var failures = 0
    private var isNotifying = false
    private var isStuck: Bool { failures > retryDelays.count }

    /// The maximum number of times that batches start the wait before a delivery.
    private static let maximumPostponements = 10

    init(
        _ touchedNights: TouchedNights, debounceInterval: Duration, clock: any Clock<Duration>,
        retryDelays: [Duration], report: @escaping @Sendable ((any Error)?, PauseReason?) -> Void,
        _ body: @escaping @Sendable ([Night]) async throws -> Void
    ) {
        self.touchedNights = touchedNights
        self.debounceInterval = debounceInterval
        self.clock = clock
        self.retryDelays = retryDelays
        self.report = report
        self.body = body
    }

    /// Starts or restarts the wait after a batch. Does nothing if it has started the wait ten times
    /// since the last attempt to deliver began. Does nothing either after a failed attempt, until
    /// one succeeds or the number of failed attempts is reset.
    func touch() {
        guard failures == 0, postponed < Self.maximumPostponements else { return }
        postponed += 1
        wait(debounceInterval)
    }

    /// Resets the number of failed deliveries, and delivers pending nights at once. If a delivery
    /// is under way, returns without waiting for it.
    ///
    /// - Throws: The errors of the handler and of the position file.
    func deliverPending() async throws {
        failures = 0
        try await notifyNights()
    }

    /// Resets the number of failed deliveries, and starts the wait for a delivery, as a batch does.
    /// Nights that an earlier run has stored but not delivered are thus delivered without a batch.
    func launch() {
        failures = 0
        touch()
    }

    func halt() {
        timer.set(nil)
        notification.set(nil)
    }

    private func wait(_ duration: Duration) {
        timer.set(
            Task { [weak self, clock] in
                do { try await clock.sleep(for: duration) } catch { return }
                await self?.begin()
            })
    }

    /// Delivers in a task of its own, so that a further change does not cancel the delivery.
    private func begin() {
        guard !isNotifying else { return }
        notification.set(Task { [weak self] in try? await self?.notifyNights() })
    }

    private func notifyNights() async throws {
        guard !isNotifying else { return }
        isNotifying = true
        defer { isNotifying = false }
        postponed = 0
        do {
            let due = try await touchedNights.due()
            guard !due.isEmpty else { return }
            let nights = Set(
                due.map {
                    Night(
                        containing: Date(timeIntervalSinceReferenceDate: $0.middle),
                        in: touchedNights.calendar)
                })
            try await body(nights.sorted())
            try await touchedNights.markDelivered(due)
            failures = 0
            report(nil, nil)
            if try await !touchedNights.due().isEmpty { wait(debounceInterval) }
        } catch {
            failures += 1
            report(error, isStuck ? .handlerStuck : .handlerFailed)
            if let pause = retryDelays.dropFirst(failures - 1).first { wait(pause) }
            throw error
        }
    }
}
