public import Foundation

/// The result of one pending write or removal after ``WriteThrough/recover()``.
public enum Recovery: Sendable {
    /// HealthKit has the sample, and the mirror now has its entry.
    case acknowledged(MirrorEntry)
    /// The saved sample was deleted meanwhile, or the one that an edit was to replace. The draft is
    /// not written again and has left the journal. Its attachments are kept unattached.
    case deleted(Draft)
    /// The removal was completed: the sample with this UUID is deleted, and its entry is removed.
    case removed(UUID)
    /// HealthKit has another sample with the same sync identifier and an equal or higher version.
    /// `version` is that sample's version; nil if it is not known. The write stays in the journal
    /// until ``WriteThrough/abandon(_:)``, or until the draft or the entry is written again.
    case conflict(Draft, version: Int?)
    /// The write or removal cannot be completed now. It stays in the journal, and the next
    /// ``WriteThrough/recover()`` tries again.
    case waiting(WriteError)
    /// HealthKit does not show the sample, and it is no longer known whether it was saved and
    /// deleted. The write stays in the journal. ``WriteThrough/log(_:)`` or
    /// ``WriteThrough/edit(_:to:)`` writes it again; ``WriteThrough/abandon(_:)`` removes it.
    case undecided(Draft)
    /// The removal of the sample with this UUID was not completed. It is older than the time for
    /// which HealthKit is assumed to keep tombstones, and HealthKit does not show the sample. The
    /// entry stays, and the removal has left the journal.
    case notRemoved(UUID)
    /// The journal's record with this identifier is damaged, incomplete or written by a later
    /// version. It stays until ``WriteThrough/abandon(_:)``.
    case unreadable(String)
}

/// The state of a pending write in HealthKit.
enum PendingWriteStatus: Equatable {
    /// HealthKit has the written sample, or one with equal version, times and value.
    case found(HKSample)
    /// HealthKit has another sample with the same sync identifier and an equal or higher version.
    case conflict(version: Int?)
    /// The written sample, or the sample that it replaces, was deleted.
    case deleted
    /// Neither the written sample nor a deletion of it was found. If the write is an edit, the
    /// sample that it replaces still exists.
    case absent
    /// The written sample was not found, and it is not known whether it, or the sample that it
    /// replaces, was deleted.
    case unknown
}

extension WriteThrough {
    func recoverAll() async throws -> [Recovery] {
        let identifiers = try await mirror.read { db in try PendingWrite.identifiers(db) }
        var recoveries: [Recovery] = []
        for identifier in identifiers {
            do {
                let pendingWrite = try await mirror.read { db in
                    try PendingWrite.find(identifier, db)
                }
                guard let pendingWrite, let recovery = try await resolve(pendingWrite) else {
                    continue
                }
                recoveries.append(recovery)
            } catch MirrorError.corrupt("intent.draft") {
                recoveries.append(.unreadable(identifier))
            }
        }
        return recoveries
    }

    /// Completes a pending write or removal as far as possible. Returns nil if the sample was to be
    /// saved again, but the write has left the journal meanwhile. For example, another process has
    /// completed it.
    func resolve(_ pendingWrite: PendingWrite) async throws -> Recovery? {
        guard let type = HKSampleType.named(pendingWrite.payload.type) else {
            return .waiting(WriteError(.invalid(.type), pendingWrite.draft))
        }
        guard !pendingWrite.isRemoval, let draft = pendingWrite.draft else {
            return try await recoverRemoval(pendingWrite, type)
        }
        do {
            switch try await status(of: pendingWrite, type) {
            case .found(let sample):
                try probe.reached(.sampleReadBack)
                return .acknowledged(try await acknowledge(sample, of: pendingWrite))
            case .conflict(let version): return .conflict(draft, version: version)
            case .deleted: throw WriteFailure.deleted
            case .absent where pendingWrite.stage == .saved:
                return .waiting(WriteError(.unconfirmed, draft))
            case .unknown: return .undecided(draft)
            case .absent: return try await saveAgain(pendingWrite, draft).map { .acknowledged($0) }
            }
        } catch let error as HKError {
            return .waiting(WriteError(WriteError.Reason(error), draft, error))
        } catch WriteFailure.refused(let error) {
            return .waiting(WriteError(WriteError.Reason(error), draft, error))
        } catch let refusal as WriteError {
            return .waiting(refusal)
        } catch WriteFailure.conflict(let version) {
            return .conflict(draft, version: version)
        } catch WriteFailure.unconfirmed(let error) {
            return .waiting(WriteError(.unconfirmed, draft, error))
        } catch WriteFailure.deleted {
            let mirror = mirror
            try await mirror.write { db in try pendingWrite.endDeleted(mirror, db) }
            try probe.reached(.entryAcknowledged)
            return .deleted(draft)
        }
    }

    private func saveAgain(_ pendingWrite: PendingWrite, _ draft: Draft) async throws
        -> MirrorEntry?
    {
        let sample = try draft.checked { draft throws(DraftFault) in
            try draft.sample(version: pendingWrite.version)
        }
        let attempt = sample.uuid
        let again = try await mirror.write { db -> PendingWrite? in
            guard var again = try pendingWrite.journalled(db) else { return nil }
            again.payload.attempts.append(attempt)
            try again.put(db)
            return again
        }
        guard let again else { return nil }
        return try await performSave(again, sample)
    }

