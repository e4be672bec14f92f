import Foundation
import GRDB
import HealthEngine
import HealthStorage
import Testing

@testable import HealthSync
@testable import OpenHealthKit

/// A probe that ends the work once at a step.
final class Kill: Sendable {
    private let state = LockedBox<(step: SyncStep?, times: Int, isDone: Bool)>((nil, 1, false))
    private let also = LockedBox<@Sendable (SyncStep) throws -> Void>({ _ in })

    func arm(_ step: SyncStep, time: Int = 1) { state { $0 = (step, time, false) } }
    func disarm() { state { $0.step = nil } }
    func failing(_ body: @escaping @Sendable (SyncStep) throws -> Void) { also { $0 = body } }
    /// Whether it has been triggered since it was armed.
    var isDone: Bool { state { $0.isDone } }

    var probe: SyncProbe {
        SyncProbe { step in
            try self.also { $0 }(step)
            try self.state { state in
                guard state.step == step else { return }
                state.times -= 1
                guard state.times <= 0 else { return }
                state.step = nil
                state.isDone = true
                throw Killed()
            }
        }
    }
}

/// A store with two apps, a mirror of the first one, and a manual clock.
struct WritesWorld {
    static let mass = HKQuantityType(.bodyMass)
    static let kilo = HKUnit.gramUnit(with: .kilo)
    static let noon = Date(timeIntervalSinceReferenceDate: 700_000_000)

    let store: HKHealthStore
    let other: HKHealthStore
    let mirror: Mirror
    let kill = Kill()
    let clock = LockedBox(Self.noon)

    init(answer: AuthorizationDecision = .granted, file: URL? = nil) async throws {
        var storing = HealthStoreConfiguration()
        storing.diagnosticsSummary = .excluded
        store = .inMemory(
            identity: AppIdentity("com.example.weights", name: "Weights"), configuration: storing)
        other = store.withIdentity(AppIdentity("com.example.scale", name: "Scale"))
        try store.setAuthorization(answer, for: [Self.mass])
        try other.setAuthorization(.granted, for: [Self.mass])
        let clock = clock
        let configuration = MirrorConfiguration(now: { clock { $0 } })
        mirror =
            if let file {
                try Mirror(at: file, configuration: configuration, probe: kill.probe)
            } else {
                try Mirror.inMemory(configuration: configuration, probe: kill.probe)
            }
    }

    func writing(_ store: HKHealthStore? = nil) -> WriteThrough {
        let clock = clock
        return WriteThrough(
            store: store ?? self.store, mirror: mirror, now: { clock { $0 } }, probe: kill.probe)
    }

    func draft(
        _ value: Double = 82.4, at seconds: TimeInterval = 0, id: String = UUID().uuidString
    ) -> Draft {
        Draft(
            Self.mass, value, unit: Self.kilo, at: Self.noon.addingTimeInterval(seconds), id: id)
    }

    @discardableResult
    func reconcile(
        _ span: ReconciledSpan = .everything, _ types: [TrackedType]? = nil
    ) async throws -> ReconciliationReport {
        let clock = clock
        return try await mirror.reconcile(
            types ?? [TrackedType(Self.mass)], over: span, with: store, now: { clock { $0 } })
    }

    /// Applies all changes, like a watcher.
    func sync() async throws {
        let clock = clock
        let watcher = Watcher(
            store: store, types: [TrackedType(Self.mass)], positions: mirror,
            now: { clock { $0 } })
        try await watcher.mirror(into: mirror)
        let summary = try await watcher.sync()
        #expect(summary.isComplete)
    }

    func save(
        _ value: Double, at seconds: TimeInterval, by app: HKHealthStore? = nil,
        sync: (id: String, version: Int)? = nil
    ) async throws -> HKQuantitySample {
        let date = Self.noon.addingTimeInterval(seconds)
        var metadata: [String: Any] = [:]
        if let sync {
            metadata[HKMetadataKeySyncIdentifier] = sync.id
            metadata[HKMetadataKeySyncVersion] = NSNumber(value: sync.version)
        }
        let sample = HKQuantitySample(
            type: Self.mass, quantity: HKQuantity(unit: Self.kilo, doubleValue: value), start: date,
            end: date, metadata: metadata)
        try await (app ?? other).save(sample)
        return sample
    }

    /// Returns the samples that the app can read.
    func visible() async throws -> [HKSample] {
        let query = HKSampleQueryDescriptor<HKSample>(
            predicates: [.sample(type: Self.mass)],
            sortDescriptors: [SortDescriptor(\.startDate)])
        return try await query.result(for: store)
    }

    /// Returns all stored samples, regardless of permissions.
    func stored() async throws -> [HKSample] {
        let all = store.withIdentity(AppIdentity("com.example.observer"))
        try all.setAuthorization(.granted, for: [Self.mass])
        let query = HKSampleQueryDescriptor<HKSample>(
            predicates: [.sample(type: Self.mass)],
            sortDescriptors: [SortDescriptor(\.startDate)])
        return try await query.result(for: all)
    }

    /// Deletes samples as the user does in the Health app.
    func personDeletes(_ samples: [HKSample]) async throws {
        let meant = Set(samples.map(\.uuid))
        for sample in try await stored() where meant.contains(sample.uuid) {
            let bundle = sample.sourceRevision.source.bundleIdentifier
            try await store.withIdentity(AppIdentity(bundle)).deleteAsPerson(sample)
        }
    }

    var photoNames: [String] { mirror.photos.names }

