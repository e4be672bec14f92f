import Foundation
import Testing

@testable import HealthSync
@testable import OpenHealthKit

/// A store that records the order of its calls.
private final class CallRecordingStore: HKHealthStore, @unchecked Sendable {
    let calls = LockedBox<[String]>([])

    override func execute(_ query: HKQuery) {
        if query is HKObserverQuery { calls { $0.append("observe") } }
        super.execute(query)
    }

    override func enableBackgroundDelivery(
        for type: HKObjectType, frequency: HKUpdateFrequency,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        calls { $0.append("enable \(type.identifier)") }
        super.enableBackgroundDelivery(
            for: type, frequency: frequency, withCompletion: completion)
    }
}

@Suite struct WatcherObservingTests {
    @Test("a sample saved after the start is delivered without a request")
    func arrives() async throws {
        let world = try await WatcherWorld()
        let recorder = Recorder()
        let watcher = world.watcher([WatcherWorld.mass, WatcherWorld.steps])
        try await watcher.deliver(to: recorder, named: "test")
        await watcher.start()
        try await watcher.sync()
        let sample = world.mass(80)
        try await world.store.save(sample)
        await eventually { recorder.added == [sample.uuid] }
        try await world.store.delete(sample)
        await eventually { recorder.deleted == [sample.uuid] }
        #expect(watcher.status(of: TrackedType(WatcherWorld.mass))?.lastWake != nil)
        await watcher.stop()
    }

