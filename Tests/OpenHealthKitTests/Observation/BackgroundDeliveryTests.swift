import Foundation
import HealthTesting
import Testing

@testable import OpenHealthKit

/// Wakes of observers in a suspended app (Semantics §7.3–7.6).
@Suite struct BackgroundDeliveryTests {
    private let mass = StoreFixture.mass.identifier
    private let steps = StoreFixture.steps.identifier
    private let clock = ManualClock(completionTimeout: 0)
    private let diagnostics = Diagnostics(counter: nil)

    private func delivery() -> BackgroundDelivery {
        BackgroundDelivery(app: "com.example.first", clock: clock, diagnostics: diagnostics)
    }

    /// Adds an observer that calls its completion handler on each wake, or never.
    private func observer(
        _ delivery: BackgroundDelivery, of types: Set<String>, answering: Bool = true
    ) -> (number: Int, wakes: Collected<Set<String>>) {
        let wakes = Collected<Set<String>>()
        let number = delivery.addObserver(of: types) { types, completion in
            wakes.add(types)
            if answering { completion.call() }
        }
        return (number, wakes)
    }

    @Test("§7.2 an observer is called once when it is added")
    func first() {
        let delivery = delivery()
        let (_, wakes) = observer(delivery, of: [mass])
        #expect(wakes.all == [[mass]])
    }

    @Test("§7.1 in the foreground, each change is delivered at once, whatever the frequency")
    func foreground() {
        let delivery = delivery()
        let (number, wakes) = observer(delivery, of: [mass])
        delivery.enable(mass, every: 3600)
        for _ in 0..<3 { delivery.changed([mass], for: number) }
        #expect(wakes.count == 4)
    }

    @Test("§7.3 in the background, only enabled types are delivered; others follow on resume")
    func background() {
        let delivery = delivery()
        let (number, wakes) = observer(delivery, of: [mass, steps])
        delivery.enable(mass, every: 0)
        delivery.suspend()
        delivery.changed([steps], for: number)
        #expect(wakes.count == 1)
        delivery.changed([mass], for: number)
        #expect(wakes.all.last == [mass])
        delivery.resume()
        #expect(wakes.all.last == [steps])
        #expect(wakes.count == 3)
    }

    @Test("§7.3 there is at most one delivery in a period, which combines the changes in it")
    func coalescing() {
        let delivery = delivery()
        let (number, wakes) = observer(delivery, of: [mass])
        delivery.enable(mass, every: 3600)
        delivery.suspend()
        for _ in 0..<5 { delivery.changed([mass], for: number) }
        #expect(wakes.count == 2)
        clock.advance(by: 3599)
        #expect(wakes.count == 2)
        clock.advance(by: 1)
        #expect(wakes.count == 3)
        clock.advance(by: 86_400)
        #expect(wakes.count == 3)
    }

    @Test("§7.5 an uncompleted delivery is retried after 1 and 2 minutes; then delivery stops")
    func retries() {
        let delivery = delivery()
        let (number, wakes) = observer(delivery, of: [mass], answering: false)
        delivery.enable(mass, every: 0)
        delivery.suspend()
        delivery.changed([mass], for: number)
        #expect(wakes.count == 2)
        clock.advance(by: 59)
        #expect(wakes.count == 2)
        clock.advance(by: 1)
        #expect(wakes.count == 3)
        clock.advance(by: 119)
        #expect(wakes.count == 3)
        clock.advance(by: 1)
        #expect(wakes.count == 4)
        #expect(!delivery.isEnabled(mass))
        delivery.changed([mass], for: number)
        clock.advance(by: 86_400)
        #expect(wakes.count == 4)
        delivery.enable(mass, every: 0)
        #expect(wakes.count == 5)
    }

