import Foundation
import GRDB
import HealthSync
import OpenHealthKit
import Testing

@Suite struct WatcherSubscriberTests {
    @Test("a failing handler does not block others, and its batch is delivered again")
    func isolation() async throws {
        let world = try await WatcherWorld()
        let saved = try await world.saveMasses(3)
        let isBroken = LockedBox(true)
        let broken = Recorder { _ in if isBroken({ $0 }) { throw SimulatedCrash() } }
        let sound = Recorder()
        let watcher = world.watcher()
        try await watcher.deliver(to: broken, named: "broken")
        try await watcher.deliver(to: sound, named: "sound")
        let summary = try await watcher.sync()
        #expect(sound.added.count == 3 && broken.added.isEmpty)
        #expect(summary.failures.keys.map(\.subscriber) == ["broken"])
        isBroken { $0 = false }
        try await watcher.sync()
        #expect(Set(broken.added) == Set(saved))
        #expect(sound.added.count == 3)
    }

    @Test("a failing handler is retried with backoff, then stuck, and retried at each sync")
    func retries() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(1)
        let attempts = LockedBox(0)
        let isBroken = LockedBox(true)
        let recorder = Recorder { _ in
            attempts { $0 += 1 }
            if isBroken({ $0 }) { throw SimulatedCrash() }
        }
        let watcher = world.watcher(adjusting: { $0.retryDelays = [.seconds(1), .seconds(10)] })
        try await watcher.deliver(to: recorder, named: "test")
        try await watcher.sync()
        let type = TrackedType(WatcherWorld.mass)
        #expect(watcher.status(of: type)?.pause == .handlerFailed)
        // Wakes don't shorten the retry delay.
        await watcher.wake()
        await eventually { world.clock.sleepers == 1 }
        #expect(attempts { $0 } == 1)
        world.clock.advance(by: .seconds(1))
        await eventually { world.clock.sleepers == 1 && attempts { $0 } == 2 }
        world.clock.advance(by: .seconds(9))
        #expect(attempts { $0 } == 2)
        world.clock.advance(by: .seconds(1))
        await eventually { watcher.status(of: type)?.pause == .handlerStuck }
        #expect(attempts { $0 } == 3 && world.clock.sleepers == 0)
        #expect(watcher.status(of: type)?.subscribers["test"]?.lastError is SimulatedCrash)
        try await watcher.sync()
        #expect(attempts { $0 } == 4)
        isBroken { $0 = false }
        try await watcher.sync()
        #expect(recorder.added.count == 1)
        #expect(watcher.status(of: type)?.pause == nil)
    }

    @Test(
        "a full disk pauses a handler, is reported, and is retried without limit",
        arguments: [DatabaseError(resultCode: .SQLITE_FULL), MirrorError.diskFull] as [any Error])
    func disk(error: any Error) async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(1)
        let hasSpace = LockedBox(false)
        let attempts = LockedBox(0)
        let recorder = Recorder { _ in
            attempts { $0 += 1 }
            if !hasSpace({ $0 }) { throw error }
        }
        let watcher = world.watcher(adjusting: { $0.retryDelays = [.seconds(1)] })
        try await watcher.deliver(to: recorder, named: "test")
        try await watcher.sync()
        let type = TrackedType(WatcherWorld.mass)
        #expect(watcher.status(of: type)?.pause == .disk)
        for attempt in 2...5 {
            await eventually { world.clock.sleepers == 1 }
            world.clock.advance(by: .seconds(1))
            await eventually { attempts { $0 } == attempt }
        }
        hasSpace { $0 = true }
        await eventually { world.clock.sleepers == 1 }
        world.clock.advance(by: .seconds(1))
        await eventually { recorder.added.count == 1 }
    }

    @Test("a slow handler does not block another")
    func slow() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(2)
        let clock = world.clock
        let slow = Recorder { _ in try await clock.sleep(for: .seconds(60)) }
        let quick = Recorder()
        let watcher = world.watcher()
        try await watcher.deliver(to: slow, named: "slow")
        try await watcher.deliver(to: quick, named: "quick")
        await watcher.start()
        await eventually { quick.added.count == 2 }
        #expect(slow.added.isEmpty)
        await watcher.stop()
    }

    @Test("a name belongs to one subscriber")
    func names() async throws {
        let watcher = try await WatcherWorld().watcher()
        try await watcher.deliver(to: Recorder(), named: "a")
        await #expect(throws: SubscriberError.nameInUse("a")) {
            try await watcher.deliver(to: Recorder(), named: "a")
        }
        try await watcher.mirror(into: TransactionalRecorder())
        await #expect(throws: SubscriberError.nameInUse("mirror")) {
            try await watcher.mirror(into: TransactionalRecorder())
        }
    }

    @Test("a cancelled sync throws, and the next one delivers the remaining changes")
    func cancelled() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(4)
        let clock = world.clock
        let isSlow = LockedBox(true)
        let recorder = Recorder { _ in
            if isSlow({ $0 }) { try await clock.sleep(for: .seconds(60)) }
        }
        let watcher = world.watcher(pageSize: 2)
        try await watcher.deliver(to: recorder, named: "test")
        let task = Task { try await watcher.sync() }
        await eventually { clock.sleepers == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // No caller waits any more, so the handler is cancelled too.
        await eventually { clock.sleepers == 0 }
        isSlow { $0 = false }
        #expect(try await watcher.sync().isComplete)
        #expect(recorder.added.count == 4)
    }
}
