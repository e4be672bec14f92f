import Foundation
import GRDB
import HealthSync
import OpenHealthKit

/// The real client: a watcher, a mirror and write-through, on files.
struct MirrorClient: SyncClient {
    private let surroundings: ClientEnvironment
    private let watcher: Watcher
    private let mirror: Mirror
    private let writing: WriteThrough

    static let launch: ClientLaunch = { try await MirrorClient($0) }

    init(_ surroundings: ClientEnvironment) async throws {
        self.surroundings = surroundings
        let (store, now, probe) = (surroundings.store, surroundings.now, surroundings.probe)
        mirror = try Mirror(
            at: Self.file(in: surroundings.folder), configuration: MirrorConfiguration(now: now),
            probe: probe)
        var configuration = Watcher.Configuration()
        configuration.pageSize = surroundings.pageSize
        configuration.pauses = [.milliseconds(5)]
        configuration.backgroundDelivery = .off
        watcher = Watcher(
            store: store, types: surroundings.types.map { TrackedType($0.sampleType) },
            positions: mirror, configuration: configuration, now: now, probe: probe)
        writing = WriteThrough(store: store, mirror: mirror, now: now, probe: probe)
        try await watcher.mirror(into: mirror)
        try await watcher.deliver(to: surroundings.ledger, named: "ledger")
        try await watcher.deliver(to: surroundings.recorder, named: "recorder")
    }

    private static func file(in folder: URL) -> URL { folder.appending(path: "mirror.sqlite") }

    // MARK: Reading

    func start() async { await watcher.start() }

    func sync() async throws { _ = try await watcher.sync() }

    func reconcile() async throws {
        let types = await watcher.trackedTypes
        _ = try await mirror.reconcile(
            types, over: .everything, with: surroundings.store, now: surroundings.now)
    }

    func track(_ type: ScheduledType) async { await watcher.track(TrackedType(type.sampleType)) }

    func untrack(_ type: ScheduledType) async {
        await watcher.untrack(TrackedType(type.sampleType))
    }

    func end() async { await watcher.stop() }

    // MARK: Writing

    func log(_ weight: ClientWeight) async throws -> ClientResult {
        try await answering { _ = try await writing.log(draft(weight)) }
    }

    func edit(_ id: UUID, to weight: ClientWeight) async throws -> ClientResult {
        try await answering { _ = try await writing.edit(id, to: draft(weight)) }
    }

    func remove(_ id: UUID) async throws -> ClientResult {
        try await answering { try await writing.remove(id) }
    }

    func recover() async throws { _ = try await writing.recover() }

    private func draft(_ weight: ClientWeight) -> Draft {
        Draft(
            HKQuantityType(.bodyMass), weight.kilograms, unit: .gramUnit(with: .kilo),
            at: weight.date)
    }

    private func answering(_ work: () async throws -> Void) async throws -> ClientResult {
        do {
            try await work()
            return .acknowledged
        } catch let refusal as WriteError {
            return refusal.isJournalled ? .unsettled : .refused
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
                text: text, entry: attachment.place.entry, isAttached: attachment.isAttached)
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
        let file = Self.file(in: surroundings.folder)
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
    /// Creates an entry from one of the mirror; nil for a type or unit that no schedule uses.
    init?(_ entry: Entry) {
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