    @Test("§7.5 a completion in time resets the failure count")
    func recovery() {
        let delivery = delivery()
        let wakes = Collected<ObserverCompletion>()
        let number = delivery.addObserver(of: [mass]) { _, completion in
            wakes.add(completion)
            completion.handlerReturned()
        }
        wakes.all[0].call()
        delivery.enable(mass, every: 0)
        delivery.suspend()
        for round in 0..<4 {
            delivery.changed([mass], for: number)
            let failed = wakes.count
            clock.advance(
                by: BackgroundDelivery.completionTimeout + BackgroundDelivery.initialRetryDelay)
            #expect(wakes.count == failed + 1, "round \(round)")
            wakes.all.last?.call()
        }
        #expect(delivery.isEnabled(mass))
    }

    @Test("§7.5 a completion after the time limit counts as a failure")
    func late() {
        let delivery = delivery()
        let wakes = Collected<ObserverCompletion>()
        let number = delivery.addObserver(of: [mass]) { _, completion in
            wakes.add(completion)
            completion.handlerReturned()
        }
        delivery.enable(mass, every: 0)
        delivery.suspend()
        delivery.changed([mass], for: number)
        clock.advance(by: BackgroundDelivery.completionTimeout)
        wakes.all.last?.call()
        clock.advance(by: BackgroundDelivery.initialRetryDelay)
        #expect(wakes.count == 3)
    }

    @Test("§7.5 a handler that is still running is not late, however far the clock advances")
    func slowHandler() {
        let delivery = delivery()
        let wakes = Collected<Set<String>>()
        let number = delivery.addObserver(of: [mass]) { types, completion in
            wakes.add(types)
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { completion.call() }
        }
        delivery.enable(mass, every: 3600)
        delivery.suspend()
        delivery.changed([mass], for: number)
        delivery.changed([mass], for: number)
        clock.advance(by: 86_400)
        #expect(wakes.count == 3)
        #expect(delivery.isEnabled(mass))
        #expect(diagnostics.findings.isEmpty)
    }

    @Test("§7.5 a completion shortly after the handler returned is not late")
    func delayedCompletion() {
        let clock = ManualClock(completionTimeout: 10)
        let delivery = BackgroundDelivery(
            app: "com.example.first", clock: clock, diagnostics: diagnostics)
        let wakes = Collected<Set<String>>()
        let number = delivery.addObserver(of: [mass]) { types, completion in
            wakes.add(types)
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { completion.call() }
            completion.handlerReturned()
        }
        delivery.enable(mass, every: 0)
        delivery.suspend()
        delivery.changed([mass], for: number)
        clock.advance(by: 86_400)
        #expect(wakes.count == 2)
        #expect(diagnostics.findings.isEmpty)
    }

    @Test(
        "§7.5 advancing past the deadline counts a failure only for an uncompleted delivery",
        arguments: [true, false])
    func jump(callsCompletion: Bool) async throws {
        let fixture = try await StoreFixture.authorized()
        let (store, clock) = (fixture.store, fixture.clock)
        let calls = Collected<RetainedCompletion>()
        let query = HKObserverQuery(sampleType: StoreFixture.steps, predicate: nil) { _, done, _ in
            calls.add(RetainedCompletion(done: done))
            if callsCompletion || calls.count == 1 {
                Thread.sleep(forTimeInterval: 0.05)
                done()
            }
        }
        store.execute(query)
        #expect(await eventually { calls.count == 1 })
        try await store.enableBackgroundDelivery(for: StoreFixture.steps, frequency: .hourly)
        store.backgroundDelivery.suspend()
        try await store.save(fixture.walk())
        #expect(await eventually { calls.count == 2 })
        clock.advance(by: 86_400)
        #expect(calls.count == (callsCompletion ? 2 : 4))
        #expect(store.backgroundDelivery.isEnabled(steps) == callsCompletion)
        store.stop(query)
    }

