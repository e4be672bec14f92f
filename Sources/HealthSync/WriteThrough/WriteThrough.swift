public import Foundation
import GRDB

/// Writes what a person enters to HealthKit first, and to the mirror once HealthKit has it.
///
/// ```swift
/// let writing = WriteThrough(store: store, mirror: mirror)
/// for recovery in try await writing.recover() { tell(recovery) }   // at launch, after an unlock
/// let entry = try await writing.log(draft)
/// ```
/// A wish is journalled, saved, read back, and becomes an entry with what hangs on it in the
/// transaction that takes it out of the journal. Wherever a process dies in between, ``recover()``
/// finds out what HealthKit has and ends it: one sample, never two, and none that the person deleted
/// meanwhile. The journal is in the mirror's file; no view shows it.
///
/// A task's cancellation counts until the wish is journalled; from there on the work goes on to its
/// end. Several may write through one mirror, in several processes too.
public actor WriteThrough {
    let store: HKHealthStore
    let mirror: Mirror
    let now: @Sendable () -> Date
    let lifetime: TimeInterval
    let probe: SyncProbe
    var own: OwnSamples { OwnSamples(store: store) }

    /// A way through a store into a mirror of it.
    ///
    /// - Parameters:
    ///   - tombstoneLifetime: How long HealthKit is trusted to keep deletions, in seconds; a wish
    ///     that is older and not found isn't carried out again by itself.
    ///   - now: The time of day, for how old a wish is.
    public init(
        store: HKHealthStore, mirror: Mirror, tombstoneLifetime: TimeInterval = 7 * 86_400,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            store: store, mirror: mirror, tombstoneLifetime: tombstoneLifetime, now: now,
            probe: .none)
    }

    package init(
        store: HKHealthStore, mirror: Mirror, tombstoneLifetime: TimeInterval = 7 * 86_400,
        now: @escaping @Sendable () -> Date = { Date() }, probe: SyncProbe
    ) {
        self.store = store
        self.mirror = mirror
        lifetime = tombstoneLifetime
        self.now = now
        self.probe = probe
    }

    /// Writes a sample.
    ///
    /// The draft logged again gives the entry that it became, as it is now, and writes nothing; it is
    /// refused if HealthKit no longer shows that, or the person has deleted it.
    ///
    /// - Throws: ``WriteRefusal``; see there for what stays in the journal.
    @discardableResult
    public func log(_ draft: Draft) async throws(WriteRefusal) -> Entry {
        try await shielded(draft) { try await self.write(draft) }
    }

    /// Replaces an own entry by what a draft says: a new sample under the same sync identifier, in the
    /// next version. What hangs on the entry goes over to it; what the draft brings is added.
    ///
    /// ```swift
    /// var draft = try #require(Draft(entry))
    /// draft.content = .quantity(82.1, unit: "kg")
    /// let changed = try await writing.edit(entry.id, to: draft)
    /// ```
    /// - Throws: ``WriteRefusal``: ``WriteRefusal/Reason/conflict(version:)`` if HealthKit has a
    ///   version that the mirror hasn't seen yet, `notOwn`, `notVisible`, `notReplaceable`,
    ///   `unknownEntry`, and as ``log(_:)``.
    @discardableResult
    public func edit(_ id: UUID, to draft: Draft) async throws(WriteRefusal) -> Entry {
        try await shielded(draft) { try await self.replace(id, by: draft) }
    }

    /// Deletes an own sample in HealthKit, since the person wishes it, and its entry with it.
    ///
    /// - Parameter attachments: What becomes of what hangs on it.
    /// - Throws: ``WriteRefusal``: `notOwn`, `notVisible`, `unknownEntry`, `denied`, `locked`, `disk`.
    public func remove(
        _ id: UUID, attachments: AttachmentFate = .kept
    ) async throws(WriteRefusal) {
        try await shielded(nil) { try await self.delete(id, attachments) }
    }

    /// Ends what a crash, a lock or a full disk left in the journal.
    ///
    /// Call it at launch and after an unlock. What can't be ended now stays, and is told again.
    ///
    /// - Throws: ``MirrorError`` if the journal can't be read or written.
    @discardableResult
    public func recover() async throws -> [Recovery] {
        try Task.checkCancellation()
        return try await Task { try await self.settleAll() }.value
    }

    /// The drafts in the journal, oldest first: what is being written, or waits to be settled.
    public func pending() async throws -> [Draft] {
        try await mirror.read { db in try Intent.all(db).compactMap(\.draft) }
    }

    /// Forgets a wish that waits in the journal; what HealthKit has of it stays there.
    ///
    /// - Parameter id: The draft's.
    public func abandon(_ id: Draft.ID) async throws {
        try await mirror.write { db in try Intent.remove(id, db) }
    }

    /// Carries out what no cancellation may cut in half.
    private func shielded<Value: Sendable>(
        _ draft: Draft?, _ work: @escaping @Sendable () async throws -> Value
    ) async throws(WriteRefusal) -> Value {
        if Task.isCancelled { throw WriteRefusal(.cancelled, draft) }
        do {
            return try await Task { try await work() }.value
        } catch let refusal as WriteRefusal {
            throw refusal
        } catch {
            throw WriteRefusal(.interrupted, draft, error)
        }
    }
}

/// What becomes of what hangs on an entry that is removed.
public enum AttachmentFate: String, Hashable, Sendable, Codable {
    /// It is kept, listed by ``Mirror/unattached()``.
    case kept
    /// It is removed too.
    case removed
}
