/// A type that receives batches of existing samples and of changes.
///
/// A watcher delivers the batches of one ``PositionKey`` serially and in order, and those of
/// different keys possibly at the same time. If ``receive(_:)`` throws, or the process ends before
/// the position is stored, the samples and deletions are delivered again, possibly in other
/// batches. Each is therefore delivered at least once, except deletions whose records HealthKit
/// removes before they are read.
public protocol ChangeDestination: Sendable {
    /// Processes a batch.
    ///
    /// - Parameter batch: The batch. It is not delivered again once the method has returned and the
    ///   batch's position is stored, unless that position is later lost or removed.
    /// - Throws: Any error, to get the samples and deletions again after a delay
    ///   (``Watcher/Configuration/retryDelays``). After the last delay, they are delivered again
    ///   only at the next ``Watcher/start()`` or ``Watcher/sync()``. If the error means a full disk
    ///   or a locked device, the last delay repeats instead.
    func receive(_ batch: ChangeBatch) async throws
}

/// A store of the positions up to which subscribers have read.
public protocol PositionStore: Sendable {
    /// Returns the stored position of a subscriber in a type and filter.
    ///
    /// - Parameter key: The subscriber, type and filter.
    /// - Returns: The position; nil if none is stored.
    /// - Throws: The errors of the store.
    func position(for key: PositionKey) async throws -> SyncPosition?

    /// Stores a position, if the one stored for the key is as expected (compare and swap).
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

    /// Removes stored positions. When a subscriber next reads the type and filter of a removed key,
    /// it starts as at its first run.
    ///
    /// - Parameter keys: The keys; those without a position are ignored.
    /// - Throws: The errors of the store.
    func removePositions(_ keys: Set<PositionKey>) async throws

    /// Returns all keys for which a position is stored.
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

/// A page of one type's existing samples or changes, with the reader's positions before and after
/// it.
public struct ChangeBatch: Sendable {
    /// Whether a batch contains existing samples or changes.
    public enum Origin: Hashable, Sendable {
        /// Existing samples, which are read at the first run, and after a lost position or a reset.
        /// A sample that is saved while they are read may be among them. It is then also delivered
        /// in a batch of ``changes``.
        case history
        /// Samples saved or deleted after ``SyncPosition/anchor`` of the position before the batch.
        case changes
    }

    /// The subscriber, type and filter for which the batch was read.
    public let key: PositionKey
    /// The type of the added and deleted samples.
    public let sampleType: HKSampleType
    /// Whether the batch contains existing samples, or changes after the position before it.
    public let origin: Origin
    /// The existing samples of ``Origin/history`` by start, newest first; or the saved samples of
    /// ``Origin/changes``, in the order in which they were saved.
    public let added: [HKSample]
    /// The deleted samples of ``Origin/changes``, including ones that were never delivered as
    /// added. Empty for ``Origin/history``.
    public let deleted: [HKDeletedObject]
    /// The reader's position before the batch. A ``TransactionalDestination`` rejects the batch if
    /// another position is stored. Nil means that none is stored. That does not occur in a batch
    /// from a ``Watcher``, which stores a position before the first batch.
    public let from: SyncPosition?
    /// The reader's position after the batch, to be stored with the batch or once it has been
    /// processed.
    public let to: SyncPosition
}
