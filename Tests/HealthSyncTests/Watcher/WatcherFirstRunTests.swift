import Foundation
import HealthSync
import OpenHealthKit
import Testing

@Suite struct WatcherFirstRunTests {
    @Test("the first run delivers the whole history, newest first, page by page")
    func everything() async throws {
        let world = try await WatcherWorld()
        let saved = try await world.saveMasses(25)
        let recorder = Recorder()
        let watcher = world.watcher(pageSize: 10)
        try await watcher.deliver(to: recorder, named: "test")
        let summary = try await watcher.sync()
        #expect(recorder.added == saved.reversed())
        #expect(recorder.batches.allSatisfy { $0.origin == .history })
        #expect(recorder.batches.count == 3)
        #expect(summary.added == 25 && summary.isComplete)
        #expect(try await watcher.sync().batches == 0)
    }

    @Test("more samples of one start than fit in a page are delivered together, each once")
    func equalStarts() async throws {
        let world = try await WatcherWorld()
        let early = try await world.saveMasses(3)
        let together = (0..<9).map { _ in world.mass(80, at: 600) }
        try await world.store.save(together)
        let late = try await world.saveMasses(3, from: 900)
        let recorder = Recorder()
        let watcher = world.watcher(pageSize: 4)
        try await watcher.deliver(to: recorder, named: "test")
        try await watcher.sync()
        #expect(recorder.added.sorted() == (early + late + together.map(\.uuid)).sorted())
    }

    @Test("no page size loses or repeats samples at a page boundary", arguments: 1...8)
    func borders(pageSize: Int) async throws {
        let world = try await WatcherWorld()
        // Groups of one to four samples that start at the same time.
        let samples = [1, 3, 2, 4, 1, 2].enumerated().flatMap { group, count in
            (0..<count).map { _ in world.mass(80, at: Double(group) * 60) }
        }
        try await world.store.save(samples)
        let recorder = Recorder()
        let watcher = world.watcher(pageSize: pageSize)
        try await watcher.deliver(to: recorder, named: "test")
        try await watcher.sync()
        #expect(recorder.added.sorted() == samples.map(\.uuid).sorted())
    }

    @Test("a window excludes earlier samples, but not those saved later")
    func window() async throws {
        let world = try await WatcherWorld()
        let saved = try await world.saveMasses(10)
        let since = world.start.addingTimeInterval(300)
        let recorder = Recorder()
        let watcher = world.watcher(firstRun: .window(since: since), pageSize: 2)
        try await watcher.deliver(to: recorder, named: "test")
        try await watcher.sync()
        #expect(recorder.added == saved[5...].reversed())
        let late = try await world.saveMasses(1, from: -40_000)
        try await watcher.sync()
        #expect(recorder.batches.last?.added == late)
        #expect(recorder.batches.last?.origin == .changes)
    }

    @Test("a first run from now on delivers only later changes")
    func fromNow() async throws {
        let world = try await WatcherWorld()
        let old = world.mass(81)
        try await world.store.save(old)
        let recorder = Recorder()
        let watcher = world.watcher(firstRun: .fromNow)
        try await watcher.deliver(to: recorder, named: "test")
        try await watcher.sync()
        #expect(recorder.batches.isEmpty)
        try await world.store.delete(old)
        let late = try await world.saveMasses(1, from: -40_000)
        try await watcher.sync()
        #expect(recorder.added == late && recorder.deleted == [old.uuid])
    }

    @Test("if the first run is changed to \"from now on\", the history ends and the anchor stays")
    func changedMind() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(10)
        let (crashing, _) = crash(at: .positionStored, 3)
        let first = world.watcher(pageSize: 3, probe: crashing)
        try await first.deliver(to: Recorder(), named: "test")
        await #expect(throws: SimulatedCrash.self) { try await first.sync() }
        let meanwhile = try await world.saveMasses(1, from: 6000)
        let recorder = Recorder()
        let second = world.watcher(firstRun: .fromNow, pageSize: 3)
        try await second.deliver(to: recorder, named: "test")
        try await second.sync()
        #expect(recorder.added == meanwhile)
    }

    @Test("a sample saved between the anchor and the first page is not lost")
    func savedAfterAnchor() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(5)
        let newest = world.mass(79, at: 6000)
        let oldest = world.mass(79, at: -6000)
        let store = world.store
        let watcher = world.watcher(
            pageSize: 2, probe: probe(at: .anchorTaken) { store.saveNow([newest, oldest]) })
        let recorder = Recorder()
        try await watcher.deliver(to: recorder, named: "test")
        try await watcher.sync()
        #expect(recorder.content.count == 7)
        #expect(recorder.content.isSuperset(of: [newest.uuid, oldest.uuid]))
    }

    @Test("a sample deleted while the history is read is finally deleted", arguments: 1...5)
    func deletedDuringHistory(page: Int) async throws {
        let world = try await WatcherWorld()
        let samples = (0..<7).map { world.mass(80, at: Double($0) * 60) }
        try await world.store.save(samples)
        let store = world.store
        let watcher = world.watcher(
            pageSize: 3,
            probe: probe(at: .pageRead, page) { store.deleteNow([samples[0], samples[6]]) })
        let recorder = Recorder()
        try await watcher.deliver(to: recorder, named: "test")
        try await watcher.sync()
        try await watcher.sync()
        #expect(recorder.content == Set(samples[1...5].map(\.uuid)))
    }

    @Test(
        "a sample saved while the history is read is delivered, wherever it starts",
        arguments: 1...5)
    func savedDuringHistory(page: Int) async throws {
        let world = try await WatcherWorld()
        let samples = (0..<7).map { world.mass(80, at: Double($0) * 60) }
        try await world.store.save(samples)
        let more = [-100, 60, 200, 600].map { world.mass(79, at: $0) }
        let store = world.store
        let watcher = world.watcher(
            pageSize: 3, probe: probe(at: .pageRead, page) { store.saveNow(more) })
        let recorder = Recorder()
        try await watcher.deliver(to: recorder, named: "test")
        try await watcher.sync()
        try await watcher.sync()
        #expect(recorder.content == Set((samples + more).map(\.uuid)))
    }
}
