import Foundation
import HealthTesting
import OpenHealthKit
import Testing

/// Authorization of apps (Semantics §8).
@Suite struct AuthorizationTests {
    private let steps = StoreFixture.steps
    private let mass = StoreFixture.mass

    @Test("§8.1 sharing and reading are granted separately for each type")
    func separate() async throws {
        let fixture = StoreFixture(
            .types([steps: .shareOnly, mass: .readOnly], others: .denied))
        try await fixture.store.requestAuthorization(
            toShare: [steps, mass], read: [steps, mass])
        #expect(fixture.store.authorizationStatus(for: steps) == .sharingAuthorized)
        #expect(fixture.store.authorizationStatus(for: mass) == .sharingDenied)
    }

    @Test(
        "§8.2 the status covers sharing only: a read-only grant reports sharingDenied",
        .covers(
            "HKHealthStore.authorizationStatus(for:)", "HKAuthorizationStatus.sharingDenied",
            "HKAuthorizationStatus.notDetermined", "HKAuthorizationStatus.sharingAuthorized",
            "HKAuthorizationStatus"))
    func status() async throws {
        let fixture = StoreFixture()
        #expect(fixture.store.authorizationStatus(for: steps) == .notDetermined)
        try await fixture.store.requestAuthorization(toShare: [], read: [steps])
        #expect(fixture.store.authorizationStatus(for: steps) == .sharingDenied)
        try await fixture.store.requestAuthorization(toShare: [steps], read: [])
        #expect(fixture.store.authorizationStatus(for: steps) == .sharingAuthorized)
    }

    @Test("§8.1 concurrent authorization requests are all stored")
    func together() async throws {
        for round in 0..<40 {
            let prompts = Collected<AuthorizationPrompt>()
            // Both requests prompt before either decision is stored.
            let fixture = StoreFixture(
                .custom { prompt in
                    prompts.add(prompt)
                    let end = Date(timeIntervalSinceNow: 1)
                    while prompts.count < 2, Date() < end {}
                    return .granted
                })
            let store = fixture.store
            async let sharing: Void = store.requestAuthorization(toShare: [steps], read: [])
            async let reading: Void = store.requestAuthorization(toShare: [], read: [steps])
            _ = try await (sharing, reading)
            try #require(store.authorizationStatus(for: steps) == .sharingAuthorized, "\(round)")
            let status = try await store.statusForAuthorizationRequest(
                toShare: [steps], read: [steps])
            try #require(status == .unnecessary, "\(round)")
        }
    }

    @Test("§8.3 with reading denied, queries return the app's own samples only")
    func hiddenRead() async throws {
        let fixture = StoreFixture(.types([steps: .shareOnly]))
        let other = fixture.app("other")
        try await StoreFixture.requestAuthorization(fixture.store)
        try await StoreFixture.requestAuthorization(other)
        let own = fixture.walk()
        try await fixture.store.save(own)
        try await other.save(fixture.walk(at: 100))
        #expect(try fixture.store.visible(steps) == [own.uuid])
    }

    @Test("§8.3 §8.14 without both permissions, the app's own samples are hidden, not deleted")
    func revokedShare() async throws {
        let fixture = try await StoreFixture.authorized()
        let own = fixture.walk()
        try await fixture.store.save(own)
        try fixture.store.setAuthorization(.denied, for: [steps])
        #expect(try fixture.store.visibleCount(steps) == 0)
        try fixture.store.setAuthorization(.shareOnly, for: [steps])
        #expect(try fixture.store.visible(steps) == [own.uuid])
    }

