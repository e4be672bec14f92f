import Foundation
import OpenHealthKit
import Testing

/// Permissions, and what an app can find out about them.
@Suite struct PermissionTests {
    let steps = HKQuantityType(.stepCount)
    let pulse = HKQuantityType(.heartRate)
    let bodyMass = HKQuantityType(.bodyMass)

    private func count(_ type: HKQuantityType, in store: HKHealthStore) async throws -> Int {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: type)], sortDescriptors: []
        ).result(for: store).count
    }

    @Test("a denied type is empty without an error, and other types are not affected")
    func deniedType() async throws {
        let fixture = try ClientFixture(authorization: .denyHeartRateOfDiary)
        try await fixture.authorize(read: [steps, pulse])
        try await fixture.recordOverlappingSteps()
        try await fixture.record(
            .heartRate, HKUnit(from: "count/min"), [(8, 0, 60)], by: fixture.watch)
        #expect(try await count(pulse, in: fixture.store) == 0)
        #expect(try await count(steps, in: fixture.store) == 6)
        // One query over both types: a denied type doesn't empty the other's results.
        let both: [HKSample] = try await withCheckedThrowingContinuation { continuation in
            let descriptors = [steps, pulse].map {
                HKQueryDescriptor(sampleType: $0, predicate: nil)
            }
            let query = HKSampleQuery(
                queryDescriptors: descriptors, limit: HKObjectQueryNoLimit
            ) { _, samples, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: samples ?? [])
                }
            }
            fixture.store.execute(query)
        }
        #expect(both.count == 6)
    }

    @Test("success of a request does not mean that access is granted")
    func success() async throws {
        let fixture = try ClientFixture(authorization: .denyHeartRateOfDiary)
        let success = await withCheckedContinuation { continuation in
            fixture.store.requestAuthorization(toShare: nil, read: [pulse]) { success, _ in
                continuation.resume(returning: success)
            }
        }
        #expect(success)
        // The status covers writing only.
        #expect(fixture.store.authorizationStatus(for: pulse) == .sharingDenied)
        #expect(fixture.store.authorizationStatus(for: bodyMass) == .notDetermined)
    }

    @Test("types never requested are an error, and a repeated request shows no prompt")
    func neverRequested() async throws {
        let fixture = try ClientFixture()
        let error = await #expect(throws: HKError.self) {
            try await count(pulse, in: fixture.store)
        }
        #expect(error?.code == .errorAuthorizationNotDetermined)
        let request = { () async throws -> HKAuthorizationRequestStatus in
            try await fixture.store.statusForAuthorizationRequest(
                toShare: [bodyMass], read: [pulse])
        }
        #expect(try await request() == .shouldRequest)
        try await fixture.authorize(share: [bodyMass], read: [pulse])
        #expect(try await request() == .unnecessary)
        #expect(try await count(pulse, in: fixture.store) == 0)
        #expect(fixture.store.authorizationStatus(for: bodyMass) == .sharingAuthorized)
    }

    @Test("while the device is locked, reads fail with code 6 and saves succeed")
    func locked() async throws {
        let fixture = try ClientFixture()
        try await fixture.authorize(share: [bodyMass], read: [bodyMass])
        fixture.store.protectedData.lock()
        let error = await #expect(throws: HKError.self) {
            try await count(bodyMass, in: fixture.store)
        }
        #expect(error?.code == .errorDatabaseInaccessible)
        try await fixture.store.save(
            HKQuantitySample(
                type: bodyMass,
                quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 71),
                start: fixture.midnight, end: fixture.midnight))
        fixture.store.protectedData.unlock()
        #expect(try await count(bodyMass, in: fixture.store) == 1)
    }

    @Test("an app checks first whether health data is available")
    func availability() {
        #expect(HKHealthStore.isHealthDataAvailable())
    }
}

extension AuthorizationPolicy {
    /// Grants everything, except that the diary may not read the heart rate.
    fileprivate static let denyHeartRateOfDiary = custom { prompt in
        let isDenied =
            prompt.app.bundleIdentifier == "com.example.diary"
            && prompt.type == HKQuantityType(.heartRate)
        return isDenied ? .denied : .granted
    }
}
