import Foundation
import HealthKit
import HealthSimulator

/// An in-memory store with a Watch, an iPhone and the app under test, and fixed days.
struct ClientFixture: Sendable {
    let clock: ManualClock
    let store: HKHealthStore
    let watch: HKHealthStore
    let phone: HKHealthStore
    /// Midnight in Berlin, 2026-03-27.
    let midnight: Date
    let calendar: Calendar

    var day: DateInterval { DateInterval(start: midnight, duration: 86_400) }

    init(authorization: AuthorizationPolicy = .grant) throws {
        var calendar = Calendar(identifier: .gregorian)
        guard let berlin = TimeZone(identifier: "Europe/Berlin") else {
            throw CocoaError(.featureUnsupported)
        }
        calendar.timeZone = berlin
        self.calendar = calendar
        midnight = Date(timeIntervalSinceReferenceDate: 796_258_800)
        clock = ManualClock(midnight.addingTimeInterval(86_400))
        var configuration = HealthStoreConfiguration(
            clock: clock, authorization: authorization, calendar: calendar)
        configuration.diagnosticsSummary = .excluded
        store = .inMemory(
            identity: AppIdentity("com.example.diary", name: "Diary"),
            configuration: configuration)
        watch = store.withIdentity(.watch(named: "Ann’s Watch"))
        phone = store.withIdentity(.phone(named: "Ann’s iPhone"))
    }

    /// Requests access for the diary.
    func authorize(
        share: Set<HKSampleType> = [], read: Set<HKObjectType> = [HKQuantityType(.stepCount)]
    ) async throws {
        try await store.requestAuthorization(toShare: share, read: read)
    }

    /// Records quantities of a handle as (hour of the day, hours, value).
    @discardableResult
    func record(
        _ type: HKQuantityTypeIdentifier, _ unit: HKUnit, _ values: [(Double, Double, Double)],
        by handle: HKHealthStore
    ) async throws -> [HKQuantitySample] {
        let type = HKQuantityType(type)
        try await handle.requestAuthorization(toShare: [type], read: [])
        let samples = values.map { hour, hours, value in
            HKQuantitySample(
                type: type, quantity: HKQuantity(unit: unit, doubleValue: value),
                start: midnight.addingTimeInterval(hour * 3600),
                end: midnight.addingTimeInterval((hour + hours) * 3600))
        }
        try await handle.save(samples)
        return samples
    }

    /// Records steps of a handle.
    @discardableResult
    func recordSteps(
        _ values: [(Double, Double, Double)], by handle: HKHealthStore
    ) async throws -> [HKQuantitySample] {
        try await record(.stepCount, .count(), values, by: handle)
    }

    /// Records 8,432 steps of the Watch and 3,210 of the iPhone, overlapping for an hour and a
    /// half. The merged total is 10,237.
    func recordOverlappingSteps() async throws {
        try await recordSteps([(8, 1, 3000), (12, 1, 2432), (18, 1, 3000)], by: watch)
        // Half of the first and all of the second overlap the Watch.
        try await recordSteps([(8.5, 1, 1210), (12, 1, 800), (20, 1, 1200)], by: phone)
    }

    /// Runs `check` until it returns true, for about a minute at most. Returns whether it did.
    static func eventually(_ check: () async throws -> Bool) async rethrows -> Bool {
        for _ in 0..<6000 {
            if try await check() { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}
