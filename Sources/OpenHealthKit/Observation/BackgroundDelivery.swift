public import Foundation

/// Schedules the update handlers of observers while an app is suspended (Semantics §7.3–7.6). Not
/// part of Apple's API.
///
/// An app starts in the foreground, where every change calls its observers at once. ``suspend()``
/// moves the app to the background. There, a change of a type calls an observer only if background
/// delivery of the type is enabled, and at most once in each period. Other changes stay pending
/// until ``resume()``:
///
/// ```swift
/// try await store.enableBackgroundDelivery(for: steps, frequency: .hourly)
/// store.backgroundDelivery.suspend()
/// try await watch.save(walk)          // calls the observer
/// try await watch.save(anotherWalk)   // pending until the hour has passed
/// clock.advance(by: 3600)             // calls the observer again
/// ```
/// A delivery that began in the background fails if its completion handler is not called within
/// ``completionTimeout``, or is released without a call. After the first failure, the delivery is
/// retried after one minute. After the second failure, it is retried after two minutes. After three
/// consecutive failures, delivery of the type stops until it is enabled again. A delivery that
/// began in the foreground is not retried.
///
/// The settings apply while the store is open in this process. Safe to use from any thread.
public final class BackgroundDelivery: Sendable {
    /// The time limit for calling the completion handler, in seconds: 30. Apple does not publish a
    /// limit; this is the time that iOS grants a background task.
    public static let completionTimeout: TimeInterval = 30
    /// The delay before the first retry, in seconds: 60. It doubles with each retry.
    public static let initialRetryDelay: TimeInterval = 60
    /// The number of consecutive failures after which delivery of a type stops: 3.
    public static let maximumFailures = 3

    /// The state of background delivery for one type.
    struct Delivery: Sendable {
        var period: TimeInterval
        /// The time of the last delivery in the background to each observer, by the observer's
        /// number.
        var lastWakes: [Int: Date] = [:]
        /// The time of the next retry after a failed delivery. No delivery in the background takes
        /// place before it.
        var retry = Date.distantPast
        var failures = 0
        var hasStopped = false
        /// The scheduled check of pending deliveries; nil if there is none.
        var next: ScheduledCheck?

        /// Returns the earliest time of the next delivery to an observer; the distant past without
        /// an earlier delivery or failure.
        func date(for observer: Int) -> Date {
            max(retry, lastWakes[observer]?.addingTimeInterval(period) ?? .distantPast)
        }
    }

    /// A check scheduled with the clock.
    struct ScheduledCheck: Sendable {
        let number: Int
        let date: Date
        /// The work that the clock has scheduled; nil until the clock has returned it.
        var work: ScheduledWork?
    }

    /// A registered observer.
    struct Observer: Sendable {
        var types: Set<String>
        /// Changed types that have not been delivered yet.
        var pending: Set<String> = []
        var body: @Sendable (Set<String>, ObserverCompletion) -> Void
    }

    struct State {
        var isSuspended = false
        var deliveries: [String: Delivery] = [:]
        var observers: [Int: Observer] = [:]
        /// The last number assigned to an observer or a scheduled check.
        var lastNumber = 0
    }

    let app: String
    let clock: any HealthStoreClock
    let diagnostics: Diagnostics
    let state = Locked(State())

    /// Creates the background delivery of one app, which is in the foreground.
    ///
    /// - Parameters:
    ///   - app: The bundle identifier of the app.
    ///   - clock: The clock that measures periods, time limits and retries.
    ///   - diagnostics: Records the findings.
    init(app: String, clock: any HealthStoreClock, diagnostics: Diagnostics) {
        self.app = app
        self.clock = clock
        self.diagnostics = diagnostics
    }

    /// Whether the app is in the background.
    public var isSuspended: Bool { state { $0.isSuspended } }

    /// Moves the app to the background: from now on, only enabled deliveries call observers.
    public func suspend() { state { $0.isSuspended = true } }

    /// Moves the app to the foreground and delivers all pending changes at once.
    public func resume() {
        state { $0.isSuspended = false }
        for number in state({ $0.observers.keys.sorted() }) { flush(number) }
    }
}

// MARK: - Settings