    @Test(
        "§8.4 the request status is shouldRequest until all types are decided",
        .covers(
            "HKHealthStore.statusForAuthorizationRequest(toShare:read:)",
            "HKHealthStore.getRequestStatusForAuthorization(toShare:read:completion:)",
            "HKAuthorizationRequestStatus", "HKAuthorizationRequestStatus.shouldRequest",
            "HKAuthorizationRequestStatus.unnecessary", "HKAuthorizationRequestStatus.unknown"))
    func requestStatus() async throws {
        let fixture = StoreFixture(.deny)
        let store = fixture.store
        func status() async throws -> HKAuthorizationRequestStatus {
            try await store.statusForAuthorizationRequest(toShare: [steps], read: [mass])
        }
        #expect(try await status() == .shouldRequest)
        try await store.requestAuthorization(toShare: [steps], read: [])
        #expect(try await status() == .shouldRequest)
        try await store.requestAuthorization(toShare: [steps], read: [mass])
        #expect(try await status() == .unnecessary)
        let sharing = try await store.statusForAuthorizationRequest(toShare: [mass], read: [mass])
        #expect(sharing == .shouldRequest)
        let asked = await withCheckedContinuation { continuation in
            store.getRequestStatusForAuthorization(toShare: [mass], read: [mass]) { status, _ in
                continuation.resume(returning: status)
            }
        }
        #expect(asked == .shouldRequest)
        let unknown = await withCheckedContinuation { continuation in
            store.getRequestStatusForAuthorization(toShare: [], read: []) { status, error in
                continuation.resume(returning: (status, (error as? HKError)?.code))
            }
        }
        #expect(unknown.0 == .unknown)
        #expect(unknown.1 == .errorInvalidArgument)
    }

    @Test(
        "§8.4 the completion runs off the main queue; success does not mean that access is granted",
        .covers("HKHealthStore.requestAuthorization(toShare:read:completion:)"))
    func success() async throws {
        let fixture = StoreFixture(.deny)
        let result = await withCheckedContinuation { continuation in
            fixture.store.requestAuthorization(toShare: [steps], read: nil) { success, error in
                continuation.resume(returning: (success, error == nil, Thread.isMainThread))
            }
        }
        #expect(result == (true, true, false))
        #expect(fixture.store.authorizationStatus(for: steps) == .sharingDenied)
    }

