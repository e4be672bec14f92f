import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import OpenHealthKit

/// Read authorization for single objects (Semantics §8.12).
@Suite("Authorization for single objects")
struct ObjectAuthorizationTests {
    private let type = HKObjectType.visionPrescriptionType()

    private func prescription(_ fixture: StoreFixture, _ offset: TimeInterval = 0)
        -> HKVisionPrescription
    {
        HKVisionPrescription(
            type: .glasses, dateIssued: fixture.date(offset), expirationDate: nil, device: nil,
            metadata: nil)
    }

    /// Saves prescriptions of another app, one a second.
    private func saved(_ count: Int, _ fixture: StoreFixture) async throws -> [UUID] {
        let other = fixture.app("optician")
        try await other.requestAuthorization(toShare: [type], read: [])
        let samples = (0..<count).map { prescription(fixture, Double($0)) }
        try await other.save(samples)
        return samples.map(\.uuid)
    }

    private func request(_ store: HKHealthStore, _ predicate: NSPredicate? = nil) async throws {
        try await store.requestPerObjectReadAuthorization(for: type, predicate: predicate)
    }

    @Test(
        "a policy decides for all requested objects by its decision for the type",
        .covers(
            "HKHealthStore.requestPerObjectReadAuthorization(for:predicate:)",
            "HKHealthStore.requestPerObjectReadAuthorization(for:predicate:completion:)"),
        arguments: [
            (AuthorizationPolicy.grant, 3), (.deny, 0),
            (.types([HKObjectType.visionPrescriptionType(): .readOnly], others: .denied), 3),
            (
                .custom { _ in
                    AuthorizationDecision(
                        sharing: .granted,
                        reading: .since(Date(timeIntervalSinceReferenceDate: 700_000_001)))
                }, 2
            ),
        ])
    func policies(policy: AuthorizationPolicy, count: Int) async throws {
        let fixture = StoreFixture(
            .custom {
                guard case .custom(let decision) = policy.rule,
                    $0.app.bundleIdentifier == "com.example.first"
                else { return .granted }
                return decision($0)
            })
        let uuids = try await saved(3, fixture)
        let done = Received<Bool>()
        fixture.store.requestPerObjectReadAuthorization(for: type, predicate: nil) {
            done($0 && $1 == nil)
        }
        #expect(try await done.next())
        #expect(try fixture.store.visible(type) == Array(uuids.suffix(count)))
        #expect(fixture.store.authorizationStatus(for: type) == .sharingDenied)
    }

    @Test(
        "a request asks about matching objects again, and the answer covers only these",
        .covers("HKHealthStore.requestPerObjectReadAuthorization(for:predicate:)"))
    func choices() async throws {
        let prompts = Locked<[[Bool]]>([])
        let chosen = Locked<Set<UUID>>([])
        let fixture = StoreFixture(
            .grant.choosingObjects { prompt in
                prompts { $0.append(prompt.candidates.map(\.isGranted)) }
                return chosen { $0 }
            })
        let uuids = try await saved(3, fixture)
        chosen { $0 = [uuids[0], uuids[2], UUID()] }
        try await request(fixture.store)
        #expect(try fixture.store.visible(type) == [uuids[0], uuids[2]])
        chosen { $0 = [uuids[1]] }
        try await request(
            fixture.store, HKQuery.predicateForObjects(with: [uuids[1], uuids[2]]))
        #expect(try fixture.store.visible(type) == [uuids[0], uuids[1]])
        #expect(prompts { $0 } == [[false, false, false], [false, true]])
        // Nothing matches, so nobody is asked.
        try await request(fixture.store, HKQuery.predicateForObject(with: UUID()))
        #expect(prompts { $0.count } == 2)
        #expect(try fixture.app("third").permissions().isEmpty)
    }

    @Test(
        "own objects stay visible by the permission to share, and other apps' choices are separate")
    func ownObjects() async throws {
        let fixture = StoreFixture(.grant.choosingObjects { _ in [] })
        _ = try await saved(1, fixture)
        try await fixture.store.requestAuthorization(toShare: [type], read: [])
        let own = prescription(fixture)
        try await fixture.store.save(own)
        try await request(fixture.store)
        #expect(try fixture.store.visible(type) == [own.uuid])
        try fixture.store.setAuthorization(.denied, for: [type])
        #expect(try fixture.store.visible(type).isEmpty)
    }