extension BackgroundDelivery {
    /// Enables delivery for a type with a minimum period in seconds. Replaces the earlier setting
    /// of the type and resets its failures. While the app is suspended, delivers pending changes.
    func enable(_ type: String, every period: TimeInterval) {
        // The replaced delivery is released outside the lock, as everywhere in this file: its
        // scheduled work can belong to a clock of the app.
        let (replaced, isObserved) = state { state in
            let replaced = state.deliveries.updateValue(Delivery(period: period), forKey: type)
            return (replaced, state.observers.values.contains { $0.types.contains(type) })
        }
        withExtendedLifetime(replaced) {}
        if !isObserved {
            diagnostics.addPending(
                missingObserver(type), .backgroundDeliveryWithoutObserver(type: type))
        }
        for number in state({ $0.observers.keys.sorted() }) { deliver(to: number) }
    }

    func disable(_ type: String) {
        let removed = state { $0.deliveries.removeValue(forKey: type) }
        withExtendedLifetime(removed) {}
        diagnostics.clearPending(missingObserver(type))
        diagnostics.allowPending(missingObserver(type))
    }

    func disableAll() {
        for type in state({ Array($0.deliveries.keys) }) { disable(type) }
    }

    /// Whether delivery of a type is enabled and has not been stopped by failures.
    func isEnabled(_ type: String) -> Bool {
        state { $0.deliveries[type]?.hasStopped == false }
    }

    private func missingObserver(_ type: String) -> PendingFinding {
        PendingFinding(cause: .deliveryWithoutObserver, app: app, type: type)
    }
}

// MARK: - Observers

extension BackgroundDelivery {
    /// Clears the suspected mistake that background delivery of these types has no observer. Called
    /// when an observer query is executed, because ``addObserver(of:_:)`` is called slightly later,
    /// on the query's queue.
    func expectObserver(of types: Set<String>) {
        for type in types { diagnostics.clearPending(missingObserver(type)) }
    }

    /// Adds an observer and calls it once, as HealthKit does on execution (Semantics §7.2).
    ///
    /// - Parameters:
    ///   - types: The identifiers of the observed types.
    ///   - body: Receives the changed types and the completion to call. It can be called on any
    ///     thread. So it must dispatch to a queue of its own, call the app's handler there and then
    ///     ``ObserverCompletion/handlerReturned()``.
    /// - Returns: The observer's number for ``changed(_:for:)`` and ``removeObserver(_:)``.
    func addObserver(
        of types: Set<String>,
        _ body: @escaping @Sendable (Set<String>, ObserverCompletion) -> Void
    ) -> Int {
        let number = state { state -> Int in
            state.lastNumber += 1
            state.observers[state.lastNumber] = Observer(types: types, body: body)
            return state.lastNumber
        }
        for type in types { diagnostics.clearPending(missingObserver(type)) }
        body(types, completion(of: number, types))
        return number
    }

    func removeObserver(_ number: Int) {
        let types = state { state in
            let types = state.observers.removeValue(forKey: number)?.types ?? []
            for type in types { state.deliveries[type]?.lastWakes[number] = nil }
            return types
        }
        for type in types { diagnostics.allowPending(missingObserver(type)) }
    }

    /// Delivers changes to an observer. While the app is suspended, this method delivers only the
    /// changes that background delivery permits now; the others stay pending.
    func changed(_ types: Set<String>, for number: Int) {
        let isSuspended = state { state in
            state.observers[number]?.pending.formUnion(types)
            return state.isSuspended
        }
        isSuspended ? deliver(to: number) : flush(number)
    }

    /// Delivers all pending changes to an observer.
    private func flush(_ number: Int) {
        let observer = state { state -> Observer? in
            let observer = state.observers[number]
            state.observers[number]?.pending = []
            return observer
        }
        guard let observer, !observer.pending.isEmpty else { return }
        observer.body(observer.pending, completion(of: number, observer.pending))
    }

    /// Delivers the pending types that are due to an observer of a suspended app, and schedules a
    /// check for those that are not due yet. Types without enabled delivery stay pending.
    private func deliver(to number: Int) {
        let now = clock.now
        let (due, later, body) = state { state in
            var due: Set<String> = []
            var later: [String: Date] = [:]
            for type in state.observers[number]?.pending ?? [] {
                guard state.isSuspended, let delivery = state.deliveries[type],
                    !delivery.hasStopped
                else { continue }
                let date = delivery.date(for: number)
                if date > now { later[type] = date } else { due.insert(type) }
            }
            for type in due { state.deliveries[type]?.lastWakes[number] = now }
            state.observers[number]?.pending.subtract(due)
            return (due, later, state.observers[number]?.body)
        }
        for (type, date) in later { schedule(type, at: date) }
        if !due.isEmpty { body?(due, completion(of: number, due)) }
    }

