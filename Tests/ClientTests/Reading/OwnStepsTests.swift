import Foundation
import OpenHealthKit
import Testing

/// The app's own samples, through any handle of a store.
@Suite struct OwnStepsTests {
    let fixture: ClientFixture

    init() throws { fixture = try ClientFixture() }

    @Test("every kind of query returns the app's own samples, for each app of a process")
    func queries() async throws {
        try await fixture.authorize(share: [HKQuantityType(.stepCount)])
        try await fixture.recordOverlappingSteps()
        let mine = try await fixture.recordSteps([(21, 1, 70), (22, 1, 7)], by: fixture.store)
        let process = fixture.store.withIdentity(.current)
        let others = try await fixture.recordSteps([(23, 0.5, 3)], by: process)
        for (handle, samples) in [(fixture.store, mine), (process, others)] {
            let steps = OwnSteps(healthStore: handle)
            try await handle.requestAuthorization(
                toShare: [], read: [HKQuantityType(.stepCount)])
            #expect(try await steps.selected() == samples.map(\.uuid))
            #expect(try await steps.filteredBySource() == samples.map(\.uuid))
            let (byIdentifier, bySource) = try await AppIdentity.withCurrent(handle.identity) {
                (try await steps.filteredByIdentifier(), try await steps.filteredBySource())
            }
            #expect(byIdentifier == samples.map(\.uuid))
            #expect(bySource == samples.map(\.uuid))
            let sources = await withCheckedContinuation { found in
                steps.ownSources { found.resume(returning: $0) }
            }
            #expect(sources.map(\.bundleIdentifier) == [handle.identity.bundleIdentifier])
            let sum = samples.reduce(0) { $0 + $1.quantity.doubleValue(for: .count()) }
            #expect(try await steps.ownSum() == sum)
        }
    }

    @Test("handles created inside withCurrent, and their samples, belong to that app")
    func current() async throws {
        let app = AppIdentity("com.example.scale", name: "Scale")
        let store = AppIdentity.withCurrent(app) { HKHealthStore.inMemory() }
        #expect(store.identity == app)
        #expect(HKSource.default().bundleIdentifier == AppIdentity.current.bundleIdentifier)
        #expect(AppIdentity.current != app)
        await AppIdentity.withCurrent(app) {
            #expect(HKSource.default().name == "Scale")
            await Task { #expect(AppIdentity.current == app) }.value
        }
    }
}
