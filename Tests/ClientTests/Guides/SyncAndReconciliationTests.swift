import Foundation
import HealthKit
import HealthSync
import HealthTesting
import Testing

/// Keeps body mass in a mirror, and writes new values through it.
final class WeightSync: Sendable {
    let mirror: Mirror
    let watcher: Watcher
    let writing: WriteThrough

    init(store: HKHealthStore, mirror: Mirror) async throws {
        self.mirror = mirror
        watcher = Watcher(
            store: store, types: [TrackedType(HKQuantityType(.bodyMass))], positions: mirror)
        writing = WriteThrough(store: store, mirror: mirror)
        try await watcher.mirror(into: mirror)
    }

    /// Call it at each launch, also when HealthKit launches the app in the background.
    func start() async throws -> [Recovery] {
        await watcher.start()
        return try await writing.recover()
    }
}

extension WeightSync {
    /// Saves a draft. Returns the message to show if it was not saved.
    func save(_ draft: Draft) async -> String? {
        do {
            try await writing.log(draft)
            return nil
        } catch {
            // `error.draft` has the person's input.
            return error.sentence
        }
    }

    /// Returns the drafts on which the person has to decide.
    func undecided(_ recoveries: [Recovery]) -> [Draft] {
        var drafts: [Draft] = []
        for recovery in recoveries {
            switch recovery {
            case .conflict(let draft, version: _), .undecided(let draft): drafts.append(draft)
            default: break
            }
        }
        return drafts
    }
}

/// The protein of meals, by sample.
actor Meals {
    private(set) var protein: [UUID: Double] = [:]

    func apply(_ change: QuantityChange) {
        for value in change.added { protein[value.id] = value.value }
        for id in change.deleted { protein[id] = nil }
    }
}

/// The snippets of the article "Sync and reconciliation".
@Suite struct SyncAndReconciliationTests {
    let mass = HKQuantityType(.bodyMass)
    let date = Date(timeIntervalSinceReferenceDate: 796_899_600)
    let store: HKHealthStore
    let scale: HKHealthStore
    let mirror: Mirror
    private let temporary: TemporaryFolder
    private var folder: URL { URL(fileURLWithPath: temporary.path) }

    init() async throws {
        temporary = try TemporaryFolder()
        store = .inMemory(identity: AppIdentity("com.example.diary", name: "Diary"))
        scale = store.withIdentity(AppIdentity("com.example.scale", name: "Scale"))
        mirror = try Mirror.inMemory()
        try await store.requestAuthorization(toShare: [mass], read: [mass])
        try await scale.requestAuthorization(toShare: [mass], read: [])
    }

    private func weight(_ kilograms: Double) -> HKQuantitySample {
        HKQuantitySample(
            type: mass, quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms),
            start: date, end: date)
    }

    @Test("a sample of another app becomes an entry of the mirror")
    func reading() async throws {
        let sync = try await WeightSync(store: store, mirror: mirror)
        try await scale.save(weight(82.4))
        try await sync.watcher.sync()
        let entries = try await sync.mirror.entries(of: HKQuantityType(.bodyMass), limit: 30)
        #expect(entries.map(\.sourceName) == ["Scale"])
        #expect(entries.first?.content == .quantity(82.4, unit: "kg"))
    }

    @Test("an entry is saved in HealthKit first, and its notes remain after its deletion")
    func writing() async throws {
        let sync = try await WeightSync(store: store, mirror: mirror)
        var draft = Draft(
            HKQuantityType(.bodyMass), 82.4, unit: .gramUnit(with: .kilo), at: date)
        draft.attachments = [.note("after the holidays")]
        let entry = try await sync.writing.log(draft)
        #expect(entry.state == .synced)

        try await sync.writing.remove(entry.id)
        #expect(try await sync.mirror.entry(entry.id) == nil)
        let notes = try await sync.mirror.unattached()
        #expect(notes.map(\.content) == [.note("after the holidays")])
    }

    @Test("a denied write is explained and leaves no pending write")
    func denied() async throws {
        let sync = try await WeightSync(store: store, mirror: mirror)
        try store.setAuthorization(.denied, for: [mass])
        let draft = Draft(mass, 82.4, unit: .gramUnit(with: .kilo), at: date)
        #expect(await sync.save(draft) != nil)
        #expect(try await sync.writing.pending().isEmpty)
    }

    @Test("a write while the device is locked is completed after the unlock")
    func locked() async throws {
        let sync = try await WeightSync(store: store, mirror: mirror)
        store.protectedData.lock()
        let draft = Draft(mass, 82.4, unit: .gramUnit(with: .kilo), at: date)
        #expect(await sync.save(draft) != nil)
        store.protectedData.unlock()
        let recoveries = try await sync.writing.recover()
        #expect(recoveries.count == 1)
        #expect(sync.undecided(recoveries).isEmpty)
        #expect(try await sync.mirror.entries(of: mass).count == 1)
    }

    @Test("a handler receives additions and deletions, each at least once")
    func handler() async throws {
        let protein = HKQuantityType(.dietaryProtein)
        try await store.requestAuthorization(toShare: [protein], read: [protein])
        let meal = HKQuantitySample(
            type: protein, quantity: HKQuantity(unit: .gram(), doubleValue: 30), start: date,
            end: date)
        let meals = Meals()
        let watcher = Watcher(
            store: store, types: [TrackedType(protein)],
            positions: try PositionFile(at: folder.appending(path: "positions.sqlite")))
        try await watcher.on(.dietaryProtein, unit: .gram(), named: "meals") { change in
            await meals.apply(change)
        }

        try await store.save(meal)
        try await watcher.sync()
        #expect(await meals.protein == [meal.uuid: 30])

        try await store.delete(meal)
        try await watcher.sync()
        #expect(await meals.protein.isEmpty)
    }

    @Test("unreadable entries are kept as not visible, and return with the permission")
    func reconciliation() async throws {
        let sync = try await WeightSync(store: store, mirror: mirror)
        let sample = weight(82.4)
        try await scale.save(sample)
        try await sync.watcher.sync()

        try store.setAuthorization(.shareOnly, for: [mass])
        let report = try await mirror.reconcile(
            [TrackedType(mass)], over: .everything, with: store)
        #expect(report.hidden == 1)
        #expect(report.removed == 0)
        #expect(try await mirror.entry(sample.uuid)?.state == .notVisible)

        try store.setAuthorization(.granted, for: [mass])
        let second = try await mirror.reconcile(
            [TrackedType(mass)], over: .everything, with: store)
        #expect(second.shownAgain == 1)
    }

    @Test("a mirror that lacks samples is found and repaired")
    func verification() async throws {
        try await scale.save(weight(82.4))
        let report = try await mirror.verify([TrackedType(mass)], against: store)
        #expect(report.days.count == 1)
        if !report.isClean { try await mirror.repair(report, against: store) }
        #expect(try await mirror.verify([TrackedType(mass)], against: store).isClean)
    }
}
