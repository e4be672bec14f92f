import Foundation
import HealthKit
import HealthSync

/// Weights in step with Health; one for the app's life, made in `didFinishLaunching`.
final class SyncedWeights: Sendable {
    private let store: HKHealthStore
    private let mirror: Mirror
    private let watcher: Watcher
    private let writing: WriteThrough

    init(store: HKHealthStore = HKHealthStore(), folder: URL) throws {
        self.store = store
        mirror = try Mirror(at: folder.appendingPathComponent("mirror.sqlite"))
        watcher = Watcher(
            store: store, types: [TrackedType(HKQuantityType(.bodyMass))], positions: mirror)
        writing = WriteThrough(store: store, mirror: mirror)
    }

    /// At each launch, also when HealthKit launches the app in the background.
    func start() async throws -> [Recovery] {
        try await watcher.mirror(into: mirror)
        await watcher.start()
        return try await writing.recover()
    }

    /// When the person turns it on.
    func connect() async throws {
        let mass: Set = [HKQuantityType(.bodyMass)]
        try await store.requestAuthorization(toShare: mass, read: mass)
        await watcher.wake()
    }

    /// For a view: now, and after each change.
    var latest: AsyncThrowingStream<[MirrorEntry], any Error> {
        mirror.observeEntries(EntryRequest(of: HKQuantityType(.bodyMass)))
    }

    func log(_ kilograms: Double, note: String) async throws -> MirrorEntry {
        var draft = Draft(
            HKQuantityType(.bodyMass), kilograms, unit: .gramUnit(with: .kilo), at: Date())
        draft.attachments = [.note(note)]
        return try await writing.log(draft)
    }
}