    @Test("a stopped observer gets no delivery, retry or finding")
    func stopped() {
        let delivery = delivery()
        let wakes = Collected<ObserverCompletion>()
        let number = delivery.addObserver(of: [mass]) { _, completion in
            wakes.add(completion)
            completion.handlerReturned()
        }
        delivery.removeObserver(number)
        delivery.changed([mass], for: number)
        clock.advance(by: 3600)
        #expect(wakes.count == 1)
        #expect(diagnostics.findings.isEmpty)
    }

    @Test(
        "§7.3 background delivery fails for correlations and for types never requested",
        .covers(
            "HKHealthStore.enableBackgroundDelivery(for:frequency:)",
            "HKHealthStore.enableBackgroundDelivery(for:frequency:withCompletion:)"))
    func refusals() async throws {
        let fixture = try await StoreFixture.authorized()
        let correlation = await failure {
            try await fixture.store.enableBackgroundDelivery(
                for: HKCorrelationType(.food), frequency: .immediate)
        }
        #expect(correlation?.code == .errorInvalidArgument)
        let height = await failure {
            try await fixture.store.enableBackgroundDelivery(
                for: HKQuantityType(.height), frequency: .immediate)
        }
        #expect(height?.code == .errorAuthorizationNotDetermined)
        let sleep = await withCheckedContinuation { continuation in
            fixture.store.enableBackgroundDelivery(for: StoreFixture.sleep, frequency: .daily) {
                continuation.resume(returning: $0 && $1 == nil && !Thread.isMainThread)
            }
        }
        #expect(sleep)
        #expect(fixture.store.backgroundDelivery.isEnabled(StoreFixture.sleep.identifier))
    }

    @Test("§7.4 without the entitlement, enabling delivery fails with code 4")
    func entitlement() async throws {
        let fixture = StoreFixture { $0.backgroundDeliveryEntitlement = .missing }
        try await StoreFixture.requestAuthorization(fixture.store)
        let error = await failure {
            try await fixture.store.enableBackgroundDelivery(
                for: StoreFixture.steps, frequency: .hourly)
        }
        #expect(error?.code == .errorAuthorizationDenied)
    }

    @Test(
        "§7.3 periods are an hour, a day and a week; steps are delivered hourly at most",
        .covers(
            "HKUpdateFrequency", "HKUpdateFrequency.immediate", "HKUpdateFrequency.hourly",
            "HKUpdateFrequency.daily", "HKUpdateFrequency.weekly"))
    func frequencies() async throws {
        let fixture = try await StoreFixture.authorized()
        let delivery = fixture.store.backgroundDelivery
        let (number, wakes) = observer(delivery, of: [steps, mass])
        delivery.suspend()
        let periods: [(HKQuantityType, HKUpdateFrequency, TimeInterval)] = [
            (StoreFixture.steps, .immediate, 3600), (StoreFixture.mass, .immediate, 0),
            (StoreFixture.mass, .hourly, 3600), (StoreFixture.mass, .daily, 86_400),
            (StoreFixture.steps, .weekly, 604_800),
        ]
        for (type, frequency, period) in periods {
            try await fixture.store.enableBackgroundDelivery(for: type, frequency: frequency)
            delivery.changed([type.identifier], for: number)
            let before = wakes.count
            delivery.changed([type.identifier], for: number)
            fixture.clock.advance(by: max(0, period - 1))
            #expect(wakes.count == (period == 0 ? before + 1 : before), "\(frequency)")
            fixture.clock.advance(by: 1)
            #expect(wakes.count == before + 1, "\(frequency)")
        }
    }

