public import Foundation

/// When the observers of a suspended app are woken (Semantics §7.3–7.6). Not Apple's.
///
/// An app runs in the foreground unless it says otherwise: then every change wakes its observers
/// at once, as on a phone. ``suspend()`` puts it into the background, where changes of a type wake
/// it only if background delivery of the type is enabled, once a period at most:
///
/// ```swift
/// try await store.enableBackgroundDelivery(for: steps, frequency: .hourly)
/// store.backgroundDelivery.suspend()
/// try await watch.save(walk)          // wakes the observer
/// try await watch.save(anotherWalk)   // waits for the hour to pass
/// clock.advance(by: 3600)             // wakes it again
/// ```
/// A wake whose completion handler isn't called within ``completionTime`` has failed and comes
/// again after one minute, then two. After three failures in a row the type wakes the app no more
/// until delivery is enabled anew.
///
/// Settings last as long as the store is open in this process. Safe to use from any thread.
public final class BackgroundDelivery: Sendable {
    /// How long an observer may take to call its completion handler, in seconds. Apple gives no
    /// number; ours is what iOS grants a background task.
    public static let completionTime: TimeInterval = 30
    /// The wait before the first retry, in seconds; each further one takes twice as long.
    public static let firstRetry: TimeInterval = 60
    /// So many failed wakes in a row end the delivery of a type.
    public static let mostFailures = 3

    /// What one app asked for, type by type.
    struct Delivery: Sendable {
        var period: TimeInterval
        /// When each observer was last woken for the type.
        var lastWakes: [Int: Date] = [:]
        /// After a failed wake no other comes sooner.
        var retry = Date.distantPast
        var failures = 0
        var hasStopped = false
        /// The next look at what waits for its period or its retry.
        var next: Appointment?

        /// From when on an observer may be woken.
        func date(for observer: Int) -> Date {
            max(retry, lastWakes[observer]?.addingTimeInterval(period) ?? .distantPast)
        }
    }

    /// A look that is arranged with the clock.
    struct Appointment: Sendable {
        let number: Int
        let date: Date
        /// Nil until the clock has answered.
        var work: ScheduledWork?
    }

    /// Someone to be told of changes.
    struct Observer: Sendable {
        var types: Set<String>
        /// Types that changed while nothing could be told.
        var pending: Set<String> = []
        var body: @Sendable (Set<String>, ObserverCompletion) -> Void
    }

    struct State {
        var isSuspended = false
        var deliveries: [String: Delivery] = [:]
        var observers: [Int: Observer] = [:]
        /// Of observers and appointments.
        var lastNumber = 0
    }

    let app: String
    let clock: any HealthStoreClock
    let diagnostics: Diagnostics
    let state = Locked(State())

    /// - Parameter app: Whose deliveries these are, by bundle identifier.
    init(app: String, clock: any HealthStoreClock, diagnostics: Diagnostics) {
        self.app = app
        self.clock = clock
        self.diagnostics = diagnostics
    }

    /// Whether the app is in the background.
    public var isSuspended: Bool { state { $0.isSuspended } }

    /// Puts the app into the background: from now on only enabled deliveries wake it.
    public func suspend() { state { $0.isSuspended = true } }

    /// Brings the app back: observers learn at once what changed meanwhile.
    public func resume() {
        state { $0.isSuspended = false }
        for number in state({ $0.observers.keys.sorted() }) { flush(number) }
    }
}

// MARK: - Settings

extension BackgroundDelivery {
    /// Wakes the app for a type from now on, in place of what was asked before.
    func enable(_ type: String, every period: TimeInterval) {
        // What the clock held for the old one goes outside the lock, as everywhere here: a clock may
        // be an app's own.
        let (replaced, isObserved) = state { state in
            let replaced = state.deliveries.updateValue(Delivery(period: period), forKey: type)
            return (replaced, state.observers.values.contains { $0.types.contains(type) })
        }
        withExtendedLifetime(replaced) {}
        if !isObserved {
            diagnostics.suspect(
                suspicion(type), .backgroundDeliveryWithoutObserver(type: type))
        }
        for number in state({ $0.observers.keys.sorted() }) { deliver(to: number) }
    }

    func disable(_ type: String) {
        let gone = state { $0.deliveries.removeValue(forKey: type) }
        withExtendedLifetime(gone) {}
        diagnostics.clear(suspicion(type))
        diagnostics.allow(suspicion(type))
    }

    func disableAll() {
        for type in state({ Array($0.deliveries.keys) }) { disable(type) }
    }

    /// Whether a type still wakes the app: enabled, and not stopped by three failures.
    func isEnabled(_ type: String) -> Bool {
        state { $0.deliveries[type]?.hasStopped == false }
    }

    private func suspicion(_ type: String) -> Suspicion {
        Suspicion(matter: .unobservedDelivery, app: app, type: type)
    }
}

// MARK: - Observers

extension BackgroundDelivery {
    /// Takes types for observed from the moment an observer is executed: it is added a little later.
    func expectObserver(of types: Set<String>) {
        for type in types { diagnostics.clear(suspicion(type)) }
    }