    /// Returns the state of a pending write in HealthKit.
    ///
    /// Queries the sample first and the deletions afterwards, so that the deletion of a sample that
    /// is missing in the first query is found.
    ///
    /// - Throws: `HKError` if a query fails; ``MirrorError``.
    func status(of pendingWrite: PendingWrite, _ type: HKSampleType) async throws
        -> PendingWriteStatus
    {
        let latest = try await own.samples(under: pendingWrite.identifier, of: type).latest
        if let latest {
            if try await isOurs(latest, pendingWrite) { return .found(latest) }
            if (latest.syncVersion ?? 0) >= pendingWrite.version {
                return .conflict(version: latest.syncVersion)
            }
        }
        let samples = Set(pendingWrite.payload.attempts + [pendingWrite.replaces].compactMap { $0 })
        let isDeleted = try await mirror.read { db in
            try samples.contains { try self.mirror.isDeleted($0, db) }
        }
        if isDeleted, latest == nil { return .deleted }
        let tombstones = try await wereDeleted(samples, since: pendingWrite.payload.anchor, type)
        if tombstones == true, latest == nil { return .deleted }
        let isOld = abs(now().timeIntervalSince(pendingWrite.created)) > lifetime
        if isOld || tombstones == nil { return .unknown }
        if let replaced = pendingWrite.replaces, latest?.uuid != replaced { return .unknown }
        return .absent
    }

    /// Returns whether HealthKit has a tombstone of any of the samples after an anchor, or any
    /// tombstone of them if `anchor` is nil. Returns nil if the anchor cannot be used.
    private func wereDeleted(
        _ samples: Set<UUID>, since anchor: Data?, _ type: HKSampleType
    ) async throws -> Bool? {
        var position: HKQueryAnchor?
        if let anchor {
            position = try? NSKeyedUnarchiver.unarchivedObject(
                ofClass: HKQueryAnchor.self, from: anchor)
            if position == nil { return nil }
        }
        while true {
            let query = HKAnchoredObjectQueryDescriptor<HKSample>(
                predicates: [.sample(type: type)], anchor: position, limit: 1000)
            do {
                let page = try await query.result(for: store)
                if page.deletedObjects.contains(where: { samples.contains($0.uuid) }) {
                    return true
                }
                let isLast = page.addedSamples.isEmpty && page.deletedObjects.isEmpty
                if isLast || page.newAnchor == position { return false }
                position = page.newAnchor
            } catch let error as HKError where error.code == .errorInvalidArgument {
                return nil
            }
        }
    }
}

// MARK: - Removals

extension WriteThrough {
    /// Deletes a sample whose removal is in the journal, and removes its entry.
    func performRemoval(_ pendingWrite: PendingWrite, _ sample: HKSample) async throws {
        try probe.reached(.writeJournalled)
        do {
            try await store.delete(sample)
        } catch let error as HKError {
            // If HealthKit rejects the sample and no longer shows it, the sample was deleted
            // elsewhere meanwhile. That has the same result.
            guard error.code == .errorInvalidArgument,
                try await own.sample(sample.uuid, of: sample.sampleType) == nil
            else {
                throw error.isDefinite
                    ? WriteFailure.refused(error) : WriteFailure.unconfirmed(error)
            }
        } catch {
            throw WriteFailure.unconfirmed(error)
        }
        try probe.reached(.sampleDeleted)
        try await acknowledgeRemoval(pendingWrite)
    }

    private func acknowledgeRemoval(_ pendingWrite: PendingWrite) async throws {
        let mirror = mirror
        do {
            try await mirror.write { db in try pendingWrite.endRemoval(mirror, db) }
        } catch let error as MirrorError {
            throw WriteFailure.unconfirmed(error)
        }
        try probe.reached(.entryAcknowledged)
    }

    private func recoverRemoval(_ pendingWrite: PendingWrite, _ type: HKSampleType) async throws
        -> Recovery
    {
        guard let uuid = pendingWrite.replaces else { return .unreadable(pendingWrite.identifier) }
        do {
            let before = store.authorizationStatus(for: type)
            if let sample = try await own.sample(uuid, of: type) {
                try await performRemoval(pendingWrite, sample)
                return .removed(uuid)
            }
            let isDeleted = try await mirror.read { db in try self.mirror.isDeleted(uuid, db) }
            let isProof = [before, store.authorizationStatus(for: type)]
                .allSatisfy { $0 == .sharingAuthorized }
            if isDeleted || isProof {
                try await acknowledgeRemoval(pendingWrite)
                return .removed(uuid)
            }
            if abs(now().timeIntervalSince(pendingWrite.created)) > lifetime {
                try await mirror.write { db in try pendingWrite.withdraw(db) }
                return .notRemoved(uuid)
            }
            return .waiting(WriteError(.notVisible, nil))
        } catch let error as HKError {
            return .waiting(WriteError(WriteError.Reason(error), nil, error))
        } catch WriteFailure.refused(let error) {
            return .waiting(WriteError(WriteError.Reason(error), nil, error))
        } catch WriteFailure.unconfirmed(let error) {
            return .waiting(WriteError(.unconfirmed, nil, error))
        }
    }
}
