import Foundation
import HealthSync
import OpenHealthKit
import Synchronization

@testable import torture

/// A common mistake of HealthKit mirrors.
enum ClassicFault: String, CaseIterable, Sendable {
    case anchorBeforeData, deletionsIgnored, oneAnchorByCount, timestampsAsAnchors, resurrection
    case absenceTakenForDeletion
}

/// The persistent data of a ``SimpleClient``: values in place of a file.
final class SimpleClientStorage: Sendable {
    struct Row: Hashable, Sendable {
        var entry: ClientEntry
        var syncIdentifier: String?
        var version: Int
    }

    struct Intent: Hashable, Sendable {
        var identifier: String
        var version: Int
        var weight: ClientWeight
    }

    struct Note: Hashable, Sendable {
        var text: String
        var entry: UUID
        var syncIdentifier: String?
        var bundleIdentifier: String
        var isAttached = true
    }

    struct State: Sendable {
        var rows: [UUID: Row] = [:]
        var notes: [Note] = []
        var intents: [String: Intent] = [:]
        var anchors: [String: Data] = [:]
        var caughtUp: [String: Date] = [:]
        var lastRead: [String: Date] = [:]
        /// Versions of the app's own samples that are known to be deleted.
        var deletedVersions: [String: Int] = [:]
        var changes = 0
    }

    let state = Mutex(State())
}

/// The persistent data of one test's clients, by folder.
final class SimpleClientStorages: Sendable {
    private let disks = Mutex<[String: SimpleClientStorage]>([:])

    func disk(_ folder: URL) -> SimpleClientStorage {
        disks.withLock { disks in
            if let disk = disks[folder.path] { return disk }
            let disk = SimpleClientStorage()
            disks[folder.path] = disk
            return disk
        }
    }
}

/// The completion handler that HealthKit waits for.
// HealthKit's documentation allows calls from any thread, but its type doesn't declare that.
private struct Completion: @unchecked Sendable {
    let call: HKObserverQueryCompletionHandler
}

/// The simplest correct client, or one with a classic fault, to test the torture tool itself.
actor SimpleClient: SyncClient {
    let environment: ClientEnvironment
    let disk: SimpleClientStorage
    let fault: ClassicFault?
    var types: [ScheduledType]
    private var observer: HKObserverQuery?
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Returns a function that launches clients with or without a fault.
    static func launch(_ fault: ClassicFault? = nil) -> ClientLaunch {
        let disks = SimpleClientStorages()
        return { SimpleClient($0, disks.disk($0.folder), fault) }
    }

    init(_ environment: ClientEnvironment, _ disk: SimpleClientStorage, _ fault: ClassicFault?) {
        self.environment = environment
        self.disk = disk
        self.fault = fault
        types = environment.types
    }

    var store: HKHealthStore { environment.store }

    nonisolated func reach(_ step: SyncStep) throws { try environment.probe.reached(step) }

    /// Commits all changes of a body or none.
    func transaction(_ body: (inout SimpleClientStorage.State) throws -> Void) throws {
        var state = disk.state.withLock { $0 }
        try reach(.transactionBegun)
        state.changes += 1
        try body(&state)
        try reach(.rowsWritten)
        try reach(.positionWritten)
        disk.state.withLock { [state] in $0 = state }
        try reach(.transactionCommitted)
    }

    /// Runs one body at a time.
    func exclusively<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        if isBusy {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isBusy = true
        }
        defer { if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() } }
        return try await body()
    }

    // MARK: SyncClient

    func start() async {
        let query = HKObserverQuery(
            queryDescriptors: types.map {
                HKQueryDescriptor(sampleType: $0.sampleType, predicate: nil)
            }
        ) { [weak self] _, _, completion, _ in
            let completion = Completion(call: completion)
            Task {
                do {
                    try self?.reach(.woken)
                    try await self?.sync()
                } catch {}
                completion.call()
                try? self?.reach(.completionCalled)
            }
        }
        observer = query
        store.execute(query)
    }

    func sync() async throws {
        try await exclusively { for type in types { try await read(type) } }
    }

    func end() async { if let observer { store.stop(observer) } }

    func track(_ type: ScheduledType) async { if !types.contains(type) { types.append(type) } }

    func untrack(_ type: ScheduledType) async { types.removeAll { $0 == type } }

    func entries() async throws -> [ClientEntry] {
        disk.state.withLock { $0.rows.values.map(\.entry) }
    }

    func notes() async throws -> [ClientNote] {
        disk.state.withLock { state in
            state.notes.map {
                ClientNote(text: $0.text, entry: $0.entry, isAttached: $0.isAttached)
            }
        }
    }

    func attach(_ note: String, to id: UUID) async throws -> ClientResult {
        try await exclusively {
            guard let row = disk.state.withLock({ $0.rows[id] }) else { return .refused }
            try transaction { state in
                state.notes.append(
                    SimpleClientStorage.Note(
                        text: note, entry: id, syncIdentifier: row.syncIdentifier,
                        bundleIdentifier: row.entry.bundleIdentifier))
            }
            return .acknowledged
        }
    }

    nonisolated func losePositions(_ loss: PositionLoss) throws {
        disk.state.withLock { state in
            for (key, anchor) in state.anchors {
                let position = SyncPosition(anchor: anchor, phase: .changes, caughtUp: .distantPast)
                state.anchors[key] = loss == .forgotten ? nil : position.foreign.anchor
            }
        }
    }
}

extension SimpleClientStorage.State {
    mutating func store(_ sample: HKSample, _ type: ScheduledType) {
        guard let entry = ClientEntry(sample, type) else { return }
        rows[sample.uuid] = SimpleClientStorage.Row(
            entry: entry, syncIdentifier: sample.metadata?[HKMetadataKeySyncIdentifier] as? String,
            version: (sample.metadata?[HKMetadataKeySyncVersion] as? NSNumber)?.intValue ?? 0)
        moveNotes()
    }

    mutating func remove(_ uuid: UUID, _ identifier: String?, _ version: Int?) {
        if let identifier {
            deletedVersions[identifier] = max(deletedVersions[identifier] ?? 0, version ?? 0)
        }
        rows[uuid] = nil
        moveNotes()
    }

    /// Moves notes to the replacement of their sample.
    private mutating func moveNotes() {
        for index in notes.indices {
            let note = notes[index]
            if rows[note.entry] != nil {
                notes[index].isAttached = true
                continue
            }
            let successor = rows.values.first {
                note.syncIdentifier != nil && $0.syncIdentifier == note.syncIdentifier
                    && $0.entry.bundleIdentifier == note.bundleIdentifier
            }
            notes[index].isAttached = successor != nil
            if let successor { notes[index].entry = successor.entry.id }
        }
    }
}