    @Test("one observer, executed before any background delivery is enabled")
    func order() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "watcher-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try CallRecordingStore(path: path)
        let types: [HKSampleType] = [WatcherWorld.mass, WatcherWorld.steps, WatcherWorld.sleep]
        try await store.requestAuthorization(toShare: [], read: Set(types))
        let watcher = Watcher(
            store: store, types: types.map { TrackedType($0) }, positions: try PositionFile())
        try await watcher.deliver(to: Recorder(), named: "test")
        await watcher.start()
        await watcher.start()
        let calls = store.calls { $0 }
        #expect(calls.first == "observe")
        #expect(calls.filter { $0 == "observe" }.count == 1)
        #expect(Set(calls.dropFirst()) == Set(types.map { "enable \($0.identifier)" }))
        await watcher.stop()
    }

    @Test("HealthKit's completion handler is called only after the changes are durable")
    func completion() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(1)
        let recorder = Recorder()
        let watcher = world.watcher()
        try await watcher.deliver(to: recorder, named: "test")
        let file = world.file
        let kept = await withCheckedContinuation { continuation in
            let key = PositionKey(subscriber: "test", type: WatcherWorld.mass.identifier)
            watcher.handleUpdate(
                [WatcherWorld.mass],
                .init {
                    let count = recorder.added.count
                    Task {
                        let position = try? await file.position(for: key)
                        continuation.resume(returning: (count, position?.phase))
                    }
                })
        }
        #expect(kept.0 == 1 && kept.1 == .changes)
    }

    @Test(
        "HealthKit's completion handler is called at the end of the budget, and reading continues")
    func budget() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(1)
        let clock = world.clock
        let recorder = Recorder { _ in try await clock.sleep(for: .seconds(60)) }
        let watcher = world.watcher(adjusting: { $0.budget = .seconds(25) })
        try await watcher.deliver(to: recorder, named: "test")
        let isCompleted = LockedBox(false)
        watcher.handleUpdate([WatcherWorld.mass], .init { isCompleted { $0 = true } })
        await eventually { clock.sleepers == 2 }
        clock.advance(by: .seconds(24))
        try await Task.sleep(for: .milliseconds(20))
        #expect(!isCompleted { $0 })
        clock.advance(by: .seconds(1))
        await eventually { isCompleted { $0 } }
        #expect(recorder.added.isEmpty)
        clock.advance(by: .seconds(35))
        await eventually { recorder.added.count == 1 }
    }

    @Test("HealthKit's completion handler is called on every path")
    func everyPath() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(1)
        let completions = LockedBox(0)
        func wake(_ watcher: Watcher, _ types: Set<HKSampleType>?) async {
            let before = completions { $0 }
            watcher.handleUpdate(types, .init { completions { $0 += 1 } })
            await eventually { completions { $0 } == before + 1 }
        }
        let failing = world.watcher()
        try await failing.deliver(to: Recorder { _ in throw SimulatedCrash() }, named: "test")
        await wake(failing, nil)  // The read fails.
        await wake(failing, nil)  // The reader waits for its next retry.
        await wake(failing, [])  // The set of types is empty.
        await wake(failing, [WatcherWorld.steps])  // None of the types is tracked.
        world.store.protectedData.lock()
        await wake(failing, nil)
        world.store.protectedData.unlock()
        await failing.stop()
        await wake(failing, nil)
        let empty = world.watcher([])
        await wake(empty, nil)
        // Stopped during a read.
        let clock = world.clock
        let slow = world.watcher()
        try await slow.deliver(
            to: Recorder { _ in try await clock.sleep(for: .seconds(999)) }, named: "slow")
        slow.handleUpdate(nil, .init { completions { $0 += 1 } })
        await eventually { clock.sleepers >= 2 }
        let before = completions { $0 }
        await slow.stop()
        await eventually { completions { $0 } == before + 1 }
    }

    @Test("after a stop nothing is read until the next start or sync")
    func stopped() async throws {
        let world = try await WatcherWorld()
        let recorder = Recorder()
        let watcher = world.watcher()
        try await watcher.deliver(to: recorder, named: "test")
        await watcher.start()
        try await watcher.sync()
        await watcher.stop()
        try await world.saveMasses(1)
        let isCompleted = LockedBox(false)
        watcher.handleUpdate(nil, .init { isCompleted { $0 = true } })
        await watcher.wake()
        await eventually { isCompleted { $0 } }
        #expect(recorder.added.isEmpty)
        await watcher.start()
        await eventually { recorder.added.count == 1 }
        await watcher.stop()
        try await world.saveMasses(1, from: 600)
        try await watcher.sync()
        #expect(recorder.added.count == 2)
    }

    @Test("a batch that was received while the watcher stopped is not delivered again")
    func takenWhileStopping() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(1)
        let isTaking = LockedBox(false)
        let recorder = Recorder { _ in
            let isFirst = isTaking { was in
                defer { was = true }
                return !was
            }
            while isFirst, !Task.isCancelled { await Task.yield() }
        }
        let watcher = world.watcher()
        try await watcher.deliver(to: recorder, named: "test")
        await watcher.start()
        await eventually { isTaking { $0 } }
        await watcher.stop()
        #expect(recorder.added.count == 1)
        try await watcher.sync()
        #expect(recorder.added.count == 1)
    }

    @Test("a process that is killed before the completion does not call the completion handler")
    func killedWake() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(1)
        for step in [SyncStep.woken, .anchorTaken, .pageRead, .handlersDone, .positionStored] {
            let (crashing, hasCrashed) = crash(at: step, 1)
            let watcher = world.watcher(positions: try PositionFile(), probe: crashing)
            try await watcher.deliver(to: Recorder(), named: "test")
            let isCompleted = LockedBox(false)
            watcher.handleUpdate(nil, .init { isCompleted { $0 = true } })
            await eventually { hasCrashed { $0 } }
            try await Task.sleep(for: .milliseconds(20))
            #expect(!isCompleted { $0 }, "completed after \(step)")
        }
    }

    @Test("a thousand wakes at once cause few reads")
    func storm() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(1)
        let pages = LockedBox(0)
        let watcher = world.watcher(
            probe: SyncProbe { if $0 == .pageRead { pages { $0 += 1 } } })
        let recorder = Recorder()
        try await watcher.deliver(to: recorder, named: "test")
        try await watcher.sync()
        pages { $0 = 0 }
        let completions = LockedBox(0)
        try await world.saveMasses(1, from: 600)
        for _ in 0..<1000 {
            watcher.handleUpdate([WatcherWorld.mass], .init { completions { $0 += 1 } })
        }
        await eventually { completions { $0 } == 1000 }
        #expect(recorder.added.count == 2)
        #expect(pages { $0 } < 200, "\(pages { $0 }) pages")
    }

    @Test("a deallocated watcher stops its queries, also during a read")
    func leaves() async throws {
        let world = try await WatcherWorld(
            configuration: HealthStoreConfiguration(clock: ManualClock(Date())))
        try await world.saveMasses(1)
        let clock = world.clock
        weak var released: Watcher?
        do {
            let watcher = world.watcher()
            released = watcher
            try await watcher.deliver(
                to: Recorder { _ in try await clock.sleep(for: .seconds(60)) }, named: "slow")
            await watcher.start()
            await eventually { clock.sleepers > 0 && world.store.runningQueries.count == 1 }
        }
        await eventually("it is still there") { released == nil }
        await eventually("its query runs on") { world.store.runningQueries.count == 0 }
        await eventually("its handler goes on") { clock.sleepers == 0 }
        #expect(world.store.diagnostics.findings.isEmpty)
    }

    @Test("a day of work has no findings of the store")
    func findings() async throws {
        // The clock doesn't advance, so that a slow machine causes no finding.
        let world = try await WatcherWorld(
            configuration: HealthStoreConfiguration(clock: ManualClock(Date())))
        let samples = (0..<5).map { world.mass(80, at: Double($0) * 60) }
        try await world.store.save(samples)
        let recorder = Recorder()
        let watcher = world.watcher([WatcherWorld.mass, WatcherWorld.steps], pageSize: 2)
        try await watcher.deliver(to: recorder, named: "test")
        await watcher.start()
        try await world.store.delete(samples[0])
        await eventually { recorder.content.count == 4 }
        try await watcher.sync()
        await watcher.stop()
        #expect(world.store.runningQueries.count == 0)
        #expect(world.store.diagnostics.findings.isEmpty)
    }
}