    /// Schedules a check of all observers of a type, unless one is scheduled for the same time or
    /// earlier.
    private func schedule(_ type: String, at date: Date) {
        let (number, replaced) = state { state -> (Int?, ScheduledCheck?) in
            guard let delivery = state.deliveries[type] else { return (nil, nil) }
            if let next = delivery.next, next.date <= date { return (nil, nil) }
            state.lastNumber += 1
            state.deliveries[type]?.next = ScheduledCheck(number: state.lastNumber, date: date)
            return (state.lastNumber, delivery.next)
        }
        withExtendedLifetime(replaced) {}
        guard let number else { return }
        let work = clock.schedule(at: date) { [weak self] in self?.runScheduledCheck(type, number) }
        state { state in
            // The scheduled work may have run already.
            guard state.deliveries[type]?.next?.number == number else { return }
            state.deliveries[type]?.next?.work = work
        }
    }

    private func runScheduledCheck(_ type: String, _ number: Int) {
        let (observers, finished) = state { state -> ([Int], ScheduledCheck?) in
            guard let next = state.deliveries[type]?.next, next.number == number else {
                return ([], nil)
            }
            state.deliveries[type]?.next = nil
            let waiting = state.observers.filter { $0.value.pending.contains(type) }
            return (waiting.keys.sorted(), next)
        }
        withExtendedLifetime(finished) {}
        for observer in observers { deliver(to: observer) }
    }
}

// MARK: - Completion handlers

extension BackgroundDelivery {
    /// Creates the completion of one delivery to an observer. If the completion is released without
    /// a call, or not called within the time limit, a finding is recorded. If the app was suspended
    /// when the delivery began, the delivery also counts as failed. If the observer has been
    /// removed in the meantime, neither happens.
    private func completion(of number: Int, _ types: Set<String>) -> ObserverCompletion {
        let isWake = state { $0.isSuspended }
        let deadline = Locked<ScheduledWork?>(nil)
        let isCompleted = Locked(false)
        let complete: @Sendable (ObserverCompletion.Outcome) -> Void = { [weak self] outcome in
            let isFirst = isCompleted { isCompleted in
                defer { isCompleted = true }
                return !isCompleted
            }
            deadline.exchange(nil)
            guard isFirst else { return }
            self?.complete(outcome, of: number, types, isWake: isWake)
        }
        let work = clock.schedule(at: clock.now.addingTimeInterval(Self.completionTimeout)) {
            complete(.dropped)
        }
        deadline.exchange(work)
        if isCompleted({ $0 }) { deadline.exchange(nil) }
        return ObserverCompletion((clock as? ManualClock)?.beginDelivery(), complete)
    }

    private func complete(
        _ outcome: ObserverCompletion.Outcome, of number: Int, _ types: Set<String>, isWake: Bool
    ) {
        switch outcome {
        case .called:
            state { state in for type in types { state.deliveries[type]?.failures = 0 } }
        case .dropped:
            // A stopped observer does not have to call its completion handler.
            guard state({ $0.observers[number] != nil }) else { return }
            diagnostics.record(.completionNotCalled(types: types.sorted()))
            if isWake { for type in types { recordFailure(type, number) } }
        }
    }

    /// Counts a failed delivery of a type, makes the type pending again, and schedules a retry.
    /// After ``maximumFailures``, stops delivery of the type instead. Has no effect if delivery of
    /// the type has been disabled.
    private func recordFailure(_ type: String, _ number: Int) {
        let now = clock.now
        let retry = state { state -> Date? in
            guard var delivery = state.deliveries[type] else { return nil }
            delivery.failures += 1
            delivery.hasStopped = delivery.failures >= Self.maximumFailures
            let delay = Self.initialRetryDelay * Double(1 << (delivery.failures - 1))
            delivery.retry = now.addingTimeInterval(delay)
            // The period does not delay the retry.
            delivery.lastWakes[number] = nil
            state.deliveries[type] = delivery
            state.observers[number]?.pending.insert(type)
            return delivery.hasStopped ? nil : delivery.retry
        }
        if let retry { schedule(type, at: retry) }
    }
}

/// The types with a maximum delivery rate. Only one such type is known for iOS (Semantics §7.6).
enum DeliveryCaps {
    static let byType: [String: HKUpdateFrequency] = [
        HKQuantityTypeIdentifier.stepCount.rawValue: .hourly
    ]
}

extension HKUpdateFrequency {
    /// The minimum number of seconds between two deliveries.
    var period: TimeInterval {
        switch self {
        case .immediate: 0
        case .hourly: 3600
        case .daily: 86_400
        case .weekly: 604_800
        }
    }
}
