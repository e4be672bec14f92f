import Foundation
import OpenHealthKit
import Testing

/// One observer of several types, read through one anchor.
@Suite struct HealthWatcherTests {
    let household: Household
    let types: Set<HKObjectType> = [
        HKQuantityType(.dietaryEnergyConsumed), HKQuantityType(.stepCount),
        HKCategoryType(.sleepAnalysis),
    ]

    init() throws { household = try Household() }

    @Test("saves and deletions of every type are reported once, until the watcher is stopped")
    func watch() async throws {
        try await household.authorize(read: types)
        let watcher = HealthWatcher(healthStore: household.store)
        watcher.start()
        let steps = try await household.walked([(8, 1, 500)], by: household.watch)
        #expect(await Household.eventually { watcher.entries == ["500.0 steps"] })
        try await household.record(
            .dietaryEnergyConsumed, .kilocalorie(), [(12, 0, 650)], by: household.phone)
        #expect(await Household.eventually { watcher.entries.last == "650.0 kcal" })
        let sleep = HKCategoryType(.sleepAnalysis)
        try await household.watch.requestAuthorization(toShare: [sleep], read: [])
        try await household.watch.save(
            HKCategorySample(
                type: sleep, value: HKCategoryValueSleepAnalysis.asleepCore.rawValue,
                start: household.midnight, end: household.midnight.addingTimeInterval(3600)))
        #expect(await Household.eventually { watcher.entries.last == "asleep" })
        try await household.watch.delete(steps[0])
        #expect(
            await Household.eventually { watcher.entries.last == "deleted \(steps[0].uuid)" })
        #expect(watcher.entries.count == 4)
        watcher.stop()
        try await household.walked([(9, 1, 1)], by: household.watch)
        try await Task.sleep(for: .milliseconds(150))
        #expect(watcher.entries.count == 4)
    }

    @Test("a released watcher stops its query", .timeLimit(.minutes(10)))
    func released() async throws {
        try await household.authorize(read: types)
        weak var released: HealthWatcher?
        do {
            let watcher = HealthWatcher(healthStore: household.store)
            watcher.start()
            released = watcher
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(await Household.eventually { released == nil })
    }

    @Test("a sequence of collections ends when its task is cancelled")
    func sequence() async throws {
        try await household.authorize(read: types)
        let store = household.store
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.stepCount))], anchor: nil)
        let counts = AsyncStream<Int>.makeStream()
        let task = Task {
            for try await result in descriptor.results(for: store) {
                counts.continuation.yield(result.addedSamples.count - result.deletedObjects.count)
            }
            counts.continuation.finish()
        }
        var iterator = counts.stream.makeAsyncIterator()
        #expect(await iterator.next() == 0)
        let steps = try await household.walked([(8, 1, 5), (9, 1, 6)], by: household.watch)
        #expect(await iterator.next() == 2)
        try await household.watch.delete(steps[0])
        #expect(await iterator.next() == -1)
        task.cancel()
        _ = await task.result
    }
}