    @Test(
        "§8.5 a request with a disallowed type fails, names the type and prompts for nothing",
        .covers("HKHealthStore.requestAuthorization(toShare:read:)"))
    func disallowed() async throws {
        let prompts = Collected<String>()
        let fixture = StoreFixture(
            .custom {
                prompts.add($0.type.identifier)
                return .granted
            })
        let pressure = HKCorrelationType(.bloodPressure)
        let share = await failure {
            try await fixture.store.requestAuthorization(toShare: [steps, pressure], read: [])
        }
        #expect(share?.code == .errorInvalidArgument)
        #expect(
            share?.reason == "Authorization to share the following types is disallowed: "
                + "HKCorrelationTypeIdentifierBloodPressure")
        let exercise = HKQuantityType(.appleExerciseTime)
        let apple = await failure {
            try await fixture.store.requestAuthorization(toShare: [exercise], read: [])
        }
        #expect(apple?.code == .errorInvalidArgument)
        let status = await failure {
            _ = try await fixture.store.statusForAuthorizationRequest(
                toShare: [], read: [pressure])
        }
        #expect(status?.code == .errorInvalidArgument)
        #expect(prompts.count == 0)
        #expect(fixture.store.authorizationStatus(for: pressure) == .notDetermined)
        try await fixture.store.requestAuthorization(toShare: [], read: [exercise])
    }

    @Test("§8.5 in a strict store, requesting a disallowed type ends the process")
    func strictlyDisallowed() async {
        await #expect(processExitsWith: .failure) {
            let store = try await QueriedStore.openStrict()
            let types: Set<HKSampleType> = [HKCorrelationType(.bloodPressure)]
            try? await store.requestAuthorization(toShare: types, read: [])
        }
        await #expect(processExitsWith: .failure) {
            let store = try await QueriedStore.openStrict()
            let types: Set<HKObjectType> = [HKCorrelationType(.food)]
            _ = try? await store.statusForAuthorizationRequest(toShare: [], read: types)
        }
        await #expect(processExitsWith: .success) {
            let store = try await QueriedStore.openStrict()
            try? await store.requestAuthorization(toShare: [], read: [])
        }
    }

    @Test("§8.6 saving fails with code 5 before a request and with code 4 after a denial")
    func saving() async throws {
        let fixture = StoreFixture(.deny)
        let before = await failure { try await fixture.store.save(fixture.walk()) }
        #expect(before?.code == .errorAuthorizationNotDetermined)
        try await StoreFixture.requestAuthorization(fixture.store)
        let after = await failure { try await fixture.store.save(fixture.walk()) }
        #expect(after?.code == .errorAuthorizationDenied)
    }

    @Test("§8.6 reading a type that was never requested fails with code 5")
    func reading() async throws {
        let fixture = try await StoreFixture.authorized()
        let error = await failure {
            _ = try fixture.store.visibleCount(HKQuantityType(.height))
        }
        #expect(error?.code == .errorAuthorizationNotDetermined)
    }

    @Test("§8.9 a limited grant hides all samples that start before its date, also the app's own")
    func limitedHistory() async throws {
        let fixture = try await StoreFixture.authorized()
        let other = fixture.app("other")
        try await StoreFixture.requestAuthorization(other)
        let (old, new) = (fixture.walk(at: 0), fixture.walk(at: 1000))
        try await other.save([old, new])
        try fixture.store.setAuthorization(
            AuthorizationDecision(sharing: .denied, reading: .since(fixture.date(1000))),
            for: [steps])
        #expect(try fixture.store.visible(steps) == [new.uuid])
    }

    @Test("§8.3, §8.9 a limited grant hides older samples of others; own ones need sharing only")
    func limitedHistoryOfOthers() async throws {
        let fixture = try await StoreFixture.authorized()
        let (store, other) = (fixture.store, fixture.app("other"))
        try await StoreFixture.requestAuthorization(other)
        let own = [fixture.walk(1, at: 0), fixture.walk(2, at: 2000)]
        let new = fixture.walk(8, at: 1000)
        try await store.save(own)
        try await other.save([fixture.walk(4, at: 100), new])
        let since = AuthorizationDecision.Reading.since(fixture.date(1000))
        try store.setAuthorization(
            AuthorizationDecision(sharing: .granted, reading: since), for: [steps])
        let expected = [own[0].uuid, new.uuid, own[1].uuid]
        #expect(try store.visible(steps) == expected)
        let anchored = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: steps)], anchor: nil)
        let added = try await anchored.result(for: store).addedSamples.map(\.uuid)
        #expect(Set(added) == Set(expected))
        let whole = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: steps), options: [.cumulativeSum, .separateBySource])
        let statistics = try await whole.result(for: store)
        #expect(statistics?.sumQuantity()?.doubleValue(for: .count()) == 11)
        #expect(statistics?.startDate == fixture.date(0))
        let daily = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: steps), options: .cumulativeSum,
            anchorDate: fixture.date(0), intervalComponents: DateComponents(second: 500))
        let sums = try await daily.result(for: store).statistics()
            .compactMap { $0.sumQuantity()?.doubleValue(for: .count()) }
        #expect(sums == [1, 8, 2])
        try store.setAuthorization(
            AuthorizationDecision(sharing: .denied, reading: since), for: [steps])
        #expect(try store.visible(steps) == [new.uuid, own[1].uuid])
    }

    @Test(
        "§8.10 a correlation needs sharing of each member type, and is visible if all are readable")
    func correlations() async throws {
        let fixture = StoreFixture()
        let (systolic, diastolic) = (
            HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic)
        )
        let type = HKCorrelationType(.bloodPressure)
        let pressure = bloodPressure(fixture)
        try await fixture.store.requestAuthorization(toShare: [systolic], read: [systolic])
        let error = await failure { try await fixture.store.save(pressure) }
        #expect(error?.code == .errorAuthorizationNotDetermined)
        try await fixture.store.requestAuthorization(
            toShare: [systolic, diastolic], read: [systolic, diastolic])
        try await fixture.store.save(pressure)
        #expect(try fixture.store.visible(type) == [pressure.uuid])
        let other = fixture.app("other")
        try await other.requestAuthorization(toShare: [], read: [systolic, diastolic])
        #expect(try other.visible(type) == [pressure.uuid])
        try other.setAuthorization(.denied, for: [diastolic])
        #expect(try other.visibleCount(type) == 0)
    }

    private func bloodPressure(_ fixture: StoreFixture) -> HKCorrelation {
        func reading(_ id: HKQuantityTypeIdentifier, _ value: Double) -> HKSample {
            HKQuantitySample(
                type: HKQuantityType(id),
                quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: value),
                start: fixture.date(), end: fixture.date())
        }
        return HKCorrelation(
            type: HKCorrelationType(.bloodPressure), start: fixture.date(), end: fixture.date(),
            objects: [reading(.bloodPressureSystolic, 120), reading(.bloodPressureDiastolic, 80)])
    }

    @Test("§8.11 a type requested only for sharing counts as requested: queries return own samples")
    func sharedOnly() async throws {
        let fixture = StoreFixture()
        try await fixture.store.requestAuthorization(toShare: [steps], read: [])
        #expect(try fixture.store.visibleCount(steps) == 0)
        try await fixture.store.save(fixture.walk())
        #expect(try fixture.store.visibleCount(steps) == 1)
    }

    @Test("§8.12 types with per-object authorization can't be requested as a whole")
    func perObject() async throws {
        let fixture = StoreFixture()
        let type = HKObjectType.visionPrescriptionType()
        let whole = await failure {
            try await fixture.store.requestAuthorization(toShare: [], read: [type])
        }
        #expect(whole?.code == .errorInvalidArgument)
        let steps = await failure {
            try await fixture.store.requestPerObjectReadAuthorization(
                for: self.steps, predicate: nil)
        }
        #expect(steps?.code == .errorInvalidArgument)
    }

    @Test("§8.13 a request without types is an error")
    func nothing() async throws {
        let fixture = StoreFixture()
        let error = await failure {
            try await fixture.store.requestAuthorization(toShare: [], read: [])
        }
        #expect(error?.code == .errorInvalidArgument)
    }

    @Test("a custom policy receives the app, type and accesses, once for each access")
    func closure() async throws {
        let prompts = Collected<String>()
        let fixture = StoreFixture(
            .custom { prompt in
                let accesses = prompt.accesses.map(\.rawValue).sorted().joined(separator: "+")
                prompts.add("\(prompt.app.name): \(prompt.type.identifier) \(accesses)")
                return .granted
            })
        try await fixture.store.requestAuthorization(toShare: [steps], read: [])
        try await fixture.store.requestAuthorization(toShare: [steps], read: [steps])
        try await fixture.store.requestAuthorization(toShare: [steps], read: [steps])
        #expect(
            prompts.all == [
                "First: HKQuantityTypeIdentifierStepCount share",
                "First: HKQuantityTypeIdentifierStepCount read",
            ])
    }

    @Test("with stored permissions, an undecided request fails and lists the missing grants")
    func storedPolicy() async throws {
        let fixture = StoreFixture(.stored)
        let undecided = await failure {
            try await fixture.store.requestAuthorization(toShare: [mass], read: [steps])
        }
        #expect(undecided?.code == .errorAuthorizationNotDetermined)
        #expect(
            undecided?.missingGrant
                == MissingGrant(
                    app: "com.example.first", share: ["bodyMass"], read: ["stepCount"]))
        let saving = await failure { try await fixture.store.save(fixture.walk()) }
        #expect(
            saving?.missingGrant
                == MissingGrant(app: "com.example.first", share: ["stepCount"], read: []))
        #expect(
            saving?.reason == "com.example.first has not requested \(steps.identifier). Call "
                + "requestAuthorization(toShare:read:) on this app's handle first.")
        try fixture.store.setAuthorization(.granted, for: [mass, steps])
        try await fixture.store.requestAuthorization(toShare: [mass], read: [steps])
        try await fixture.store.save(fixture.walk())
    }

    @Test("permissions belong to an app, and apply to all of its handles of a store")
    func apps() async throws {
        let fixture = try await StoreFixture.authorized()
        #expect(fixture.app("second").authorizationStatus(for: steps) == .notDetermined)
        #expect(fixture.app("first").authorizationStatus(for: steps) == .sharingAuthorized)
    }
}
