import Foundation
import HealthSync
import OpenHealthKit

/// An in-memory store with one app that may read everything, and the parts of a watcher over it.
struct WatcherWorld {
    static let mass = HKQuantityType(.bodyMass)
    static let steps = HKQuantityType(.stepCount)
    static let sleep = HKCategoryType(.sleepAnalysis)
    static let kilo = HKUnit.gramUnit(with: .kilo)

    let store: HKHealthStore
    let file: PositionFile
    let clock = TestClock()
    let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

    init(
        _ types: Set<HKSampleType> = [mass, steps, sleep],
        configuration: HealthStoreConfiguration = HealthStoreConfiguration()
    ) async throws {
        var configuration = configuration
        configuration.diagnosticsSummary = .excluded
        store = .inMemory(configuration: configuration)
        file = try PositionFile()
        try await store.requestAuthorization(toShare: types, read: types)
    }

    func watcher(
        _ types: [HKSampleType] = [mass], firstRun: FirstRun = .everything, pageSize: Int = 1000,
        positions: (any PositionStore)? = nil, probe: SyncProbe = .none,
        now: @escaping @Sendable () -> Date = { Date() },
        adjusting adjust: (inout Watcher.Configuration) -> Void = { _ in }
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

    /// Saves `count` body masses a minute apart. Returns their UUIDs in order of time.
    @discardableResult
    func saveMasses(_ count: Int, from seconds: TimeInterval = 0) async throws -> [UUID] {
        let samples = (0..<count).map { mass(80, at: seconds + Double($0) * 60) }
        if !samples.isEmpty { try await store.save(samples) }
        return samples.map(\.uuid)
    }
}

extension HKHealthStore {
    /// Saves synchronously while a probe blocks the reader, because probes can't await.
    func saveNow(_ samples: [HKSample]) {
        let isDone = DispatchSemaphore(value: 0)
        save(samples) { _, _ in isDone.signal() }
        isDone.wait()
    }

    /// Deletes synchronously while a probe blocks the reader.
    func deleteNow(_ samples: [HKSample]) {
        let isDone = DispatchSemaphore(value: 0)
        delete(samples) { _, _ in isDone.signal() }
        isDone.wait()
    }
}

/// Returns a probe that runs `body` once, when a step is reached for the n-th time.
func probe(
    at step: SyncStep, _ occurrence: Int = 1, _ body: @escaping @Sendable () throws -> Void
) -> SyncProbe {
    let count = LockedBox(0)
    return SyncProbe { reached in
        guard reached == step else { return }
        let number = count { count -> Int in
            count += 1
            return count
        }
        if number == occurrence { try body() }
    }
}

/// The simulated end of a process at a step's n-th occurrence. Nothing after it happens.
struct SimulatedCrash: Error, Equatable {}

func crash(at step: SyncStep, _ occurrence: Int) -> (probe: SyncProbe, hasCrashed: LockedBox<Bool>)
{
    let count = LockedBox(0)
    let hasCrashed = LockedBox(false)
    let probe = SyncProbe { reached in
        if hasCrashed({ $0 }) { throw SimulatedCrash() }
        guard reached == step else { return }
        let number = count { count -> Int in
            count += 1
            return count
        }
        guard number == occurrence else { return }
        hasCrashed { $0 = true }
        throw SimulatedCrash()
    }
    return (probe, hasCrashed)
}
