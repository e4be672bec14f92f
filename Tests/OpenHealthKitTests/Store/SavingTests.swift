import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import OpenHealthKit

/// Saving, replacing and deleting (Semantics §9).
@Suite struct SavingTests {
    private let steps = StoreFixture.steps

    private func synced(
        _ fixture: StoreFixture, version: Int, count: Double = 10
    ) -> HKQuantitySample {
        HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count),
            start: fixture.date(), end: fixture.date(60),
            metadata: [
                HKMetadataKeySyncIdentifier: "walk", HKMetadataKeySyncVersion: version,
            ])
    }

    @Test("§9.1 a greater sync version replaces a sample; an equal or lower one is ignored")
    func versions() async throws {
        let fixture = try await StoreFixture.authorized()
        let (first, second) = (synced(fixture, version: 1), synced(fixture, version: 2))
        try await fixture.store.save(first)
        try await fixture.store.save(second)
        #expect(try fixture.store.visible(steps) == [second.uuid])
        try await fixture.store.save(synced(fixture, version: 2, count: 99))
        try await fixture.store.save(synced(fixture, version: 1))
        #expect(try fixture.store.visible(steps) == [second.uuid])
    }

    @Test("§9.1 the scope of a sync identifier is its source")
    func syncScope() async throws {
        let fixture = try await StoreFixture.authorized()
        let other = fixture.app("other")
        try await StoreFixture.requestAuthorization(other)
        try await fixture.store.save(synced(fixture, version: 1))
        try await other.save(synced(fixture, version: 2))
        #expect(try fixture.store.visibleCount(steps) == 2)
    }

    @Test(
        "§9.3 saving a stored UUID fails; equal content with another UUID is saved",
        .covers("HKHealthStore.save(_:)"))
    func sameObject() async throws {
        let fixture = try await StoreFixture.authorized()
        let walk = fixture.walk()
        try await fixture.store.save(walk)
        let repeated = await failure { try await fixture.store.save(walk) }
        #expect(repeated?.code == .errorInvalidArgument)
        try await fixture.store.save(fixture.walk())
        #expect(try fixture.store.visibleCount(steps) == 2)
    }

    @Test(
        "§9.4 if one of several objects is invalid, none is saved",
        .covers("HKHealthStore.save(_:withCompletion:)"))
    func atomic() async throws {
        let fixture = try await StoreFixture.authorized()
        let invalid = fixture.walk(at: 0, lasting: -1)
        var objects: [HKObject] = (0..<100).map { fixture.walk(at: Double($0) * 60) }
        objects.append(invalid)
        let result = await withCheckedContinuation { continuation in
            fixture.store.save(objects) { success, error in
                continuation.resume(
                    returning: (success, (error as? HKError)?.code, Thread.isMainThread))
            }
        }
        #expect(result.0 == false)
        #expect(result.1 == .errorInvalidArgument)
        #expect(result.2 == false)
        #expect(try fixture.store.visibleCount(steps) == 0)
        try await fixture.store.save(Array(objects.dropLast()))
        #expect(try fixture.store.visibleCount(steps) == 100)
    }

    @Test("§9.4 saving or deleting an empty array is an error")
    func nothing() async throws {
        let fixture = try await StoreFixture.authorized()
        let saving = await failure { try await fixture.store.save([HKObject]()) }
        #expect(saving?.code == .errorInvalidArgument)
        let deleting = await failure { try await fixture.store.delete([HKObject]()) }
        #expect(deleting?.code == .errorInvalidArgument)
    }

    @Test("§9.4 the stored copy has the app's source revision; the saved object is unchanged")
    func revision() async throws {
        let watch = HKDevice(
            name: "Watch", manufacturer: nil, model: nil, hardwareVersion: "Watch6,1",
            firmwareVersion: nil, softwareVersion: "10.2", localIdentifier: nil,
            udiDeviceIdentifier: nil)
        let fixture = StoreFixture(.assumed)
        let app = fixture.store.withIdentity(
            AppIdentity("com.example.watch", name: "On the Watch", version: "3.1", device: watch))
        let walk = fixture.walk()
        try await app.save(walk)
        let request = SampleRequest(try #require(steps.row))
        let origins = try app.connection.store.objects([request]).batch.origins
        let origin = try #require(origins.first)
        #expect(origin.version == "3.1")
        #expect(origin.productType == "Watch6,1")
        #expect(origin.operatingSystemVersion == "10.2.0")
        #expect(walk.sourceRevision.source.bundleIdentifier.isEmpty)
    }

    @Test(
        "§9.6 samples before the earliest permitted date are neither saved nor returned",
        .covers("HKHealthStore.earliestPermittedSampleDate()"))
    func earliestDate() async throws {
        let fixture = StoreFixture { $0.earliestPermittedSampleDate = $0.clock.now }
        try await StoreFixture.requestAuthorization(fixture.store)
        #expect(fixture.store.earliestPermittedSampleDate() == fixture.date())
        let error = await failure { try await fixture.store.save(fixture.walk(at: -1)) }
        #expect(error?.code == .errorInvalidArgument)
        try await fixture.store.save(fixture.walk(at: 0))
        let code = try #require(steps.row).code
        let grant = try fixture.store.visibility(toRead: [steps])[code]
        #expect(grant.earliest == 700_000_000)
        #expect(StoreFixture().store.earliestPermittedSampleDate() == .distantPast)
    }

    @Test(
        "§9.7 an app deletes only its own objects, and none if one can't be deleted",
        .covers("HKHealthStore.delete(_:)", "HKHealthStore.delete(_:withCompletion:)"))
    func deletion() async throws {
        let fixture = try await StoreFixture.authorized()
        let other = fixture.app("other")
        try await StoreFixture.requestAuthorization(other)
        let (own, foreign) = (fixture.walk(), fixture.walk(at: 60))
        try await fixture.store.save(own)
        try await other.save(foreign)
        let both = await failure { try await fixture.store.delete([own, foreign]) }
        #expect(both?.code == .errorAuthorizationDenied)
        #expect(try fixture.store.visibleCount(steps) == 2)
        let unknown = await failure { try await fixture.store.delete(fixture.walk()) }
        #expect(unknown?.code == .errorInvalidArgument)
        try await fixture.store.delete(own)
        #expect(try fixture.store.visible(steps) == [foreign.uuid])
    }

    @Test("§9.7 with sharing revoked, an app can't delete its own objects")
    func revoked() async throws {
        let fixture = try await StoreFixture.authorized()
        let walk = fixture.walk()
        try await fixture.store.save(walk)
        try fixture.store.setAuthorization(.readOnly, for: [steps])
        let error = await failure { try await fixture.store.delete(walk) }
        #expect(error?.code == .errorAuthorizationDenied)
    }

    @Test(
        "§9.7 deleting by predicate removes the app's own matches and returns their count",
        .covers(
            "HKHealthStore.deleteObjects(of:predicate:)",
            "HKHealthStore.deleteObjects(of:predicate:withCompletion:)"))
    func deletionByPredicate() async throws {
        let fixture = try await StoreFixture.authorized()
        let other = fixture.app("other")
        try await StoreFixture.requestAuthorization(other)
        try await fixture.store.save([fixture.walk(at: 0), fixture.walk(at: 600)])
        try await other.save([fixture.walk(at: 0)])
        let early = HKQuery.predicateForSamples(
            withStart: fixture.date(), end: fixture.date(300), options: .strictStartDate)
        #expect(try await fixture.store.deleteObjects(of: steps, predicate: early) == 1)
        #expect(try await fixture.store.deleteObjects(of: steps, predicate: early) == 0)
        #expect(try fixture.store.visibleCount(steps) == 2)
        let sex = await failure {
            _ = try await fixture.store.deleteObjects(
                of: HKCharacteristicType(.biologicalSex), predicate: early)
        }
        #expect(sex?.code == .errorInvalidArgument)
    }

    @Test("a large save with one invalid object stores nothing")
    func manyWithOneInvalid() async throws {
        let fixture = try await StoreFixture.authorized()
        var objects: [HKObject] = (0..<20_000).map { fixture.walk(at: Double($0)) }
        objects[10_000] = HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .meter(), doubleValue: 1),
            start: fixture.date(), end: fixture.date())
        let error = await failure { try await fixture.store.save(objects) }
        #expect(error?.code == .errorInvalidArgument)
        #expect(try fixture.store.visibleCount(steps) == 0)
    }

    @Test("overriding a completion-handler method also affects the async method")
    func subclass() async throws {
        // Adds no state.
        final class FailingStore: HKHealthStore, @unchecked Sendable {
            override func save(
                _ objects: [HKObject],
                withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
            ) {
                completion(false, HKError(.errorUserCanceled, "never"))
                completion(true, nil)
            }
        }
        let fixture = try await StoreFixture.authorized()
        let store = FailingStore(
            _connection: fixture.store.connection, identity: fixture.store.identity)
        let error = await failure { try await store.save(fixture.walk()) }
        #expect(error?.code == .errorUserCanceled)
    }

    @Test("ten thousand samples can be saved in one call")
    func manySamples() async throws {
        let fixture = try await StoreFixture.authorized()
        try await fixture.store.save((0..<10_000).map { fixture.walk(at: Double($0) * 60) })
        #expect(try fixture.store.visibleCount(steps) == 10_000)
    }
}
