import Foundation
import HealthSync
import OpenHealthKit
import Testing

@Suite struct WatcherPagingTests {
    static let modes: [HealthStoreConfiguration.TombstoneLimit] = [
        .samplesOnly, .samplesAndDeletions,
    ]

    @Test(
        "all changes are delivered, however tombstones count towards the page size",
        arguments: modes, [1, 2, 3, 7])
    func countingModes(
        mode: HealthStoreConfiguration.TombstoneLimit, pageSize: Int
    ) async throws {
        var configuration = HealthStoreConfiguration()
        configuration.tombstoneLimit = mode
        let world = try await WatcherWorld(configuration: configuration)
        let recorder = Recorder()
        let watcher = world.watcher(pageSize: pageSize)
        try await watcher.deliver(to: recorder, named: "test")
        try await watcher.sync()
        let samples = (0..<12).map { world.mass(80, at: Double($0) * 60) }
        for sample in samples { try await world.store.save(sample) }
        try await watcher.sync()
        for sample in samples[2..<9] { try await world.store.delete(sample) }
        try await watcher.sync()
        #expect(recorder.content == Set((samples[..<2] + samples[9...]).map(\.uuid)))
        #expect(recorder.deleted.sorted() == samples[2..<9].map(\.uuid).sorted())
    }

    @Test("pages with only deletions are progress", arguments: modes)
    func deleteOnly(mode: HealthStoreConfiguration.TombstoneLimit) async throws {
        var configuration = HealthStoreConfiguration()
        configuration.tombstoneLimit = mode
        let world = try await WatcherWorld(configuration: configuration)
        let samples = (0..<6).map { world.mass(80, at: Double($0) * 60) }
        try await world.store.save(samples)
        let recorder = Recorder()
        let watcher = world.watcher(pageSize: 2)
        try await watcher.deliver(to: recorder, named: "test")
        try await watcher.sync()
        try await world.store.delete(samples)
        try await watcher.sync()
        #expect(recorder.content.isEmpty)
        #expect(recorder.batches.filter { $0.origin == .changes }.allSatisfy { $0.added.isEmpty })
        let batches = recorder.batches.count
        try await watcher.sync()
        #expect(recorder.batches.count == batches)
    }

    @Test("each subscriber gets the samples that its filter selects")
    func filters() async throws {
        let world = try await WatcherWorld()
        let scale = world.store.withIdentity(AppIdentity("com.example.scale", name: "Scale"))
        try await scale.requestAuthorization(
            toShare: [WatcherWorld.mass], read: [WatcherWorld.mass])
        let own = HKQuery.predicateForObjects(from: [world.store.identity.source])
        let recorder = Recorder()
        let watcher = Watcher(
            store: world.store,
            types: [
                TrackedType(WatcherWorld.mass),
                TrackedType(WatcherWorld.mass, where: own, named: "own"),
            ], positions: world.file)
        try await watcher.deliver(to: recorder, named: "test")
        try await scale.save(world.mass(80))
        try await watcher.sync()
        #expect(recorder.added.count == 1)
        let mine = world.mass(81, at: 60)
        try await world.store.save(mine)
        try await watcher.sync()
        #expect(recorder.added.filter { $0 == mine.uuid }.count == 2)
        #expect(recorder.added.count == 3)
    }

    @Test("a save through a second handle of a file wakes the watcher of the first")
    func secondHandle() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "watcher-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "health.sqlite").path
        let mass = WatcherWorld.mass
        let reading = try HKHealthStore(path: path, identity: AppIdentity("com.example.reads"))
        let writing = try HKHealthStore(path: path, identity: AppIdentity("com.example.writes"))
        try await reading.requestAuthorization(toShare: [], read: [mass])
        try await writing.requestAuthorization(toShare: [mass], read: [])
        let recorder = Recorder()
        let watcher = Watcher(
            store: reading, types: [TrackedType(mass)],
            positions: try PositionFile(at: folder.appending(path: "positions.sqlite")))
        try await watcher.deliver(to: recorder, named: "test")
        await watcher.start()
        let sample = HKQuantitySample(
            type: mass, quantity: HKQuantity(unit: .gram(), doubleValue: 80_000), start: Date(),
            end: Date())
        try await writing.save(sample)
        await eventually { recorder.added == [sample.uuid] }
        await watcher.stop()
    }
}
