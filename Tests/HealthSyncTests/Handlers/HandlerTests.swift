import Foundation
import HealthSync
import OpenHealthKit
import Testing

@Suite struct HandlerTests {
    @Test("a quantity's handler gets values in the unit it asked for, and what was deleted")
    func quantities() async throws {
        let world = try await WatcherWorld()
        let watcher = world.watcher()
        let told = Noted<[QuantityChange]>([])
        try await watcher.on(.bodyMass, unit: .gram()) { change in told { $0.append(change) } }
        let sample = world.mass(82.5, at: 60)
        try await world.store.save(sample)
        try await watcher.sync()
        try await world.store.delete(sample)
        try await watcher.sync()
        let first = try #require(told { $0 }.first?.added.first)
        #expect(first.value == 82_500 && first.id == sample.uuid)
        #expect(first.interval == DateInterval(start: sample.startDate, duration: 0))
        #expect(first.source == world.store.identity.source)
        #expect(told { $0 }.last?.deleted == [sample.uuid])
    }

    @Test("a category's handler gets raw values")
    func categories() async throws {
        let world = try await WatcherWorld()
        let watcher = world.watcher([WatcherWorld.sleep])
        let told = Noted<[Int]>([])
        try await watcher.on(.sleepAnalysis) { change in
            told { $0 += change.added.map(\.value) }
        }
        try await world.store.save(
            HKCategorySample(
                type: WatcherWorld.sleep, value: HKCategoryValueSleepAnalysis.asleepREM.rawValue,
                start: world.start, end: world.start.addingTimeInterval(600)))
        try await watcher.sync()
        #expect(told { $0 } == [HKCategoryValueSleepAnalysis.asleepREM.rawValue])
    }

    @Test("a unit that the type has no values in, and a type that isn't tracked, are told at once")
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

    @Test("the fallback gets what has no handler, and what is tracked later")
    func others() async throws {
        let world = try await WatcherWorld()
        let watcher = world.watcher([WatcherWorld.mass, WatcherWorld.steps])
        let others = Noted<[String]>([])
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

    @Test("two handlers of a type both get everything, and one's failure is its own")
    func two() async throws {
        let world = try await WatcherWorld()
        let watcher = world.watcher()
        let told = Noted(0)
        try await watcher.on(.bodyMass, unit: .gram()) { _ in throw Death() }
        try await watcher.on(WatcherWorld.mass) { change in told { $0 += change.added.count } }
        try await world.saveMasses(3)
        let summary = try await watcher.sync()
        #expect(told { $0 } == 3)
        #expect(
            summary.failures.keys.map(\.subscriber) == ["handler:" + WatcherWorld.mass.identifier])
        let subscribers = watcher.status(of: TrackedType(WatcherWorld.mass))?.subscribers.keys
            .sorted()
        #expect(
            subscribers == ["", "#2"].map { "handler:" + WatcherWorld.mass.identifier + $0 })
    }

    @Test("a handler may begin differently from the others")
    func ownFirstRun() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(2)
        let watcher = world.watcher()
        let told = Noted(0)
        try await watcher.on(.bodyMass, unit: .gram(), firstRun: .fromNow) { change in
            told { $0 += change.added.count }
        }
        try await watcher.sync()
        #expect(told { $0 } == 0)
        try await world.saveMasses(1, from: 600)
        try await watcher.sync()
        #expect(told { $0 } == 1)
    }
}
