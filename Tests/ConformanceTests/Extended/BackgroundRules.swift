import Testing

@testable import PortableConformance

/// §7.3 to §7.6: an app in the background, with a manual clock.
@Suite struct BackgroundRules {
    private let mass = HKQuantityType(.bodyMass)

    @Test("§7.3 hourly delivery calls an observer once an hour at most")
    func hourly() async throws {
        let fixture = try MemoryFixture()
        let calls = try await suspendedObserver(fixture, .bodyMass, .hourly)
        try await change(fixture, 1)
        try await waitFor(2, in: calls)
        try await change(fixture, 2)
        try await change(fixture, 3)
        #expect(calls.count == 2)
        fixture.advance(by: 3600)
        try await waitFor(3, in: calls)
    }

    @Test("§7.3 steps are delivered hourly, whatever frequency was requested")
    func cap() async throws {
        let fixture = try MemoryFixture()
        let calls = try await suspendedObserver(fixture, .stepCount, .immediate)
        try await change(fixture, 1)
        try await waitFor(2, in: calls)
        try await change(fixture, 2)
        #expect(calls.count == 2)
        fixture.advance(by: 3600)
        try await waitFor(3, in: calls)
    }

    @Test("§7.4 without the entitlement, background delivery can't be enabled")
    func entitlement() async throws {
        var settings = FixtureSettings()
        settings.entitlement = .missing
        let store = try await MemoryFixture(settings).open(.diary)
        #expect(
            try await code {
                try await store.enableBackgroundDelivery(for: mass, frequency: .immediate)
            } == .errorAuthorizationDenied)
    }

    @Test(
        "§7.5 an uncompleted delivery is repeated, three times in total",
        .covers("HKObserverQueryCompletionHandler"))
    func retries() async throws {
        let fixture = try MemoryFixture()
        let store = try await fixture.open(.diary)
        let calls = Recorder<Int>()
        let retained = Recorder<RetainedCompletion>()
        store.execute(
            HKObserverQuery(sampleType: mass, predicate: nil) { _, done, _ in
                calls.record(1)
                if calls.count == 1 {
                    done()
                } else {
                    retained.record(RetainedCompletion(done: done))
                }
            })
        try await waitFor(1, in: calls)
        try await store.enableBackgroundDelivery(for: mass, frequency: .immediate)
        fixture.suspend(.diary)
        try await change(fixture, 1)
        try await waitFor(2, in: calls)
        fixture.advance(by: 86_400)
        try await waitFor(4, in: calls)
        fixture.advance(by: 86_400)
        try await change(fixture, 2)
        fixture.advance(by: 7 * 86_400)
        #expect(calls.count == 4)
    }

    @Test("§7.6 changes within one period are delivered together")
    func coalesced() async throws {
        let fixture = try MemoryFixture()
        let calls = try await suspendedObserver(fixture, .bodyMass, .daily)
        try await change(fixture, 1)
        try await waitFor(2, in: calls)
        for hour in 2..<12 {
            try await change(fixture, hour)
            fixture.advance(by: 3600)
        }
        #expect(calls.count == 2)
        fixture.advance(by: 7 * 86_400)
        try await waitFor(3, in: calls)
        #expect(calls.count == 3)
    }

    /// Executes an observer of the diary, enables delivery and suspends the app.
    private func suspendedObserver(
        _ fixture: MemoryFixture, _ type: HKQuantityTypeIdentifier, _ frequency: HKUpdateFrequency
    ) async throws -> Recorder<Int> {
        let store = try await fixture.open(.diary)
        let calls = Recorder<Int>()
        store.execute(
            HKObserverQuery(sampleType: HKQuantityType(type), predicate: nil) { _, done, _ in
                calls.record(1)
                done()
            })
        try await waitFor(1, in: calls)
        try await store.enableBackgroundDelivery(for: HKQuantityType(type), frequency: frequency)
        fixture.suspend(.diary)
        return calls
    }

    /// Makes a change of both types, and waits until an app in the foreground has received it.
    private func change(_ fixture: MemoryFixture, _ hour: Int) async throws {
        let foregroundStore = try await fixture.open(.ring)
        let foregroundCalls = Recorder<Int>()
        let query = HKObserverQuery(sampleType: mass, predicate: nil) { _, done, _ in
            foregroundCalls.record(1)
            done()
        }
        foregroundStore.execute(query)
        try await waitFor(1, in: foregroundCalls)
        try await fixture.save(
            [weight(70, at(hour)), steps(5, at(hour), at(hour, 1))], as: .watch)
        try await waitFor(2, in: foregroundCalls)
        foregroundStore.stop(query)
    }
}

/// A stored completion handler that is never called.
// The handler is never called, so it isn't shared between threads.
private struct RetainedCompletion: @unchecked Sendable {
    let done: HKObserverQueryCompletionHandler
}
