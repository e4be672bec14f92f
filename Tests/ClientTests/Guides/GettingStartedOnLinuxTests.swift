import Foundation
import HealthKit
import HealthTesting
import Testing

/// Reads steps, without double counting.
struct StepCounter {
    let store: HKHealthStore

    func authorize() async throws {
        try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
    }

    func steps(in interval: DateInterval) async throws -> Double {
        let predicate = HKQuery.predicateForSamples(
            withStart: interval.start, end: interval.end, options: .strictStartDate)
        let query = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.stepCount), predicate: predicate),
            options: .cumulativeSum)
        let statistics = try await query.result(for: store)
        return statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0
    }
}

/// The snippets of the article "Getting started on Linux".
@Suite struct GettingStartedOnLinuxTests {
    private let start = Date(timeIntervalSinceReferenceDate: 796_899_600)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("steps saved in memory are counted")
    func memory() async throws {
        let store = HKHealthStore.inMemory()
        let steps = HKQuantityType(.stepCount)
        try await store.requestAuthorization(toShare: [steps], read: [steps])

        let start = Date(timeIntervalSinceReferenceDate: 796_899_600)
        let walk = HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 842), start: start,
            end: start.addingTimeInterval(600))
        try await store.save(walk)

        let counter = StepCounter(store: store)
        #expect(try await counter.steps(in: DateInterval(start: start, duration: 3600)) == 842)
    }

    @Test("steps that another app saved in a file are counted")
    func file() async throws {
        let path = folder.path + "/health.sqlite"
        try await save(842, to: path)
        let app = AppIdentity("com.example.walks", name: "Walks")
        let store = try HKHealthStore(path: path, identity: app)
        let counter = StepCounter(store: store)
        try await counter.authorize()
        #expect(try await counter.steps(in: DateInterval(start: start, duration: 3600)) == 842)
    }

    private func save(_ count: Double, to path: String) async throws {
        let band = AppIdentity("com.example.band", name: "Band")
        let store = try HKHealthStore(path: path, identity: band)
        let steps = HKQuantityType(.stepCount)
        try await store.requestAuthorization(toShare: [steps], read: [])
        try await store.save(
            HKQuantitySample(
                type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count),
                start: start, end: start.addingTimeInterval(600)))
    }
}
