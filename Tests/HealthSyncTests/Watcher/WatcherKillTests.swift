import Foundation
import HealthSync
import HealthTesting
import OpenHealthKit
import Testing

@Suite(.inTestAll) struct WatcherKillTests {
    static let steps: [SyncStep] = [.anchorTaken, .pageRead, .handlersDone, .positionStored]

    /// Saves, deletes and syncs, ends at a step, starts again, and so on.
    private func live(
        dyingAt step: SyncStep, _ occurrence: Int, subscriber: (Watcher) async throws -> Void
    ) async throws -> (content: Set<UUID>, deaths: Int) {
        let world = try await WatcherWorld()
        let samples = (0..<7).map { world.mass(80, at: Double($0) * 60) }
        try await world.store.save(samples)
        let later = (0..<5).map { world.mass(79, at: Double($0) * 45) }
        var deaths = 0
        func run(_ probe: SyncProbe) async throws {
            let watcher = world.watcher(pageSize: 2, probe: probe)
            try await subscriber(watcher)
            do { _ = try await watcher.sync() } catch is Death { deaths += 1 }
        }
        try await run(death(at: step, occurrence).probe)
        try await world.store.delete([samples[1], samples[6]])
        try await world.store.save(later)
        try await run(death(at: step, occurrence).probe)
        try await world.store.delete(later[2])
        try await run(death(at: step, occurrence).probe)
        try await run(.none)
        let left = samples[2...5].map(\.uuid) + [samples[0].uuid]
        let rest = later.map(\.uuid).filter { $0 != later[2].uuid }
        return (Set(left + rest), deaths)
    }

    @Test("a plain destination gets every change whatever step a process dies at", arguments: steps)
    func atLeastOnce(step: SyncStep) async throws {
        for occurrence in 1...8 {
            let recorder = Recorder()
            let (content, deaths) = try await live(dyingAt: step, occurrence) {
                try await $0.deliver(to: recorder, named: "test")
            }
            #expect(recorder.content == content, "died at \(step) \(occurrence)")
            if occurrence == 1 { #expect(deaths > 0) }
        }
    }

    @Test("a transactional destination gets every change once whatever step a process dies at")
    func exactlyOnce() async throws {
        for step in [SyncStep.anchorTaken, .pageRead, .positionStored] {
            for occurrence in 1...8 {
                let ledger = Ledger()
                let (content, deaths) = try await live(dyingAt: step, occurrence) {
                    try await $0.mirror(into: ledger)
                }
                #expect(await ledger.content == content, "died at \(step) \(occurrence)")
                let changes = await ledger.batches.filter { $0.origin == .changes }
                let history = await ledger.batches.filter { $0.origin == .history }
                for told in [
                    changes.flatMap(\.added), changes.flatMap(\.deleted), history.flatMap(\.added),
                ] {
                    #expect(Set(told).count == told.count, "twice at \(step) \(occurrence)")
                }
                if occurrence == 1 { #expect(deaths > 0) }
            }
        }
    }

    @Test("a batch that its destination kept in part comes again whole")
    func destinationDies() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(4)
        let fails = Noted(1)
        let recorder = Recorder { _ in
            let isFailing = fails { count -> Bool in
                count -= 1
                return count >= 0
            }
            if isFailing { throw Death() }
        }
        let watcher = world.watcher(pageSize: 3)
        try await watcher.deliver(to: recorder, named: "test")
        let first = try await watcher.sync()
        #expect(first.failures.count == 1 && recorder.batches.isEmpty)
        #expect(try await watcher.sync().isComplete)
        #expect(recorder.added.count == 4)
    }

    @Test("two watchers over one transactional destination hand over each change once")
    func twoWatchers() async throws {
        let world = try await WatcherWorld()
        let saved = try await world.saveMasses(200)
        let ledger = Ledger()
        let watchers = [world.watcher(pageSize: 3), world.watcher(pageSize: 5)]
        for watcher in watchers { try await watcher.mirror(into: ledger) }
        try await withThrowingTaskGroup { group in
            for watcher in watchers { group.addTask { _ = try await watcher.sync() } }
            try await group.waitForAll()
        }
        let told = await ledger.batches.flatMap(\.added)
        #expect(told.count == 200 && Set(told) == Set(saved))
    }
}