    /// Adds an observer and wakes it once, as Apple does on execution (§7.2).
    ///
    /// - Parameters:
    ///   - types: Identifiers of the types it observes.
    ///   - body: Gets the types that changed, and the promise to answer. Called on a background
    ///     queue or on the thread that reports a change: it hands on to a queue of its own, and
    ///     says there when its handler has returned.
    /// - Returns: Its number, for ``changed(_:for:)`` and ``removeObserver(_:)``.
    func addObserver(
        of types: Set<String>,
        _ body: @escaping @Sendable (Set<String>, ObserverCompletion) -> Void
    ) -> Int {
        let number = state { state -> Int in
            state.lastNumber += 1
            state.observers[state.lastNumber] = Observer(types: types, body: body)
            return state.lastNumber
        }
        for type in types { diagnostics.clear(suspicion(type)) }
        body(types, completion(of: number, types))
        return number
    }

    func removeObserver(_ number: Int) {
        let types = state { state in
            let types = state.observers.removeValue(forKey: number)?.types ?? []
            for type in types { state.deliveries[type]?.lastWakes[number] = nil }
            return types
        }
        for type in types { diagnostics.allow(suspicion(type)) }
    }

    /// Tells an observer of changes, now or when its app may be woken.
    func changed(_ types: Set<String>, for number: Int) {
        let isSuspended = state { state in
            state.observers[number]?.pending.formUnion(types)
            return state.isSuspended
        }
        isSuspended ? deliver(to: number) : flush(number)
    }

    /// Tells an observer everything that waits for it.
    private func flush(_ number: Int) {
        let observer = state { state -> Observer? in
            let observer = state.observers[number]
            state.observers[number]?.pending = []
            return observer
        }
        guard let observer, !observer.pending.isEmpty else { return }
        observer.body(observer.pending, completion(of: number, observer.pending))
    }

    /// Wakes a suspended app for the pending types that are due, and puts off the others.
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

    /// Has all observers of a type looked at again at a date, or sooner if that is arranged already.
    private func schedule(_ type: String, at date: Date) {
        let (number, replaced) = state { state -> (Int?, Appointment?) in
            guard let delivery = state.deliveries[type] else { return (nil, nil) }
            if let next = delivery.next, next.date <= date { return (nil, nil) }
            state.lastNumber += 1
            state.deliveries[type]?.next = Appointment(number: state.lastNumber, date: date)
            return (state.lastNumber, delivery.next)
        }
        withExtendedLifetime(replaced) {}
        guard let number else { return }
        let work = clock.schedule(at: date) { [weak self] in self?.reach(type, number) }
        state { state in
            // Its time may have come already.
            guard state.deliveries[type]?.next?.number == number else { return }
            state.deliveries[type]?.next?.work = work
        }
    }

    private func reach(_ type: String, _ appointment: Int) {
        let (observers, kept) = state { state -> ([Int], Appointment?) in
            guard let next = state.deliveries[type]?.next, next.number == appointment else {
                return ([], nil)
            }
            state.deliveries[type]?.next = nil
            let waiting = state.observers.filter { $0.value.pending.contains(type) }
            return (waiting.keys.sorted(), next)
        }
        withExtendedLifetime(kept) {}
        for number in observers { deliver(to: number) }
    }
}

// MARK: - The completion contract

extension BackgroundDelivery {
    /// A promise for one wake, whose breach is a finding and, in the background, a failure.
    private func completion(of number: Int, _ types: Set<String>) -> ObserverCompletion {
        let isWake = state { $0.isSuspended }
        let deadline = Locked<ScheduledWork?>(nil)
        let isSettled = Locked(false)
        let settle: @Sendable (ObserverCompletion.Outcome) -> Void = { [weak self] outcome in
            let isFirst = isSettled { isSettled in
                defer { isSettled = true }
                return !isSettled
            }
            deadline.exchange(nil)
            guard isFirst else { return }
            self?.settle(outcome, of: number, types, isWake: isWake)
        }
        let work = clock.schedule(at: clock.now.addingTimeInterval(Self.completionTime)) {
            settle(.dropped)
        }
        deadline.exchange(work)
        if isSettled({ $0 }) { deadline.exchange(nil) }
        return ObserverCompletion((clock as? ManualClock)?.hold(), settle)
    }

    private func settle(
        _ outcome: ObserverCompletion.Outcome, of number: Int, _ types: Set<String>, isWake: Bool
    ) {
        switch outcome {
        case .called:
            state { state in for type in types { state.deliveries[type]?.failures = 0 } }
        case .dropped:
            // An observer that was stopped owes nothing.
            guard state({ $0.observers[number] != nil }) else { return }
            diagnostics.record(.completionNotCalled(types: types.sorted()))
            if isWake { for type in types { fail(type, number) } }
        }
    }

    /// Counts a failed wake, and arranges the next try or ends the delivery.
    private func fail(_ type: String, _ number: Int) {
        let now = clock.now
        let retry = state { state -> Date? in
            guard var delivery = state.deliveries[type] else { return nil }
            delivery.failures += 1
            delivery.hasStopped = delivery.failures >= Self.mostFailures
            let wait = Self.firstRetry * Double(1 << (delivery.failures - 1))
            delivery.retry = now.addingTimeInterval(wait)
            // The retry is not held up by the period.
            delivery.lastWakes[number] = nil
            state.deliveries[type] = delivery
            state.observers[number]?.pending.insert(type)
            return delivery.hasStopped ? nil : delivery.retry
        }
        if let retry { schedule(type, at: retry) }
    }
}