    @Test("with stored permissions, the owner decides about the type or its objects")
    func stored() async throws {
        let fixture = StoreFixture(.stored)
        let device = HKHealthStore(
            _connection: fixture.store.connection, identity: AppIdentity("com.example.device"))
        try device.setAuthorization(.shareOnly, for: [type])
        let sample = prescription(fixture)
        try await device.save(sample)
        let error = await #expect(throws: HKError.self) { try await request(fixture.store) }
        #expect(error?.code == .errorAuthorizationNotDetermined)
        #expect(error?.missingGrant?.read == ["visionPrescription"])
        try fixture.store.setAuthorization(of: type, granting: [sample.uuid])
        try await request(fixture.store)
        #expect(try fixture.store.visible(type) == [sample.uuid])
        try fixture.store.setAuthorization(of: type, granting: [], denying: [sample.uuid])
        #expect(try fixture.store.visible(type).isEmpty)
        try fixture.store.setAuthorization(.readOnly, for: [type])
        #expect(try fixture.store.visible(type) == [sample.uuid])
        #expect(throws: HKError.self) {
            try fixture.store.setAuthorization(
                of: HKQuantityType(.stepCount), granting: [sample.uuid])
        }
    }

    @Test("without a request, prescriptions are an error; a request that is denied gives no data")
    func undetermined() async throws {
        let fixture = StoreFixture(.deny)
        #expect(throws: HKError.self) { try fixture.store.visible(type) }
        try await request(fixture.store)
        #expect(try fixture.store.visible(type).isEmpty)
    }

    @Test("an object granted later is a change for an observer and for an older anchor, once")
    func laterGrant() async throws {
        let fixture = StoreFixture(.grant.choosingObjects { _ in [] })
        let uuids = try await saved(3, fixture)
        try await request(fixture.store)
        let woken = Received<Bool>()
        let observer = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
            woken(true)
            completion()
        }
        fixture.store.execute(observer)
        func page(_ anchor: HKQueryAnchor?, limit: Int? = nil) async throws
            -> HKAnchoredObjectQueryDescriptor<HKVisionPrescription>.Result
        {
            try await HKAnchoredObjectQueryDescriptor(
                predicates: [.visionPrescription()], anchor: anchor, limit: limit
            ).result(for: fixture.store)
        }
        var anchor = try await page(nil).newAnchor
        try fixture.store.setAuthorization(of: type, granting: Set(uuids))
        #expect(try await woken.next())
        // One at a time, each once.
        var found: Set<UUID> = []
        for _ in 0..<3 {
            let next = try await page(anchor, limit: 1)
            #expect(next.addedSamples.count == 1 && next.deletedObjects.isEmpty)
            found.formUnion(next.addedSamples.map(\.uuid))
            anchor = next.newAnchor
        }
        #expect(found == Set(uuids))
        #expect(try await page(anchor).addedSamples.isEmpty)
        #expect(try await page(nil).addedSamples.count == 3)
        // A revocation hides the sample and is no deletion.
        try fixture.store.setAuthorization(of: type, granting: [], denying: [uuids[0]])
        let revoked = try await page(anchor)
        #expect(revoked.addedSamples.isEmpty && revoked.deletedObjects.isEmpty)
        fixture.store.stop(observer)
    }

    @Test("deletions are delivered for visible objects only")
    func deletions() async throws {
        let fixture = StoreFixture(.grant.choosingObjects { _ in [] })
        let uuids = try await saved(2, fixture)
        try await request(fixture.store)
        try fixture.store.setAuthorization(of: type, granting: [uuids[1]])
        let other = fixture.app("optician")
        _ = try await other.deleteObjects(
            of: type, predicate: HKQuery.predicateForObjects(with: Set(uuids)))
        let page = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.visionPrescription()], anchor: nil
        ).result(for: fixture.store)
        #expect(page.addedSamples.isEmpty)
        #expect(page.deletedObjects.map(\.uuid) == [uuids[1]])
    }
}
