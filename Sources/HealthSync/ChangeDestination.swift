/// Where changes go.
///
/// Batches of one key come one at a time and in order. A batch whose call throws, or is cut off by a
/// crash, comes again: every change is handed over at least once.
public protocol ChangeDestination: Sendable {
    /// Keeps a batch; once this returns, the batch does not come again.
    func take(_ batch: ChangeBatch) async throws
}

/// Where readers' positions are kept.
public protocol PositionStore: Sendable {
    /// The position of a key; nil before its first.
    func position(for key: PositionKey) async throws -> SyncPosition?

    /// Replaces a position.
    ///
    /// - Throws: ``SyncError/positionMoved`` if the stored one isn't `expected`; nothing is stored.
    func setPosition(
        _ position: SyncPosition, for key: PositionKey, expecting expected: SyncPosition?
    ) async throws

    /// Forgets positions: the keys' readers begin anew.
    func removePositions(_ keys: Set<PositionKey>) async throws

    /// Every key that has a position.
    func positionKeys() async throws -> Set<PositionKey>
}

/// A destination that keeps each batch and its position in one transaction: no change comes twice.
///
/// ``ChangeDestination/take(_:)`` throws ``SyncError/positionMoved`` and keeps nothing unless the stored
/// position of the batch's key equals ``ChangeBatch/from``; it stores ``ChangeBatch/to``.
public protocol TransactionalDestination: ChangeDestination, PositionStore {}