    @Test(
        "delivery can be disabled for one type or for all types",
        .covers(
            "HKHealthStore.disableBackgroundDelivery(for:)",
            "HKHealthStore.disableBackgroundDelivery(for:withCompletion:)",
            "HKHealthStore.disableAllBackgroundDelivery(completion:)",
            "HKHealthStore.disableAllBackgroundDelivery()"))
    func disabling() async throws {
        let fixture = try await StoreFixture.authorized()
        let (store, delivery) = (fixture.store, fixture.store.backgroundDelivery)
        for type in [StoreFixture.steps, StoreFixture.mass, StoreFixture.heartRate] {
            try await store.enableBackgroundDelivery(for: type, frequency: .hourly)
        }
        try await store.disableBackgroundDelivery(for: StoreFixture.steps)
        #expect(!delivery.isEnabled(steps))
        #expect(delivery.isEnabled(mass))
        try await store.disableAllBackgroundDelivery()
        #expect(!delivery.isEnabled(mass))
        #expect(!delivery.isEnabled(StoreFixture.heartRate.identifier))
    }

    @Test("§7.3 each delivery reaches every observer of the type, repeatedly")
    func severalObservers() {
        let delivery = delivery()
        let first = observer(delivery, of: [mass])
        let second = observer(delivery, of: [mass])
        delivery.enable(mass, every: 3600)
        delivery.suspend()
        for hour in 1...3 {
            for number in [first.number, second.number] { delivery.changed([mass], for: number) }
            #expect(first.wakes.count == 1 + hour)
            #expect(second.wakes.count == 1 + hour)
            clock.advance(by: 3600)
        }
    }

    @Test("§7.3 a check that is already due when it is scheduled does not end delivery")
    func dueAtOnce() {
        let delivery = BackgroundDelivery(
            app: "com.example.first", clock: EarlyClock(clock: clock), diagnostics: diagnostics)
        let (number, wakes) = observer(delivery, of: [mass])
        delivery.enable(mass, every: 3600)
        delivery.suspend()
        for _ in 0..<4 { delivery.changed([mass], for: number) }
        #expect(wakes.count == 5)
    }

    @Test(
        "a clock can call the delivery when it releases scheduled work", arguments: [true, false])
    func reentrantClock(isDisabled: Bool) async throws {
        let watched = Locked<BackgroundDelivery?>(nil)
        let delivery = BackgroundDelivery(
            app: "com.example.first",
            clock: ReentrantClock(onCancel: { _ = watched { $0 }?.isSuspended }),
            diagnostics: diagnostics)
        watched { $0 = delivery }
        let (number, _) = observer(delivery, of: [mass])
        delivery.enable(mass, every: 3600)
        delivery.suspend()
        for _ in 0..<2 { delivery.changed([mass], for: number) }
        let done = Received<Bool>()
        Thread.detachNewThread { [mass] in
            isDisabled ? delivery.disable(mass) : delivery.enable(mass, every: 60)
            done(true)
        }
        #expect(try await done.next(within: 5))
        watched { $0 = nil }
    }

    @Test("handles of one app share its background delivery; other apps have their own")
    func apps() {
        let fixture = StoreFixture()
        #expect(fixture.app("first").backgroundDelivery === fixture.store.backgroundDelivery)
        #expect(fixture.app("second").backgroundDelivery !== fixture.store.backgroundDelivery)
    }
}

/// A stored completion handler.
// It is called on the thread that received it, if at all.
private struct RetainedCompletion: @unchecked Sendable {
    let done: HKObserverQueryCompletionHandler
}

/// A clock that advances by an hour before work can be scheduled for an hour later.
private struct EarlyClock: HealthStoreClock {
    let clock: ManualClock

    var now: Date { clock.now }

    func schedule(at date: Date, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        let delay = date.timeIntervalSince(now)
        if delay < 3600 { return clock.schedule(at: date, work) }
        clock.advance(by: delay)
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            work()
            isDone.signal()
        }
        isDone.wait()
        return ScheduledWork {}
    }
}

/// A clock that runs a closure when scheduled work is cancelled.
private struct ReentrantClock: HealthStoreClock {
    let onCancel: @Sendable () -> Void

    var now: Date { Date(timeIntervalSinceReferenceDate: 0) }

    func schedule(at date: Date, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        ScheduledWork(cancel: onCancel)
    }
}
