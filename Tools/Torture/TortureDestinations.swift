import Foundation
import HealthSync
import OpenHealthKit
import Synchronization

/// A change as delivered to a destination.
struct HandedChange: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable { case history, added, deleted }

    var key: PositionKey
    /// The number of times that the key's reader had started from the beginning; always 0 in a
    /// ``TortureRecorder``.
    var beginning: Int
    var kind: Kind
    var uuid: UUID

    init(_ key: PositionKey, _ beginning: Int, _ kind: Kind, _ uuid: UUID) {
        self.key = key
        self.beginning = beginning
        self.kind = kind
        self.uuid = uuid
    }

    static func changes(of batch: ChangeBatch, beginning: Int) -> [HandedChange] {
        let kind: Kind = batch.origin == .history ? .history : .added
        return batch.added.map { HandedChange(batch.key, beginning, kind, $0.uuid) }
            + batch.deleted.map { HandedChange(batch.key, beginning, .deleted, $0.uuid) }
    }
}

/// A destination that stores a batch and its position atomically.
final class TransactionalRecorder: TransactionalDestination {
    private struct State {
        var positions: [PositionKey: SyncPosition] = [:]
        var beginnings: [PositionKey: Int] = [:]
        var changes: [HandedChange] = []
    }

    private let state = Mutex(State())

    var changes: [HandedChange] { state.withLock { $0.changes } }

    func take(_ batch: ChangeBatch) async throws {
        try state.withLock { state in
            guard state.positions[batch.key] == batch.from else { throw SyncError.positionMoved }
            state.positions[batch.key] = batch.to
            state.changes += HandedChange.changes(
                of: batch, beginning: state.beginnings[batch.key] ?? 0)
        }
    }

    func position(for key: PositionKey) async throws -> SyncPosition? {
        state.withLock { $0.positions[key] }
    }

    func setPosition(
        _ position: SyncPosition, for key: PositionKey, expecting expected: SyncPosition?
    ) async throws {
        try state.withLock { state in
            guard state.positions[key] == expected else { throw SyncError.positionMoved }
            // This position is before the whole history: the reader starts from the beginning.
            if position.phase == .history(before: .distantFuture) {
                state.beginnings[key, default: 0] += 1
            }
            state.positions[key] = position
        }
    }

    func removePositions(_ keys: Set<PositionKey>) async throws {
        state.withLock { state in for key in keys { state.positions[key] = nil } }
    }

    func positionKeys() async throws -> Set<PositionKey> {
        state.withLock { Set($0.positions.keys) }
    }

    /// Deletes every position, or replaces its anchor by that of another store.
    func lose(_ loss: PositionLoss) {
        state.withLock { state in
            for (key, position) in state.positions {
                state.positions[key] = loss == .forgotten ? nil : position.foreign
            }
        }
    }
}

/// A destination that records changes and stores no positions.
final class TortureRecorder: ChangeDestination {
    private let state: Mutex<[HandedChange]>
    private let receive: @Sendable (HandedChange) -> Void

    /// - Parameters:
    ///   - changes: The changes that earlier processes received.
    ///   - receive: Called for every change.
    init(
        _ changes: [HandedChange] = [],
        receive: @escaping @Sendable (HandedChange) -> Void = { _ in }
    ) {
        state = Mutex(changes)
        self.receive = receive
    }

    var changes: [HandedChange] { state.withLock { $0 } }

    func take(_ batch: ChangeBatch) async throws {
        let changes = HandedChange.changes(of: batch, beginning: 0)
        for change in changes { receive(change) }
        state.withLock { $0 += changes }
    }
}

extension SyncPosition {
    /// The position with an anchor of another store.
    var foreign: SyncPosition {
        SyncPosition(anchor: Self.foreignAnchor, phase: phase, caughtUp: caughtUp)
    }

    /// The archived anchor of another store.
    static var foreignAnchor: Data {
        let anchor = HKQueryAnchor(_number: 1, store: "another", fingerprint: nil)
        let data = try? NSKeyedArchiver.archivedData(
            withRootObject: anchor, requiringSecureCoding: true)
        return data ?? Data([0])
    }
}
