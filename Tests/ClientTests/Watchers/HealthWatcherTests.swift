import Foundation
import OpenHealthKit
import Testing

/// One observer of several types, read through one anchor.
@Suite struct HealthWatcherTests {
    let fixture: ClientFixture
    let types: Set<HKObjectType> = [
        HKQuantityType(.dietaryEnergyConsumed), HKQuantityType(.stepCount),
        HKCategoryType(.sleepAnalysis),
    ]

    init() throws { fixture = try ClientFixture() }

    @Test("saves and deletions of every type are reported once, until the watcher is stopped")
    func watch() async throws {
        try await fixture.authorize(read: types)
        let watcher = HealthWatcher(healthStore: fixture.store)
        watcher.start()
        let steps = try await fixture.recordSteps([(8, 1, 500)], by: fixture.watch)
        #expect(await ClientFixture.eventually { watcher.entries == ["500.0 steps"] })
        try await fixture.record(
            .dietaryEnergyConsumed, .kilocalorie(), [(12, 0, 650)], by: fixture.phone)
        #expect(await ClientFixture.eventually { watcher.entries.last == "650.0 kcal" })
        let sleep = HKCategoryType(.sleepAnalysis)
        try await fixture.watch.requestAuthorization(toShare: [sleep], read: [])
        try await fixture.watch.save(
            HKCategorySample(
                type: sleep, value: HKCategoryValueSleepAnalysis.asleepCore.rawValue,
                start: fixture.midnight, end: fixture.midnight.addingTimeInterval(3600)))
        #expect(await ClientFixture.eventually { watcher.entries.last == "asleep" })
        try await fixture.watch.delete(steps[0])
        #expect(
            await ClientFixture.eventually { watcher.entries.last == "deleted \(steps[0].uuid)" })
        #expect(watcher.entries.count == 4)
        watcher.stop()
        try await fixture.recordSteps([(9, 1, 1)], by: fixture.watch)
        try await Task.sleep(for: .milliseconds(150))
        #expect(watcher.entries.count == 4)
    }

    @Test("a released watcher stops its query", .timeLimit(.minutes(10)))
    func released() async throws {
        try await fixture.authorize(read: types)
        weak var released: HealthWatcher?
        do {
            let watcher = HealthWatcher(healthStore: fixture.store)
            watcher.start()
            released = watcher
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(await ClientFixture.eventually { released == nil })
    }

    @Test("a sequence of collections ends when its task is cancelled")
    func sequence() async throws {
        try await fixture.authorize(read: types)
        let store = fixture.store
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
        let steps = try await fixture.recordSteps([(8, 1, 5), (9, 1, 6)], by: fixture.watch)
        #expect(await iterator.next() == 2)
        try await fixture.watch.delete(steps[0])
        #expect(await iterator.next() == -1)
        task.cancel()
        _ = await task.result
    }
}
