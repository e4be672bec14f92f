import Foundation
import HealthStorage
import HealthTesting
import Testing

@testable import OpenHealthKit

/// The locked device (Semantics §8.7).
@Suite struct ProtectedDataTests {
    private let steps = StoreFixture.steps

    @Test("§8.7 while the device is locked, reading fails with code 6 and saving succeeds")
    func locked() async throws {
        let fixture = try await StoreFixture.authorized()
        fixture.store.protectedData.lock()
        let walk = fixture.walk()
        try await fixture.store.save(walk)
        let reading = await failure { _ = try fixture.store.visibleCount(steps) }
        #expect(reading?.code == .errorDatabaseInaccessible)
        let deleting = await failure {
            _ = try await fixture.store.deleteObjects(
                of: steps, predicate: NSPredicate(value: true))
        }
        #expect(deleting?.code == .errorDatabaseInaccessible)
        let sex = await failure { _ = try fixture.store.biologicalSex() }
        #expect(sex?.code == .errorDatabaseInaccessible)
        fixture.store.protectedData.unlock()
        #expect(try fixture.store.visible(steps) == [walk.uuid])
    }

    @Test("§8.7 a save while the device is locked is committed to the file at once")
    func durable() async throws {
        let folder = try StoreFolder()
        let path = folder.path + "/health.sqlite"
        let store = try HKHealthStore(
            path: path, configuration: HealthStoreConfiguration(authorization: .assumed))
        store.protectedData.lock()
        try await store.save(StoreFixture(.assumed).walk())
        #expect(try SampleStore(at: path, access: .reading).lastSequence == 1)
    }

    @Test("§8.7 long-running queries report nothing while locked and all changes at the unlock")
    func wakes() async throws {
        let fixture = try await StoreFixture.authorized()
        let changes = Collected<StoreChange>()
        let subscription = fixture.store.connection.feed.subscribe { changes.add($0) }
        fixture.store.protectedData.lock()
        try await fixture.store.save(fixture.walk())
        try await Task.sleep(for: .milliseconds(150))
        #expect(changes.count == 0)
        fixture.store.protectedData.unlock()
        #expect(await eventually { changes.count == 1 })
        withExtendedLifetime(subscription) {}
    }

    @Test("§8.7 data stays readable during the grace period after the lock")
    func grace() {
        let clock = ManualClock()
        let state = ProtectedDataState(clock: clock, gracePeriod: 600)
        #expect(state.isAccessible)
        state.lock()
        #expect(state.isLocked)
        #expect(state.isAccessible)
        clock.advance(by: 599)
        state.lock()
        #expect(state.isAccessible)
        clock.advance(by: 1)
        #expect(!state.isAccessible)
        state.unlock()
        #expect(state.isAccessible)
        #expect(!state.isLocked)
    }

    @Test("authorization can be requested and read while the device is locked")
    func authorizationRequests() async throws {
        let fixture = StoreFixture()
        fixture.store.protectedData.lock()
        try await StoreFixture.requestAuthorization(fixture.store)
        #expect(fixture.store.authorizationStatus(for: steps) == .sharingAuthorized)
    }
}
