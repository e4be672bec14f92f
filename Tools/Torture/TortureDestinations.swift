import Foundation
import HealthSync
import OpenHealthKit
import Synchronization

/// A change as delivered to a destination.
struct DeliveredChange: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable { case history, added, deleted }

    var key: PositionKey
    /// The number of times that the key's reader had started from the beginning; always 0 in a
    /// ``TortureRecorder``.
    var startCount: Int
    var kind: Kind
    var uuid: UUID

    init(_ key: PositionKey, _ startCount: Int, _ kind: Kind, _ uuid: UUID) {
        self.key = key
        self.startCount = startCount
        self.kind = kind
        self.uuid = uuid
    }

    static func changes(of batch: ChangeBatch, startCount: Int) -> [DeliveredChange] {
        let kind: Kind = batch.origin == .history ? .history : .added
        return batch.added.map { DeliveredChange(batch.key, startCount, kind, $0.uuid) }
            + batch.deleted.map { DeliveredChange(batch.key, startCount, .deleted, $0.uuid) }
    }
}

/// A destination in memory that stores the changes of a batch and the new position atomically.
final class TransactionalRecorder: TransactionalDestination {
    private struct State {
        var positions: [PositionKey: SyncPosition] = [:]
        var startCounts: [PositionKey: Int] = [:]
        var changes: [DeliveredChange] = []
    }

    private let state = Mutex(State())

    var changes: [DeliveredChange] { state.withLock { $0.changes } }

    func receive(_ batch: ChangeBatch) async throws {
        try state.withLock { state in
            guard state.positions[batch.key] == batch.from else { throw SyncError.positionMoved }
            state.positions[batch.key] = batch.to
            state.changes += DeliveredChange.changes(
                of: batch, startCount: state.startCounts[batch.key] ?? 0)
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
                state.startCounts[key, default: 0] += 1
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
    private let state: Mutex<[DeliveredChange]>
    private let onChange: @Sendable (DeliveredChange) -> Void

    /// Creates a destination.
    ///
    /// - Parameters:
    ///   - changes: The changes that the destination received in earlier processes.
    ///   - onChange: Called for every further change.
    init(
        _ changes: [DeliveredChange] = [],
        onChange: @escaping @Sendable (DeliveredChange) -> Void = { _ in }
    ) {
        state = Mutex(changes)
        self.onChange = onChange
    }

    var changes: [DeliveredChange] { state.withLock { $0 } }

    func receive(_ batch: ChangeBatch) async throws {
        let changes = DeliveredChange.changes(of: batch, startCount: 0)
        for change in changes { onChange(change) }
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
