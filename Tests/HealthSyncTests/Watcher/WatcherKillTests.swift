import Foundation
import HealthSync
import HealthTesting
import OpenHealthKit
import Testing

@Suite(.inTestAll) struct WatcherKillTests {
    static let steps: [SyncStep] = [.anchorTaken, .pageRead, .handlersDone, .positionStored]

    /// Saves, deletes and syncs, ends at a step, starts again, and so on.
    private func live(
        crashingAt step: SyncStep, _ occurrence: Int, subscriber: (Watcher) async throws -> Void
    ) async throws -> (content: Set<UUID>, crashes: Int) {
        let world = try await WatcherWorld()
        let samples = (0..<7).map { world.mass(80, at: Double($0) * 60) }
        try await world.store.save(samples)
        let later = (0..<5).map { world.mass(79, at: Double($0) * 45) }
        var crashes = 0
        func run(_ probe: SyncProbe) async throws {
            let watcher = world.watcher(pageSize: 2, probe: probe)
            try await subscriber(watcher)
            do { _ = try await watcher.sync() } catch is SimulatedCrash { crashes += 1 }
        }
        try await run(crash(at: step, occurrence).probe)
        try await world.store.delete([samples[1], samples[6]])
        try await world.store.save(later)
        try await run(crash(at: step, occurrence).probe)
        try await world.store.delete(later[2])
        try await run(crash(at: step, occurrence).probe)
        try await run(.none)
        let left = samples[2...5].map(\.uuid) + [samples[0].uuid]
        let rest = later.map(\.uuid).filter { $0 != later[2].uuid }
        return (Set(left + rest), crashes)
    }

    @Test(
        "a destination without transactions gets every change, whatever step is killed",
        arguments: steps)
    func atLeastOnce(step: SyncStep) async throws {
        for occurrence in 1...8 {
            let recorder = Recorder()
            let (content, crashes) = try await live(crashingAt: step, occurrence) {
                try await $0.deliver(to: recorder, named: "test")
            }
            #expect(recorder.content == content, "died at \(step) \(occurrence)")
            if occurrence == 1 { #expect(crashes > 0) }
        }
    }

    @Test(
        "a transactional destination gets every change once, whatever step the process is killed at"
    )
    func exactlyOnce() async throws {
        for step in [SyncStep.anchorTaken, .pageRead, .positionStored] {
            for occurrence in 1...8 {
                let recorder = TransactionalRecorder()
                let (content, crashes) = try await live(crashingAt: step, occurrence) {
                    try await $0.mirror(into: recorder)
                }
                #expect(await recorder.content == content, "died at \(step) \(occurrence)")
                let changes = await recorder.batches.filter { $0.origin == .changes }
                let history = await recorder.batches.filter { $0.origin == .history }
                for delivered in [
                    changes.flatMap(\.added), changes.flatMap(\.deleted), history.flatMap(\.added),
                ] {
                    #expect(
                        Set(delivered).count == delivered.count, "twice at \(step) \(occurrence)")
                }
                if occurrence == 1 { #expect(crashes > 0) }
            }
        }
    }

    @Test("a partly stored batch is delivered again completely")
    func destinationDies() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(4)
        let fails = LockedBox(1)
        let recorder = Recorder { _ in
            let isFailing = fails { count -> Bool in
                count -= 1
                return count >= 0
            }
            if isFailing { throw SimulatedCrash() }
        }
        let watcher = world.watcher(pageSize: 3)
        try await watcher.deliver(to: recorder, named: "test")
        let first = try await watcher.sync()
        #expect(first.failures.count == 1 && recorder.batches.isEmpty)
        #expect(try await watcher.sync().isComplete)
        #expect(recorder.added.count == 4)
    }

    @Test("two watchers of one transactional destination deliver each change once")
    func twoWatchers() async throws {
        let world = try await WatcherWorld()
        let saved = try await world.saveMasses(200)
        let recorder = TransactionalRecorder()
        let watchers = [world.watcher(pageSize: 3), world.watcher(pageSize: 5)]
        for watcher in watchers { try await watcher.mirror(into: recorder) }
        try await withThrowingTaskGroup { group in
            for watcher in watchers { group.addTask { _ = try await watcher.sync() } }
            try await group.waitForAll()
        }
        let delivered = await recorder.batches.flatMap(\.added)
        #expect(delivered.count == 200 && Set(delivered) == Set(saved))
    }
}
