import Foundation
import OpenHealthKit
import Testing

@testable import HealthSync

@Suite struct WatcherLossTests {
    static let key = PositionKey(subscriber: "test", type: WatcherWorld.mass.identifier)

    /// Creates a store whose position was damaged after everything had been read.
    private func world(
        breaking: (WatcherWorld, inout SyncPosition) throws -> Void
    ) async throws -> WatcherWorld {
        let world = try await WatcherWorld()
        try await world.saveMasses(3)
        let watcher = world.watcher()
        try await watcher.deliver(to: Recorder(), named: "test")
        try await watcher.sync()
        let stored = try #require(try await world.file.position(for: Self.key))
        var broken = stored
        try breaking(world, &broken)
        try await world.file.setPosition(broken, for: Self.key, expecting: stored)
        return world
    }

    @Test("an unreadable or refused anchor is reported, and reading starts again")
    func lostAnchors() async throws {
        let foreign = try await WatcherWorld()
        try await foreign.saveMasses(1)
        let other = foreign.watcher()
        try await other.deliver(to: Recorder(), named: "test")
        try await other.sync()
        let foreignPosition = try #require(try await foreign.file.position(for: Self.key))
        let beyond = try SyncPosition(
            HKQueryAnchor(fromValue: 1_000_000), phase: .changes, caughtUp: Date())
        let losses: [(Data, LostPosition.Reason)] = [
            (Data([1, 2, 3]), .unreadable), (foreignPosition.anchor, .refused),
            (beyond.anchor, .refused),
        ]
        for (anchor, reason) in losses {
            let world = try await world { $1.anchor = anchor }
            let lost = LockedBox<[LostPosition]>([])
            let recorder = Recorder()
            let watcher = world.watcher()
            try await watcher.deliver(to: recorder, named: "test")
            await watcher.onLostPosition { loss in lost { $0.append(loss) } }
            #expect(try await watcher.sync().isComplete)
            #expect(lost { $0 }.map(\.reason) == [reason])
            #expect(recorder.added.count == 3)
            try await watcher.sync()
            #expect(recorder.added.count == 3)
        }
    }

    @Test("an error of the hook is a failure, and the hook is called again")
    func failingHook() async throws {
        let world = try await world { $1.anchor = Data() }
        let calls = LockedBox(0)
        let watcher = world.watcher()
        try await watcher.deliver(to: Recorder(), named: "test")
        await watcher.onLostPosition { _ in
            let call = calls { count -> Int in
                count += 1
                return count
            }
            if call == 1 { throw SimulatedCrash() }
        }
        #expect(try await watcher.sync().failures.count == 1)
        #expect(try await watcher.sync().isComplete)
        #expect(calls { $0 } == 2)
    }

    @Test("a filter that no store can run is an error, not a lost position")
    func brokenFilter() async throws {
        let world = try await WatcherWorld()
        let nonsense = NSPredicate(format: "%K == %@", "noSuchKey", "x")
        let watcher = Watcher(
            store: world.store,
            types: [TrackedType(WatcherWorld.mass, where: nonsense, named: "x")],
            positions: world.file)
        let lost = LockedBox(0)
        try await watcher.deliver(to: Recorder(), named: "test")
        await watcher.onLostPosition { _ in lost { $0 += 1 } }
        #expect(try await watcher.sync().failures.count == 1)
        #expect(lost { $0 } == 0)
    }

    @Test("a position older than the tombstone lifetime is reported once; a newer one is not")
    func stale() async throws {
        let world = try await WatcherWorld()
        let start = Date(timeIntervalSinceReferenceDate: 1_000_000)
        let lost = LockedBox<[LostPosition.Reason]>([])
        for (days, expected) in [(0.0, 0), (6.9, 0), (14.0, 1), (14.1, 1), (15.0, 1), (23.0, 2)] {
            let watcher = world.watcher(now: { start.addingTimeInterval(days * 86_400) })
            try await watcher.deliver(to: Recorder(), named: "test")
            await watcher.onLostPosition { loss in lost { $0.append(loss.reason) } }
            try await watcher.sync()
            #expect(lost { $0 }.count == expected, "after \(days) days")
        }
        #expect(lost { $0 }.allSatisfy { $0 == .stale })
    }

    /// Returns a watcher whose reader reconciles, and records the requested spans.
    private func reconciling(
        _ world: WatcherWorld, into recorder: TransactionalRecorder,
        now: @escaping @Sendable () -> Date,
        holding: Bool = false, _ body: @escaping @Sendable (ReconciledSpan) throws -> Void
    ) async throws -> Watcher {
        let watcher = world.watcher(now: now)
        try await watcher.mirror(
            into: recorder,
            reconciling: { types, span in
                #expect(types.map(\.sampleType) == [WatcherWorld.mass])
                try body(span)
            }, hasContent: { _ in holding })
        return watcher
    }

    @Test("a mirror is compared over recent days at the start, and over everything after a loss")
    func reconciles() async throws {
        let world = try await WatcherWorld()
        let now = Date(timeIntervalSinceReferenceDate: 1_000_000)
        let spans = LockedBox<[ReconciledSpan]>([])
        let recorder = TransactionalRecorder()
        var watcher = try await reconciling(world, into: recorder, now: { now }) { span in
            spans { $0.append(span) }
        }
        await watcher.start()
        await eventually { spans { $0 } == [.days(90)] }
        await watcher.stop()
        let key = PositionKey(subscriber: "mirror", type: WatcherWorld.mass.identifier)
        let stored = try #require(await recorder.positions[key])
        var broken = stored
        broken.anchor = Data()
        try await recorder.setPosition(broken, for: key, expecting: stored)
        let attempts = LockedBox(0)
        watcher = try await reconciling(world, into: recorder, now: { now }) { span in
            spans { $0.append(span) }
            let attempt = attempts { count -> Int in
                count += 1
                return count
            }
            if attempt == 1 { throw SyncError.busy }
        }
        #expect(try await !watcher.sync().isComplete)
        // A later process also reconciles, because the request is stored.
        watcher = try await reconciling(world, into: recorder, now: { now }) { span in
            spans { $0.append(span) }
        }
        #expect(try await watcher.sync().isComplete)
        #expect(spans { $0 } == [.days(90), .everything, .everything])
        try await watcher.sync()
        #expect(spans { $0 }.count == 3)
    }

    @Test("a first run with a window is compared over it, and one from now on never")
    func narrowed() {
        let now = Date(timeIntervalSinceReferenceDate: 100 * 86_400)
        let window = FirstRun.window(since: now.addingTimeInterval(-10.5 * 86_400))
        #expect(FirstRun.everything.narrowed(.everything, at: now) == .everything)
        #expect(FirstRun.everything.narrowed(.days(90), at: now) == .days(90))
        #expect(window.narrowed(.everything, at: now) == .days(11))
        #expect(window.narrowed(.days(90), at: now) == .days(11))
        #expect(window.narrowed(.days(7), at: now) == .days(7))
        #expect(FirstRun.fromNow.narrowed(.everything, at: now) == nil)
    }

    @Test("a destination with content and no position is compared; an empty one isn't")
    func unknownPast() async throws {
        let world = try await WatcherWorld()
        for (holding, expected) in [(false, 0), (true, 1)] {
            let spans = LockedBox(0)
            let watcher = try await reconciling(
                world, into: TransactionalRecorder(), now: { Date() }, holding: holding
            ) { _ in spans { $0 += 1 } }
            try await watcher.sync()
            try await watcher.sync()
            #expect(spans { $0 } == expected)
        }
    }
}
