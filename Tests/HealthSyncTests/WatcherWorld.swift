import Foundation
import HealthSync
import OpenHealthKit

/// A store in memory with one app that may see everything, and what a watcher over it needs.
struct WatcherWorld {
    static let mass = HKQuantityType(.bodyMass)
    static let steps = HKQuantityType(.stepCount)
    static let sleep = HKCategoryType(.sleepAnalysis)
    static let kilo = HKUnit.gramUnit(with: .kilo)

    let store: HKHealthStore
    let file: PositionFile
    let clock = StillClock()
    let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

    init(
        _ types: Set<HKSampleType> = [mass, steps, sleep],
        configuration: HealthStoreConfiguration = HealthStoreConfiguration()
    ) async throws {
        store = .inMemory(configuration: configuration)
        file = try PositionFile()
        try await store.requestAuthorization(toShare: types, read: types)
    }

    func watcher(
        _ types: [HKSampleType] = [mass], firstRun: FirstRun = .everything, pageSize: Int = 1000,
        positions: (any PositionStore)? = nil, probe: SyncProbe = .none,
        now: @escaping @Sendable () -> Date = { Date() },
        _ adjust: (inout Watcher.Configuration) -> Void = { _ in }
    ) -> Watcher {
        var configuration = Watcher.Configuration()
        configuration.pageSize = pageSize
        adjust(&configuration)
        return Watcher(
            store: store, types: types.map { TrackedType($0) }, positions: positions ?? file,
            firstRun: firstRun, configuration: configuration, now: now, clock: clock, probe: probe)
    }

    func mass(_ value: Double, at seconds: TimeInterval = 0) -> HKQuantitySample {
        let date = start.addingTimeInterval(seconds)
        return HKQuantitySample(
            type: Self.mass, quantity: HKQuantity(unit: Self.kilo, doubleValue: value), start: date,
            end: date)
    }

    func walk(_ count: Double, at seconds: TimeInterval = 0) -> HKQuantitySample {
        let date = start.addingTimeInterval(seconds)
        return HKQuantitySample(
            type: Self.steps, quantity: HKQuantity(unit: .count(), doubleValue: count),
            start: date, end: date.addingTimeInterval(60))
    }

    /// Saves so many masses, a minute apart, and answers their UUIDs in order of time.
    @discardableResult
    func saveMasses(_ count: Int, from seconds: TimeInterval = 0) async throws -> [UUID] {
        let samples = (0..<count).map { mass(80, at: seconds + Double($0) * 60) }
        if !samples.isEmpty { try await store.save(samples) }
        return samples.map(\.uuid)
    }
}
