public import Foundation
import GRDB

/// A writer that saves a person's input to HealthKit first, then to the mirror (write-through).
///
/// ```swift
/// let writing = WriteThrough(store: store, mirror: mirror)
/// for recovery in try await writing.recover() { tell(recovery) }   // at launch, after an unlock
/// let entry = try await writing.log(draft)
/// ```
/// A write is recorded in the journal, saved to HealthKit and read back. One transaction then
/// creates the entry with its attachments and removes the write from the journal. If the process
/// ends in between, ``recover()`` checks what HealthKit has and completes the write. A write never
/// creates two samples, and never restores a sample that the person has deleted meanwhile. The
/// journal is stored in the mirror's file; queries of entries don't include it.
///
/// Cancellation of the task has an effect only until the work starts; after that the work is
/// completed.
/// Several instances can write through one mirror, also in several processes.
public actor WriteThrough {
    let store: HKHealthStore
    let mirror: Mirror
    let now: @Sendable () -> Date
    let lifetime: TimeInterval
    let probe: SyncProbe
    var own: OwnSamples { OwnSamples(store: store) }

    /// Creates a writer for a store and its mirror.
    ///
    /// - Parameters:
    ///   - store: The health store.
    ///   - mirror: The mirror of the store. It also stores the journal.
    ///   - tombstoneLifetime: How long HealthKit is assumed to keep tombstones, in seconds; seven
    ///     days by default. A pending write that is older, and whose sample is not found, is not
    ///     repeated automatically.
    ///   - now: Returns the current date. It determines the age of a pending write.
    public init(
        store: HKHealthStore, mirror: Mirror, tombstoneLifetime: TimeInterval = Tombstones.lifetime,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            store: store, mirror: mirror, tombstoneLifetime: tombstoneLifetime, now: now,
            probe: .none)
    }

    package init(
        store: HKHealthStore, mirror: Mirror, tombstoneLifetime: TimeInterval = Tombstones.lifetime,
        now: @escaping @Sendable () -> Date = { Date() }, probe: SyncProbe
    ) {
        self.store = store
        self.mirror = mirror
        lifetime = tombstoneLifetime
        self.now = now
        self.probe = probe
    }

    /// Saves the sample of a draft to HealthKit, then creates its entry in the mirror.
    ///
    /// Once the entry exists and no write of it is pending, writing the draft again returns the
    /// entry. It saves nothing, not even changed metadata or attachments. It fails with
    /// ``WriteError/Reason/notVisible`` if the entry is marked as
    /// ``MirrorEntry/State/notVisible``. It fails with ``WriteError/Reason/deleted`` if the mirror
    /// has recorded the sample's deletion. A draft with the same identifier and another value or
    /// other times fails with ``WriteError/Reason/conflict(version:)``, unless the entry was edited
    /// since: then the present entry is returned.
    ///
    /// - Parameter draft: The sample to write, with its attachments.
    /// - Returns: The entry.
    /// - Throws: ``WriteError``. See there for the cases in which the write stays in the journal.
    @discardableResult
    public func log(_ draft: Draft) async throws(WriteError) -> MirrorEntry {
        try await shielded(draft) { try await self.write(draft) }
    }

    /// Replaces an entry of one of the app's own samples with a draft.
    ///
    /// Saves a new sample with the same sync identifier and the next version. The entry's
    /// attachments move to the new sample; the draft's attachments are added.
    ///
    /// ```swift
    /// var draft = try #require(Draft(entry))
    /// draft.content = .quantity(82.1, unit: "kg")
    /// let changed = try await writing.edit(entry.id, to: draft)
    /// ```
    /// - Parameters:
    ///   - id: The entry's UUID.
    ///   - draft: The new values, of the same type. Its identifier is ignored.
    /// - Returns: The new entry.
    /// - Throws: ``WriteError``: ``WriteError/Reason/conflict(version:)`` if HealthKit has a
    ///   version that the mirror doesn't have yet; `notOwn`, `notVisible`, `notReplaceable`,
    ///   `unknownEntry`; and the reasons of ``log(_:)``.
    @discardableResult
    public func edit(_ id: UUID, to draft: Draft) async throws(WriteError) -> MirrorEntry {
        try await shielded(draft) { try await self.replace(id, by: draft) }
    }

    /// Deletes one of the app's own samples from HealthKit and its entry from the mirror. Call it
    /// only at a person's request.
    ///
    /// - Parameters:
    ///   - id: The entry's UUID.
    ///   - attachments: Whether the entry's attachments are kept.
    /// - Throws: ``WriteError``: `notOwn`, `notVisible`, `unknownEntry`, `deleted`, and the
    ///   reasons of HealthKit and the mirror, such as `denied`, `locked`, `disk` and `unconfirmed`.
    public func remove(
        _ id: UUID, attachments: AttachmentDeleteRule = .kept
    ) async throws(WriteError) {
        try await shielded(nil) { try await self.delete(id, attachments) }
    }

    /// Completes the pending writes and removals that a crash, a locked device or a full disk has
    /// left in the journal.
    ///
    /// Call it at launch and after the device was unlocked. Writes that cannot be completed now
    /// stay in the journal and are returned again by the next call.
    ///
    /// - Returns: The result of each pending write or removal, the oldest first. Those that another
    ///   process completes meanwhile may be omitted.
    /// - Throws: ``MirrorError`` if the journal cannot be read or written; `CancellationError`.
    @discardableResult
    public func recover() async throws -> [Recovery] {
        try Task.checkCancellation()
        return try await Task { try await self.recoverAll() }.value
    }

    /// Returns the drafts in the journal, the oldest first: writes in progress and writes to be
    /// recovered. Removals have no draft.
    ///
    /// - Returns: The drafts; unreadable ones are skipped.
    /// - Throws: ``MirrorError``.
    public func pending() async throws -> [Draft] {
        try await mirror.read { db in try PendingWrite.all(db).compactMap(\.draft) }
    }

    /// Removes a pending write or removal from the journal. If HealthKit has saved the sample, it
    /// stays in HealthKit.
    ///
    /// - Parameter id: The identifier of a draft from ``pending()`` or a ``Recovery``, or that of
    ///   ``Recovery/unreadable(_:)``. For an edit or a removal, it is the entry's sync identifier;
    ///   without one, the UUID's text. Ignored if the journal doesn't contain it.
    /// - Throws: ``MirrorError``.
    public func abandon(_ id: Draft.ID) async throws {
        try await mirror.write { db in try PendingWrite.remove(id, db) }
    }

    /// Runs work in a task of its own, so that cancellation does not interrupt it. Errors other
    /// than ``WriteError`` become ``WriteError/Reason/interrupted``.
    private func shielded<Value: Sendable>(
        _ draft: Draft?, _ work: @escaping @Sendable () async throws -> Value
    ) async throws(WriteError) -> Value {
        if Task.isCancelled { throw WriteError(.cancelled, draft) }
        do {
            return try await Task { try await work() }.value
        } catch let refusal as WriteError {
            throw refusal
        } catch {
            throw WriteError(.interrupted, draft, error)
        }
    }
}

/// Whether the attachments of a removed entry are kept.
public enum AttachmentDeleteRule: String, Hashable, Sendable, Codable {
    /// The attachments are kept unattached; see ``Mirror/unattached()``.
    case kept
    /// The attachments are removed with the entry.
    case removed
}
