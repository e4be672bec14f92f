import Foundation
import HealthTesting
import OpenHealthKit
import Testing

/// An in-memory store with permission for the types of these tests, and times in minutes from a
/// fixed date.
enum QueriedStore {
    static let steps = HKQuantityType(.stepCount)
    static let heartRate = HKQuantityType(.heartRate)
    static let sleep = HKCategoryType(.sleepAnalysis)
    static let systolic = HKQuantityType(.bloodPressureSystolic)
    static let diastolic = HKQuantityType(.bloodPressureDiastolic)
    static let bloodPressure = HKCorrelationType(.bloodPressure)
    static let all: Set<HKSampleType> = [
        steps, heartRate, sleep, systolic, diastolic, .workoutType(),
    ]
    static let perMinute = HKUnit.count().unitDivided(by: .minute())

    static func open(
        _ configuration: HealthStoreConfiguration = .init(),
        as app: AppIdentity = AppIdentity("com.example.diary", name: "Diary")
    ) async throws -> HKHealthStore {
        var configuration = configuration
        configuration.diagnosticsSummary = .excluded
        let store = HKHealthStore.inMemory(identity: app, configuration: configuration)
        try await store.requestAuthorization(toShare: all, read: all)
        return store
    }

    /// Opens a store that ends the process where Apple's would.
    static func openStrict() async throws -> HKHealthStore {
        var configuration = HealthStoreConfiguration.withoutSummary
        configuration.strictness = .strict
        return try await open(configuration)
    }

    /// Returns the same store for another app, which also has all permissions.
    static func other(
        _ store: HKHealthStore, _ bundleIdentifier: String
    ) async throws -> HKHealthStore {
        let handle = store.withIdentity(AppIdentity(bundleIdentifier))
        try await handle.requestAuthorization(toShare: all, read: all)
        return handle
    }

    /// 1 March 2026, 00:00 UTC.
    static let midnight = Date(timeIntervalSinceReferenceDate: 794_016_000)

    static func minute(_ minute: Double) -> Date { midnight + minute * 60 }

    static func walk(
        _ count: Double, from start: Double, to end: Double, metadata: [String: Any]? = nil
    ) -> HKQuantitySample {
        HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count),
            start: minute(start), end: minute(end), metadata: metadata)
    }

    static func beat(_ rate: Double, at time: Double) -> HKQuantitySample {
        HKQuantitySample(
            type: heartRate, quantity: HKQuantity(unit: perMinute, doubleValue: rate),
            start: minute(time), end: minute(time))
    }

    static func pressure(_ upper: Double, over lower: Double, at time: Double) -> HKCorrelation {
        func reading(_ type: HKQuantityType, _ value: Double) -> HKQuantitySample {
            HKQuantitySample(
                type: type,
                quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: value),
                start: minute(time), end: minute(time))
        }
        return HKCorrelation(
            type: bloodPressure, start: minute(time), end: minute(time),
            objects: [reading(systolic, upper), reading(diastolic, lower)])
    }
}

extension HKHealthStore {
    /// Executes a sample query and awaits its handler's result.
    func querySamples(
        _ type: HKSampleType, _ predicate: NSPredicate? = nil, limit: Int = HKObjectQueryNoLimit,
        _ sort: [NSSortDescriptor]? = nil
    ) async throws -> [HKSample] {
        let received = Received<Result<[HKSample], any Error>>()
        execute(
            HKSampleQuery(
                sampleType: type, predicate: predicate, limit: limit, sortDescriptors: sort
            ) { _, samples, error in
                received(.init(samples, error))
            })
        return try await received.next().get()
    }
}

extension Result where Failure == any Error {
    struct MissingResult: Error {}

    /// Creates a result from the parameters of a handler.
    init(_ value: Success?, _ error: (any Error)?) {
        if let value { self = .success(value) } else { self = .failure(error ?? MissingResult()) }
    }
}

/// Returns the code of the `HKError` that a body throws; nil if it throws none.
func code(_ body: () async throws -> Void) async -> HKError.Code? {
    do {
        try await body()
        return nil
    } catch { return (error as? HKError)?.code }
}

extension HKSample {
    /// The value of a sample of steps.
    var steps: Double? { (self as? HKQuantitySample)?.quantity.doubleValue(for: .count()) }
}