    func purgeTombstones() throws {
        _ = try store.connection.store.purgeTombstones(through: .max)
    }

    func entries(_ states: Set<MirrorEntry.State> = [.synced]) async throws -> [MirrorEntry] {
        var request = EntryRequest(of: Self.mass)
        request.states = states
        request.order = .oldestFirst
        return try await mirror.entries(request)
    }

    func reason(_ work: () async throws -> Void) async throws -> WriteError.Reason? {
        do {
            try await work()
            return nil
        } catch let refusal as WriteError {
            return refusal.reason
        }
    }
}

extension HKHealthStore {
    /// Deletes a sample regardless of the app's permission to share.
    func deleteAsPerson(_ sample: HKSample) async throws {
        let store = try connection.store
        try store.delete([SampleUUID(sample.uuid)], by: identity.bundleIdentifier)
    }
}

extension MirrorEntry {
    /// The body mass in kilograms.
    var kilograms: Double? {
        guard case .quantity(let value, "kg") = content else { return nil }
        return value
    }
}

extension WritesWorld {
    /// Returns a probe under which the user deletes samples at a step and the mirror applies it
    /// immediately.
    func deleting(
        _ samples: [HKSample]? = nil, at step: SyncStep,
        from mirror: @escaping @Sendable () -> Mirror?
    ) -> SyncProbe {
        let isDone = LockedBox(false)
        let store = store
        return SyncProbe { reached in
            guard reached == step, !isDone({ $0 }) else { return }
            isDone { $0 = true }
            guard let mirror = mirror() else { return }
            try mirror.database.write { db in
                try Mirror.raiseChangeCount(db)
                let meant =
                    try samples?.map(\.uuid) ?? PendingWrite.all(db).flatMap(\.payload.attempts)
                for uuid in meant {
                    try store.deleteNow(uuid)
                    try mirror.remove(
                        uuid,
                        provenBy: .tombstone(
                            type: Self.mass.identifier, syncIdentifier: nil, syncVersion: nil),
                        db)
                }
            }
        }
    }
}

extension HKHealthStore {
    /// Deletes an object that either app has saved, synchronously.
    fileprivate func deleteNow(_ uuid: UUID) throws {
        let store = try connection.store
        for app in ["com.example.weights", "com.example.scale"] {
            do {
                return try store.delete([SampleUUID(uuid)], by: app)
            } catch {
                continue
            }
        }
    }
}

/// A disk that is full at the n-th transaction.
struct FailingDisk {
    let world: WritesWorld

    init(_ world: WritesWorld) { self.world = world }

    func writing(failing number: Int) throws -> WriteThrough {
        let clock = world.clock
        let count = LockedBox(0)
        let probe = SyncProbe { step in
            guard step == .rowsWritten else { return }
            let current = count { count in
                count += 1
                return count
            }
            if current == number { throw MirrorError.diskFull }
        }
        // The mirror's own probe is used, since the same in-memory file can't be opened twice.
        world.kill.failing { try probe.reached($0) }
        return WriteThrough(store: world.store, mirror: world.mirror, now: { clock { $0 } })
    }
}

extension WritesWorld {
    /// Checks that the mirror's synced entries equal the visible samples in all fields.
    func expectSame(_ what: String) async throws {
        let entries = try await entries()
        let samples = try await visible().compactMap { $0 as? HKQuantitySample }
        let mirrored = Set(entries.map { EntryText($0) })
        let shown = Set(samples.map { EntryText($0) })
        #expect(mirrored == shown, "\(what)")
        #expect(entries.count == samples.count, "\(what)")
    }

    /// Changes a value in the mirror's entry of a sample.
    func corrupt(_ uuid: UUID) async throws {
        try await mirror.write { db in
            try db.execute(sql: "UPDATE entry SET value = 1 WHERE uuid = ?", arguments: [uuid])
        }
    }

    /// Writes invalid content into the journal.
    func damageJournal(_ identifier: String) async throws {
        try await mirror.write { db in
            try db.execute(
                sql: "UPDATE intent SET draft = '{}' WHERE sync_identifier = ?",
                arguments: [identifier])
        }
    }

    /// Copies the visible samples into another mirror, together with some that were deleted.
    func copyEntries(to other: Mirror, also gone: [UUID: Double]) async throws {
        let samples = try await visible()
        let made = gone.map { uuid, value in
            TestSample(uuid: uuid, value: value, bundle: "com.example.weights").sample
        }
        try await other.write { db in
            for sample in samples + made { try other.upsert(sample, db) }
            try other.rememberOwnBundle("com.example.weights", db)
        }
    }
}

/// The fields that an entry and a sample have in common.
struct EntryText: Hashable {
    let id: UUID
    let start: Date
    let end: Date
    let kilograms: Double
    let bundle: String

    init(_ entry: MirrorEntry) {
        id = entry.id
        start = entry.start
        end = entry.end
        kilograms = entry.kilograms ?? .infinity
        bundle = entry.bundleIdentifier
    }

    init(_ sample: HKQuantitySample) {
        id = sample.uuid
        start = sample.startDate
        end = sample.endDate
        kilograms = sample.quantity.doubleValue(for: WritesWorld.kilo)
        bundle = sample.sourceRevision.source.bundleIdentifier
    }
}

extension WritesWorld {
    /// Returns the sync identifiers whose samples pending writes replace or remove.
    func pendingRemovals() async throws -> Set<String> {
        try await mirror.read { db in
            Set(try PendingWrite.all(db).filter { $0.replaces != nil }.map(\.identifier))
        }
    }
}
