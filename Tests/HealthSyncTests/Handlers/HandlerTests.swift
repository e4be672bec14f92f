import Foundation
import HealthSync
import OpenHealthKit
import Testing

@Suite struct HandlerTests {
    @Test("a quantity handler gets values in its unit, and deletions")
    func quantities() async throws {
        let world = try await WatcherWorld()
        let watcher = world.watcher()
        let delivered = LockedBox<[QuantityChange]>([])
        try await watcher.on(.bodyMass, unit: .gram()) { change in delivered { $0.append(change) } }
        let sample = world.mass(82.5, at: 60)
        try await world.store.save(sample)
        try await watcher.sync()
        try await world.store.delete(sample)
        try await watcher.sync()
        let first = try #require(delivered { $0 }.first?.added.first)
        #expect(first.value == 82_500 && first.id == sample.uuid)
        #expect(first.interval == DateInterval(start: sample.startDate, duration: 0))
        #expect(first.source == world.store.identity.source)
        #expect(delivered { $0 }.last?.deleted == [sample.uuid])
    }

    @Test("a category handler gets raw values")
    func categories() async throws {
        let world = try await WatcherWorld()
        let watcher = world.watcher([WatcherWorld.sleep])
        let delivered = LockedBox<[Int]>([])
        try await watcher.on(.sleepAnalysis) { change in
            delivered { $0 += change.added.map(\.value) }
        }
        try await world.store.save(
            HKCategorySample(
                type: WatcherWorld.sleep, value: HKCategoryValueSleepAnalysis.asleepREM.rawValue,
                start: world.start, end: world.start.addingTimeInterval(600)))
        try await watcher.sync()
        #expect(delivered { $0 } == [HKCategoryValueSleepAnalysis.asleepREM.rawValue])
    }

    @Test("an incompatible unit and an untracked type are errors at registration")
    func registration() async throws {
        let watcher = try await WatcherWorld().watcher()
        await #expect(
            throws: SubscriberError.incompatibleUnit(
                type: WatcherWorld.mass.identifier, unit: "m")
        ) { try await watcher.on(.bodyMass, unit: .meter()) { _ in } }
        await #expect(throws: SubscriberError.notTracked(type: WatcherWorld.steps.identifier)) {
            try await watcher.on(.stepCount, unit: .count()) { _ in }
        }
        await #expect(throws: SubscriberError.notTracked(type: WatcherWorld.sleep.identifier)) {
            try await watcher.on(.sleepAnalysis) { _ in }
        }
    }

    @Test("the fallback handler gets types without a handler, also those tracked later")
    func others() async throws {
        let world = try await WatcherWorld()
        let watcher = world.watcher([WatcherWorld.mass, WatcherWorld.steps])
        let others = LockedBox<[String]>([])
        try await watcher.onOthers { change in
            others { $0.append(change.sampleType.identifier) }
        }
        try await watcher.on(.bodyMass, unit: .gram()) { _ in }
        try await world.saveMasses(1)
        try await world.store.save(world.walk(10))
        try await watcher.sync()
        #expect(others { $0 } == [WatcherWorld.steps.identifier])
        await watcher.track(TrackedType(WatcherWorld.sleep))
        try await world.store.save(
            HKCategorySample(
                type: WatcherWorld.sleep, value: 0, start: world.start,
                end: world.start.addingTimeInterval(600)))
        try await watcher.sync()
        #expect(others { $0 } == [WatcherWorld.steps, WatcherWorld.sleep].map(\.identifier))
    }

    @Test("two handlers of a type both get every change, and fail independently")
    func two() async throws {
        let world = try await WatcherWorld()
        let watcher = world.watcher()
        let delivered = LockedBox(0)
        try await watcher.on(.bodyMass, unit: .gram()) { _ in throw SimulatedCrash() }
        try await watcher.on(WatcherWorld.mass) { change in delivered { $0 += change.added.count } }
        try await world.saveMasses(3)
        let summary = try await watcher.sync()
        #expect(delivered { $0 } == 3)
        #expect(
            summary.failures.keys.map(\.subscriber) == ["handler:" + WatcherWorld.mass.identifier])
        let subscribers = watcher.status(of: TrackedType(WatcherWorld.mass))?.subscribers.keys
            .sorted()
        #expect(
            subscribers == ["", "#2"].map { "handler:" + WatcherWorld.mass.identifier + $0 })
    }

    @Test("a handler can have its own first run")
    func ownFirstRun() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(2)
        let watcher = world.watcher()
        let delivered = LockedBox(0)
        try await watcher.on(.bodyMass, unit: .gram(), firstRun: .fromNow) { change in
            delivered { $0 += change.added.count }
        }
        try await watcher.sync()
        #expect(delivered { $0 } == 0)
        try await world.saveMasses(1, from: 600)
        try await watcher.sync()
        #expect(delivered { $0 } == 1)
    }
}
