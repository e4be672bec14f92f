import Foundation
import HealthKit
import HealthSync
import HealthTesting
import Testing

/// The examples in HealthSync's doc comments: watchers, handlers and positions.
@Suite struct WatcherExamplesTests {
    let store = HKHealthStore.inMemory()
    let mass = HKQuantityType(.bodyMass)
    let start = Date(timeIntervalSinceReferenceDate: 796_899_600)
    private let temporary: TemporaryFolder
    private var folder: URL { URL(fileURLWithPath: temporary.path) }

    init() async throws {
        temporary = try TemporaryFolder()
        try await store.requestAuthorization(toShare: [mass], read: [mass])
    }

    private func saveWeight() async throws {
        try await store.save(
            HKQuantitySample(
                type: mass, quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 82.4),
                start: start, end: start))
    }

    @Test("a watcher with a handler can be started and stopped")
    func watcher() async throws {
        let file = try PositionFile()
        let watcher = Watcher(
            store: HKHealthStore(), types: [TrackedType(HKQuantityType(.bodyMass))],
            positions: file)
        try await watcher.on(.bodyMass, unit: .gramUnit(with: .kilo)) { change in
            for mass in change.added { print(mass.value) }
        }
        await watcher.start()
        await watcher.stop()
    }

    @Test("a watcher pushes its changes to a server on this machine that does not answer")
    func push() async throws {
        let watcher = Watcher(
            store: store, types: [TrackedType(mass)], positions: try PositionFile())
        let token = "secret"
        let target = try PushTarget(url: URL(string: "https://home.example")!, token: token)
        #expect(target.url.host() == "home.example")
        let ended = Task {
            let push = try await watcher.push(to: target)
            await watcher.start()
            for await state in push.states { show(state.activity, state.records.received) }
        }
        // Before the first sample there is nothing to send.
        ended.cancel()
        _ = await ended.result
        await watcher.stop()
    }

    private func show(_ activity: PushState.Activity, _ received: Int) {}

    @Test("a type can be tracked with or without a filter")
    func trackedTypes() {
        let watchOnly = HKQuery.predicateForObjects(
            from: AppIdentity("com.example.watch", name: "Watch").source)
        let types = [
            TrackedType(HKQuantityType(.bodyMass)),
            TrackedType(HKQuantityType(.stepCount), where: watchOnly, named: "watch"),
        ]
        #expect(types.map(\.filterName) == ["", "watch"])
    }

    @Test("a handler updates a diary")
    func handler() async throws {
        let protein = HKQuantityType(.dietaryProtein)
        try await store.requestAuthorization(toShare: [protein], read: [protein])
        let diary = ProteinDiary()
        let watcher = Watcher(
            store: store, types: [TrackedType(protein)], positions: try PositionFile())
        try await watcher.on(.dietaryProtein, unit: .gram()) { change in
            for meal in change.added { diary[meal.id] = meal.value }
            for id in change.deleted { diary[id] = nil }
        }
        let meal = HKQuantitySample(
            type: protein, quantity: HKQuantity(unit: .gram(), doubleValue: 30), start: start,
            end: start)
        try await store.save(meal)
        try await watcher.sync()
        #expect(diary[meal.uuid] == 30)
        try await store.delete(meal)
        try await watcher.sync()
        #expect(diary[meal.uuid] == nil)
    }

    @Test("a loop over batches sends each to a server")
    func batches() async throws {
        try await saveWeight()
        let watcher = Watcher(
            store: store, types: [TrackedType(mass)], positions: try PositionFile())
        await watcher.start()
        // The server ends the loop after the first batch.
        await #expect(throws: UploadServer.Received(count: 1)) {
            try await upload(from: watcher, to: UploadServer())
        }
        await watcher.stop()
    }

    private func upload(from watcher: Watcher, to server: UploadServer) async throws {
        for try await batch in watcher.batches(of: [HKQuantityType(.bodyMass)], named: "upload") {
            try await server.send(batch)
        }
    }

    @Test("a handler for nights can be added for sleep")
    func nights() async throws {
        let summary = NightSummary()
        let watcher = Watcher(
            store: store, types: [TrackedType(HKCategoryType(.sleepAnalysis))],
            positions: try PositionFile())
        try await watcher.onNights(calendar: .current, debounce: .seconds(5)) { nights in
            for night in nights { try await summary.compute(night.interval) }
        }
        #expect(await summary.intervals.isEmpty)
    }

    @Test("positions can be stored in a file")
    func positionFile() async throws {
        let types = [TrackedType(HKQuantityType(.bodyMass))]
        let file = try PositionFile(at: folder.appending(path: "positions.sqlite"))
        let watcher = Watcher(store: store, types: types, positions: file)
        #expect(try await watcher.sync().isComplete)
    }

    @Test("a mirror stores positions and entries")
    func mirror() async throws {
        try await saveWeight()
        let types = [TrackedType(HKQuantityType(.bodyMass))]
        let mirror = try Mirror.inMemory()
        let watcher = Watcher(store: store, types: types, positions: mirror)
        try await watcher.mirror(into: mirror)
        await watcher.start()
        try await watcher.sync()
        #expect(try await mirror.count(EntryRequest()) == 1)
        await watcher.stop()
    }
}

/// Protein by sample, for a handler that runs on any thread.
// Unchecked: the values are read and changed under the lock only.
private final class ProteinDiary: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [UUID: Double] = [:]

    subscript(id: UUID) -> Double? {
        get { lock.withLock { values[id] } }
        set { lock.withLock { values[id] = newValue } }
    }
}

/// A server that reports each batch as an error.
private struct UploadServer {
    struct Received: Error, Equatable { let count: Int }

    func send(_ batch: ChangeBatch) async throws { throw Received(count: batch.added.count) }
}

/// The nights that were computed.
private actor NightSummary {
    private(set) var intervals: [DateInterval] = []

    func compute(_ interval: DateInterval) throws { intervals.append(interval) }
}
