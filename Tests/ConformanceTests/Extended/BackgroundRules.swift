import Testing

/// §7.3 to §7.6: an app in the background, with a manual clock.
@Suite struct BackgroundRules {
    private let mass = HKQuantityType(.bodyMass)

    @Test("§7.3 hourly delivery calls an observer once an hour at most")
    func hourly() async throws {
        let world = try MemoryWorld()
        let calls = try await sleeper(world, .bodyMass, .hourly)
        try await change(world, 1)
        try await waitFor(2, in: calls)
        try await change(world, 2)
        try await change(world, 3)
        #expect(calls.count == 2)
        world.advance(by: 3600)
        try await waitFor(3, in: calls)
    }

    @Test("§7.3 steps are delivered hourly, whatever frequency was requested")
    func cap() async throws {
        let world = try MemoryWorld()
        let calls = try await sleeper(world, .stepCount, .immediate)
        try await change(world, 1)
        try await waitFor(2, in: calls)
        try await change(world, 2)
        #expect(calls.count == 2)
        world.advance(by: 3600)
        try await waitFor(3, in: calls)
    }

    @Test("§7.4 without the entitlement, background delivery can't be enabled")
    func entitlement() async throws {
        var settings = WorldSettings()
        settings.entitlement = .missing
        let store = try await MemoryWorld(settings).open(.diary)
        #expect(
            try await code {
                try await store.enableBackgroundDelivery(for: mass, frequency: .immediate)
            } == .errorAuthorizationDenied)
    }

    @Test(
        "§7.5 an uncompleted delivery is repeated, three times in total",
        .covers("HKObserverQueryCompletionHandler"))
    func retries() async throws {
        let world = try MemoryWorld()
        let store = try await world.open(.diary)
        let calls = Recorder<Int>()
        let retained = Recorder<KeptCompletion>()
        store.execute(
            HKObserverQuery(sampleType: mass, predicate: nil) { _, done, _ in
                calls.record(1)
                if calls.count == 1 { done() } else { retained.record(KeptCompletion(done: done)) }
            })
        try await waitFor(1, in: calls)
        try await store.enableBackgroundDelivery(for: mass, frequency: .immediate)
        world.suspend(.diary)
        try await change(world, 1)
        try await waitFor(2, in: calls)
        world.advance(by: 86_400)
        try await waitFor(4, in: calls)
        world.advance(by: 86_400)
        try await change(world, 2)
        world.advance(by: 7 * 86_400)
        #expect(calls.count == 4)
    }

    @Test("§7.6 changes within one period are delivered together")
    func coalesced() async throws {
        let world = try MemoryWorld()
        let calls = try await sleeper(world, .bodyMass, .daily)
        try await change(world, 1)
        try await waitFor(2, in: calls)
        for hour in 2..<12 {
            try await change(world, hour)
            world.advance(by: 3600)
        }
        #expect(calls.count == 2)
        world.advance(by: 7 * 86_400)
        try await waitFor(3, in: calls)
        #expect(calls.count == 3)
    }

    /// Executes an observer of the diary, enables delivery and suspends the app.
    private func sleeper(
        _ world: MemoryWorld, _ type: HKQuantityTypeIdentifier, _ frequency: HKUpdateFrequency
    ) async throws -> Recorder<Int> {
        let store = try await world.open(.diary)
        let calls = Recorder<Int>()
        store.execute(
            HKObserverQuery(sampleType: HKQuantityType(type), predicate: nil) { _, done, _ in
                calls.record(1)
                done()
            })
        try await waitFor(1, in: calls)
        try await store.enableBackgroundDelivery(for: HKQuantityType(type), frequency: frequency)
        world.suspend(.diary)
        return calls
    }

    /// Makes a change of both types, and waits until an app in the foreground has received it.
    private func change(_ world: MemoryWorld, _ hour: Int) async throws {
        let awake = try await world.open(.ring)
        let heard = Recorder<Int>()
        let query = HKObserverQuery(sampleType: mass, predicate: nil) { _, done, _ in
            heard.record(1)
            done()
        }
        awake.execute(query)
        try await waitFor(1, in: heard)
        try await world.save(
            [weight(70, at(hour)), steps(5, at(hour), at(hour, 1))], as: .watch)
        try await waitFor(2, in: heard)
        awake.stop(query)
    }
}

/// A stored completion handler that is never called.
// The handler is never called, so it isn't shared between threads.
private struct KeptCompletion: @unchecked Sendable {
    let done: HKObserverQueryCompletionHandler
}
