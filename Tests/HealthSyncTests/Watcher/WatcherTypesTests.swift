import Foundation
import HealthSync
import HealthTesting
import OpenHealthKit
import Testing

@Suite struct WatcherTypesTests {
    static let mass = TrackedType(WatcherWorld.mass)
    static let steps = TrackedType(WatcherWorld.steps)

    @Test("a type tracked later is read from its beginning; the others' positions stay")
    func track() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(2)
        try await world.store.save(world.walk(100))
        let recorder = TransactionalRecorder()
        let watcher = world.watcher([WatcherWorld.mass])
        try await watcher.mirror(into: recorder)
        await watcher.start()
        try await watcher.sync()
        let before = await recorder.positions
        await watcher.track(Self.steps)
        await eventually { await recorder.content.count == 3 }
        let after = await recorder.positions
        let key = PositionKey(subscriber: "mirror", type: WatcherWorld.mass.identifier)
        #expect(before[key] == after[key] && after.count == 2)
        // The observer covers it too.
        try await world.store.save(world.walk(50, at: 600))
        await eventually { await recorder.content.count == 4 }
        #expect(watcher.statuses.count == 2)
        await watcher.stop()
    }

    @Test("an untracked type is not read; tracked again, it continues at its position")
    func untrack() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(2)
        try await world.store.save(world.walk(100))
        let recorder = Recorder()
        let watcher = world.watcher([WatcherWorld.mass, WatcherWorld.steps])
        try await watcher.deliver(to: recorder, named: "test")
        await watcher.start()
        try await watcher.sync()
        await watcher.untrack(Self.mass)
        #expect(watcher.status(of: Self.mass) == nil)
        try await world.saveMasses(1, from: 600)
        try await world.store.save(world.walk(50, at: 600))
        await eventually { recorder.added.count == 4 }
        try await watcher.sync()
        #expect(recorder.added.count == 4)
        await watcher.track(Self.mass)
        await eventually { recorder.added.count == 5 }
        await watcher.stop()
    }

    @Test("no wake is lost while the observer is replaced")
    func trackUnderLoad() async throws {
        let world = try await WatcherWorld()
        let recorder = Recorder()
        let watcher = world.watcher([WatcherWorld.mass])
        try await watcher.deliver(to: recorder, named: "test")
        await watcher.start()
        let store = world.store
        let samples = (0..<40).map { world.mass(80, at: Double($0) * 60) }
        let saving = Task { for sample in samples { try await store.save(sample) } }
        for _ in 0..<10 {
            await watcher.track(Self.steps)
            await watcher.untrack(Self.steps)
        }
        try await saving.value
        await eventually { recorder.content == Set(samples.map(\.uuid)) }
        await watcher.stop()
    }

    @Test("a reset reads only that type again")
    func reset() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(2)
        try await world.store.save(world.walk(100))
        let recorder = Recorder()
        let watcher = world.watcher([WatcherWorld.mass, WatcherWorld.steps])
        try await watcher.deliver(to: recorder, named: "test")
        try await watcher.sync()
        try await watcher.reset(WatcherWorld.mass)
        try await watcher.sync()
        let counts = Dictionary(grouping: recorder.batches, by: \.type).mapValues {
            $0.flatMap(\.added).count
        }
        #expect(counts[WatcherWorld.mass.identifier] == 4)
        #expect(counts[WatcherWorld.steps.identifier] == 1)
        try await watcher.resetAll()
        try await watcher.sync()
        #expect(recorder.added.count == 8)
    }

    @Test("a type without requested authorization pauses alone, and is observed after the request")
    func notAsked() async throws {
        let world = try await WatcherWorld([WatcherWorld.mass])
        let recorder = Recorder()
        let watcher = world.watcher([WatcherWorld.steps, WatcherWorld.mass])
        try await watcher.deliver(to: recorder, named: "test")
        await watcher.start()
        let summary = try await watcher.sync()
        #expect(summary.failures.keys.map(\.type) == [WatcherWorld.steps.identifier])
        #expect(watcher.status(of: Self.steps)?.pause == .notDetermined)
        // The other type is observed nevertheless.
        let sample = world.mass(80)
        try await world.store.save(sample)
        await eventually { recorder.added == [sample.uuid] }
        try await world.store.requestAuthorization(
            toShare: [WatcherWorld.steps], read: [WatcherWorld.steps])
        await watcher.wake()
        await eventually { watcher.status(of: Self.steps)?.pause == .deniedOrEmpty }
        let walk = world.walk(100)
        try await world.store.save(walk)
        await eventually { recorder.added.contains(walk.uuid) }
        await eventually { watcher.status(of: Self.steps)?.pause == nil }
        await watcher.stop()
    }

    @Test(
        "permission that is given while HealthKit refuses to observe is noticed, whenever it comes",
        .inTestAll)
    func askedMeanwhile() async throws {
        for delay in 0..<100 {
            let world = try await WatcherWorld([WatcherWorld.steps])
            let recorder = Recorder()
            let watcher = world.watcher(adjusting: { $0.retryDelays = [.milliseconds(1)] })
            try await watcher.deliver(to: recorder, named: "test")
            await watcher.start()
            for _ in 0..<(delay % 50) { await Task.yield() }
            try await world.store.requestAuthorization(
                toShare: [WatcherWorld.mass], read: [WatcherWorld.mass])
            await watcher.wake()
            await eventually { watcher.status(of: Self.mass)?.pause == .deniedOrEmpty }
            try await world.saveMasses(1)
            await eventually("the refusal was the last word, delay \(delay)") {
                world.clock.advance(by: .milliseconds(1))
                return recorder.added.count == 1
            }
            await watcher.stop()
        }
    }

    @Test("a denied type is reported as denied or empty, and does not block others")
    func denied() async throws {
        var configuration = HealthStoreConfiguration()
        configuration.authorization = .types([WatcherWorld.steps: .denied])
        let world = try await WatcherWorld(configuration: configuration)
        try await world.saveMasses(2)
        let recorder = Recorder()
        let watcher = world.watcher([WatcherWorld.steps, WatcherWorld.mass])
        try await watcher.deliver(to: recorder, named: "test")
        #expect(try await watcher.sync().isComplete)
        #expect(recorder.added.count == 2)
        #expect(watcher.status(of: Self.steps)?.pause == .deniedOrEmpty)
        #expect(watcher.status(of: Self.mass)?.pause == nil)
    }

    @Test("after a relaunch, a type with read samples is not reported as empty")
    func notEmpty() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(1)
        for _ in 0..<2 {
            let watcher = world.watcher()
            try await watcher.deliver(to: Recorder(), named: "test")
            try await watcher.sync()
            #expect(watcher.status(of: Self.mass)?.pause == nil)
        }
    }

    @Test("a locked device pauses; after the unlock everything is delivered")
    func locked() async throws {
        let world = try await WatcherWorld()
        let recorder = Recorder()
        let watcher = world.watcher()
        try await watcher.deliver(to: recorder, named: "test")
        await watcher.start()
        try await watcher.sync()
        world.store.protectedData.lock()
        try await world.store.save(world.mass(80))
        let summary = try await watcher.sync()
        #expect(!summary.isComplete)
        #expect(watcher.status(of: Self.mass)?.pause == .locked)
        world.store.protectedData.unlock()
        await eventually { recorder.added.count == 1 }
        await eventually { watcher.status(of: Self.mass)?.pause == nil }
        await watcher.stop()
    }

    @Test("a watcher started on a locked device observes and reads after a delay")
    func startedLocked() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(1)
        let recorder = Recorder()
        let watcher = world.watcher()
        try await watcher.deliver(to: recorder, named: "test")
        world.store.protectedData.lock()
        await watcher.start()
        await eventually { watcher.status(of: Self.mass)?.pause == .locked }
        world.store.protectedData.unlock()
        await eventually {
            world.clock.advance(by: .seconds(30))
            return recorder.added.count == 1
        }
        let sample = world.mass(81, at: 60)
        try await world.store.save(sample)
        await eventually {
            world.clock.advance(by: .seconds(30))
            return recorder.added.contains(sample.uuid)
        }
        await watcher.stop()
    }

    @Test("the status has the phase, the backlog and the delivered counts")
    func status() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(5)
        let (crashing, _) = crash(at: .positionStored, 2)
        let first = world.watcher(pageSize: 2, probe: crashing)
        try await first.deliver(to: Recorder(), named: "test")
        let updates = first.statusUpdates
        await #expect(throws: SimulatedCrash.self) { try await first.sync() }
        #expect(first.status(of: Self.mass)?.caughtUp == nil)
        #expect(first.status(of: Self.mass)?.subscribers["test"]?.backlog == .pages)
        for await status in updates {
            #expect(status.sampleType == WatcherWorld.mass)
            break
        }
        let now = Date(timeIntervalSinceReferenceDate: 1000)
        let second = world.watcher(now: { now })
        try await second.deliver(to: Recorder(), named: "test")
        try await second.sync()
        let subscriber = try #require(second.status(of: Self.mass)?.subscribers["test"])
        #expect(
            subscriber.phase == .changes && subscriber.backlog == .none
                && subscriber.caughtUp == now)
    }
}

struct TrackedTypeTests {
    @Test("a type without a filter has an empty filter name")
    func plainType() {
        #expect(TrackedType(HKQuantityType(.stepCount)).filterName.isEmpty)
    }
}
