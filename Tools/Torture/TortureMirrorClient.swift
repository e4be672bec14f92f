import Foundation
import GRDB
import HealthSync
import OpenHealthKit

/// The client that uses HealthSync: a watcher, a mirror in a file, and write-through.
struct MirrorClient: SyncClient {
    private let environment: ClientEnvironment
    private let watcher: Watcher
    private let mirror: Mirror
    private let writing: WriteThrough

    static let launch: ClientLaunch = { try await MirrorClient($0) }

    init(_ environment: ClientEnvironment) async throws {
        self.environment = environment
        let (store, now, probe) = (environment.store, environment.now, environment.probe)
        mirror = try Mirror(
            at: Self.file(in: environment.folder), configuration: MirrorConfiguration(now: now),
            probe: probe)
        var configuration = Watcher.Configuration()
        configuration.pageSize = environment.pageSize
        configuration.retryDelays = [.milliseconds(5)]
        configuration.backgroundDelivery = .off
        watcher = Watcher(
            store: store, types: environment.types.map { TrackedType($0.sampleType) },
            positions: mirror, configuration: configuration, now: now, probe: probe)
        writing = WriteThrough(store: store, mirror: mirror, now: now, probe: probe)
        try await watcher.mirror(into: mirror)
        try await watcher.deliver(to: environment.ledger, named: "ledger")
        try await watcher.deliver(to: environment.recorder, named: "recorder")
    }

    private static func file(in folder: URL) -> URL { folder.appending(path: "mirror.sqlite") }

    // MARK: Reading

    func start() async { await watcher.start() }

    func sync() async throws { _ = try await watcher.sync() }

    func reconcile() async throws {
        let types = await watcher.trackedTypes
        _ = try await mirror.reconcile(
            types, over: .everything, with: environment.store, now: environment.now)
    }

    func track(_ type: ScheduledType) async { await watcher.track(TrackedType(type.sampleType)) }

    func untrack(_ type: ScheduledType) async {
        await watcher.untrack(TrackedType(type.sampleType))
    }

    func end() async { await watcher.stop() }

    // MARK: Writing

    func log(_ weight: ClientWeight) async throws -> ClientResult {
        try await clientResult { _ = try await writing.log(draft(weight)) }
    }

    func edit(_ id: UUID, to weight: ClientWeight) async throws -> ClientResult {
        try await clientResult { _ = try await writing.edit(id, to: draft(weight)) }
    }

    func remove(_ id: UUID) async throws -> ClientResult {
        try await clientResult { try await writing.remove(id) }
    }

    func recover() async throws { _ = try await writing.recover() }

    private func draft(_ weight: ClientWeight) -> Draft {
        Draft(
            HKQuantityType(.bodyMass), weight.kilograms, unit: .gramUnit(with: .kilo),
            at: weight.date)
    }

    private func clientResult(of work: () async throws -> Void) async throws -> ClientResult {
        do {
            try await work()
            return .acknowledged
        } catch let refusal as WriteError {
            return refusal.isJournalled ? .pending : .refused
        }
    }

    // MARK: Showing

    func entries() async throws -> [ClientEntry] {
        try await mirror.entries(EntryRequest()).compactMap(ClientEntry.init)
    }

    func notes() async throws -> [ClientNote] {
        let ids = try await mirror.entries(EntryRequest()).map(\.id)
        let attached = try await mirror.attachments(of: ids).values.flatMap { $0 }
        return try await (attached + mirror.unattached()).compactMap { attachment in
            guard case .note(let text) = attachment.content else { return nil }
            return ClientNote(
                text: text, entry: attachment.target.entry, isAttached: attachment.isAttached)
        }
    }

    func attach(_ note: String, to id: UUID) async throws -> ClientResult {
        do {
            try await mirror.attach(.note(note), to: id)
            return .acknowledged
        } catch is MirrorError {
            return .refused
        }
    }

    // MARK: Damage

    func losePositions(_ loss: PositionLoss) throws {
        // Probes are synchronous, since many are called within transactions, so this uses a
        // connection of its own instead of the mirror's asynchronous functions.
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        let file = Self.file(in: environment.folder)
        let other = try DatabaseQueue(path: file.path, configuration: configuration)
        let (sql, arguments): (String, StatementArguments) =
            switch loss {
            case .forgotten: ("DELETE FROM position", [])
            case .foreign: ("UPDATE position SET anchor = ?", [SyncPosition.foreignAnchor])
            }
        try other.write { db in try db.execute(sql: sql, arguments: arguments) }
    }
}

extension ClientEntry {
    /// Converts an entry of the mirror. Returns nil if no schedule uses its type or unit.
    init?(_ entry: MirrorEntry) {
        guard let type = ScheduledType(identifier: entry.type) else { return nil }
        let value: Double
        switch entry.content {
        case .quantity(let number, let unit):
            guard unit == type.unit?.unitString else { return nil }
            value = number
        case .category(let number): value = Double(number)
        case .workout, .none: return nil
        }
        self.init(
            id: entry.id, type: type, start: entry.start, end: entry.end, value: value,
            bundleIdentifier: entry.bundleIdentifier, isSynced: entry.state == .synced)
    }
}
