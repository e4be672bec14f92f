/// A type that receives batches of changes.
///
/// Batches of one ``PositionKey`` are delivered serially and in order. If ``receive(_:)`` throws,
/// or the process ends before the position is stored, the changes are delivered again. Every change
/// is therefore delivered at least once.
public protocol ChangeDestination: Sendable {
    /// Processes a batch.
    ///
    /// - Parameter batch: The batch. It is not delivered again once the method has returned and its
    ///   position is stored.
    /// - Throws: Any error, to get the changes again after a pause.
    func receive(_ batch: ChangeBatch) async throws
}

/// A store of the positions up to which subscribers have read.
public protocol PositionStore: Sendable {
    /// Returns the position of a key.
    ///
    /// - Parameter key: The subscriber, type and filter.
    /// - Returns: The position; nil if none is stored.
    /// - Throws: The errors of the store.
    func position(for key: PositionKey) async throws -> SyncPosition?

    /// Replaces a position if the stored one is as expected (compare and swap).
    ///
    /// - Parameters:
    ///   - position: The new position.
    ///   - key: The subscriber, type and filter.
    ///   - expected: The position that must be stored at present; nil for none.
    /// - Throws: ``SyncError/positionMoved`` if the stored position is not the expected one;
    ///   nothing is changed. Otherwise the errors of the store.
    func setPosition(
        _ position: SyncPosition, for key: PositionKey, expecting expected: SyncPosition?
    ) async throws

    /// Removes positions. The readers of these keys then start as at their first run.
    ///
    /// - Parameter keys: The keys; those without a position are ignored.
    /// - Throws: The errors of the store.
    func removePositions(_ keys: Set<PositionKey>) async throws

    /// Returns all keys that have a position.
    ///
    /// - Returns: The keys of all subscribers.
    /// - Throws: The errors of the store.
    func positionKeys() async throws -> Set<PositionKey>
}

/// A destination that stores each batch and its position in one transaction.
///
/// ``ChangeDestination/receive(_:)`` must store the batch together with the position
/// ``ChangeBatch/to``. If the stored position of the batch's key is not ``ChangeBatch/from``, it
/// must throw ``SyncError/positionMoved`` and store nothing. Each batch is then stored exactly
/// once.
public protocol TransactionalDestination: ChangeDestination, PositionStore {}

/// A page of one type's changes, with the reader's positions before and after it.
public struct ChangeBatch: Sendable {
    /// Why samples are delivered.
    public enum Origin: Hashable, Sendable {
        /// The samples already existed when reading began: at the first run, or after a lost
        /// position or a reset.
        case history
        /// The samples were saved or deleted since the position before the batch.
        case changes
    }

    /// The subscriber, type and filter.
    public let key: PositionKey
    /// The type of the samples.
    public let sampleType: HKSampleType
    /// Why the samples are delivered.
    public let origin: Origin
    /// The samples: changes in the order in which they were saved, history by start, newest first.
    public let added: [HKSample]
    /// The deleted samples, including ones that were never delivered as added.
    public let deleted: [HKDeletedObject]
    /// The position before the batch; nil if none was stored.
    public let from: SyncPosition?
    /// The position to store after the batch.
    public let to: SyncPosition
}
