import Foundation
import GRDB

// Writing, replacing and deleting, from the input to the journal and to HealthKit.
extension WriteThrough {
    func write(_ draft: Draft) async throws -> MirrorEntry {
        let sample = try draft.checked { draft throws(DraftFault) in try draft.sample(version: 1) }
        let pending = try await reading(draft) { db in try PendingWrite.find(draft.id, db) }
        if let pending { try await prepare(draft, after: pending, of: sample.sampleType) }
        return try await write(draft, sample, version: 1, replacing: nil)
    }

    func replace(_ id: UUID, by draft: Draft) async throws -> MirrorEntry {
        let entry = try await knownEntry(id, draft)
        guard let identifier = entry.syncIdentifier else {
            throw WriteError(.notReplaceable, draft)
        }
        let new = draft.identified(by: identifier)
        guard draft.type == entry.type, let type = new.sampleType else {
            throw WriteError(.invalid(.type), draft)
        }
        _ = try draft.checked { _ throws(DraftFault) in try new.sample(version: 1) }
        let (expected, version) = try await confirmed(entry, draft)
        let current = try await querying(draft) { own in
            try await own.samples(under: identifier, of: type).latest
        }
        guard let current else { throw try await absence(of: entry, type, draft) }
        let stored = current.syncVersion ?? 0
        guard current.uuid == expected, stored <= version, stored < Int.max else {
            throw WriteError(.conflict(version: current.syncVersion), draft)
        }
        let sample = try draft.checked { _ throws(DraftFault) in
            try new.sample(version: stored + 1)
        }
        do {
            return try await write(new, sample, version: stored + 1, replacing: current.uuid)
        } catch let refusal as WriteError {
            throw WriteError(refusal.reason, draft, refusal.underlying)
        }
    }

    func delete(_ id: UUID, _ rule: AttachmentDeleteRule) async throws {
        let entry = try await knownEntry(id, nil)
        guard let type = HKSampleType.named(entry.type) else {
            throw WriteError(.invalid(.type), nil)
        }
        let (current, _) = try await confirmed(entry, nil)
        let sample = try await querying(nil) { own in try await own.sample(current, of: type) }
        guard let sample else { throw try await absence(of: entry, type, nil) }
        let pendingWrite = PendingWrite(
            identifier: entry.syncIdentifier ?? current.uuidString, version: entry.syncVersion ?? 0,
            payload: PendingWrite.Payload(type: entry.type, leaves: rule), replaces: current,
            stage: .removing, created: now())
        try await journal(nil) { db in
            try pendingWrite.combined(with: PendingWrite.find(pendingWrite.identifier, db)).put(db)
        }
        do {
            try await performRemoval(pendingWrite, sample)
        } catch let failure as WriteFailure {
            throw try await refusal(failure, pendingWrite, nil)
        }
    }
}

// MARK: - Writing

extension WriteThrough {
    private enum Journalled {
        case journalled(PendingWrite)
        case known(MirrorEntry)
        case refused(WriteError.Reason)
    }

    private func write(
        _ draft: Draft, _ sample: HKSample, version: Int, replacing replaced: UUID?
    ) async throws -> MirrorEntry {
        let photos = try await storePhotos(of: draft)
        var payload = PendingWrite.Payload(type: draft.type, draft: draft)
        payload.attachments = draft.attachments + photos.stored
        payload.attempts = [sample.uuid]
        do {
            payload.anchor = try await changesBefore(sample.sampleType)
        } catch let error as MirrorError {
            throw WriteError(WriteError.Reason(error), draft, error)
        }
        let pendingWrite = PendingWrite(
            identifier: draft.id, version: version, payload: payload, replaces: replaced,
            stage: .journalled, created: now())
        do {
            switch try await journal(draft, { try self.journalled(pendingWrite, $0) }) {
            case .known(let entry):
                removeUnusedPhotos(photos.new)
                return entry
            case .refused(let reason): throw WriteError(reason, draft)
            case .journalled(let pendingWrite): return try await performSave(pendingWrite, sample)
            }
        } catch let failure as WriteFailure {
            let refusal = try await refusal(failure, pendingWrite, draft)
            if !refusal.isJournalled { removeUnusedPhotos(photos.new) }
            throw refusal
        } catch let refusal as WriteError {
            removeUnusedPhotos(photos.new)
            throw refusal
        }
    }

    /// Adds a write to the journal, combined with a pending one of the same identifier. Refuses it
    /// if the pending one is of another type.
    ///
    /// For a new sample, returns the entry instead if the draft was written before and is not
    /// pending. Refuses the write if that entry is not visible, or has another value or other times
    /// at version 1. Also refuses it if the deletion of the sample is recorded.
    nonisolated private func journalled(_ pendingWrite: PendingWrite, _ db: Database) throws
        -> Journalled
    {
        let type = pendingWrite.payload.type
        let pending = try PendingWrite.find(pendingWrite.identifier, db)
        if let pending, pending.payload.type != type { return .refused(.invalid(.identifier)) }
        if pendingWrite.replaces == nil {
            let bundle = try mirror.ownBundle(db)
            if let bundle, pending == nil, let draft = pendingWrite.draft,
                let entry = try mirror.ownEntry(
                    under: pendingWrite.identifier, type: type, bundle, db)
            {
                if entry.state == .notVisible { return .refused(.notVisible) }
                let isSame = (entry.syncVersion ?? 0) > 1 || draft.matches(entry)
                return isSame ? .known(entry) : .refused(.conflict(version: entry.syncVersion))
            }
            let deletedVersion = try mirror.deletedVersion(
                syncIdentifier: pendingWrite.identifier, type: type, bundle: bundle ?? "", db)
            if deletedVersion != nil { return .refused(.deleted) }
        }
        let combined = pendingWrite.combined(with: pending)
        try combined.put(db)
        return .journalled(combined)
    }

    /// Converts a failure to a refusal, and removes the write from the journal unless HealthKit may
    /// have carried it out.
    private func refusal(
        _ failure: WriteFailure, _ pendingWrite: PendingWrite, _ draft: Draft?
    ) async throws -> WriteError {
        let refusal: WriteError
        switch failure {
        case .unconfirmed(let error): return WriteError(.unconfirmed, draft, error)
        case .refused(let error): refusal = WriteError(.init(error), draft, error)
        case .conflict(let version): refusal = WriteError(.conflict(version: version), draft)
        case .deleted: refusal = WriteError(.deleted, draft)
        }
        do {
            try await mirror.write { db in try pendingWrite.withdraw(db) }
        } catch let error as MirrorError {
            // The write is still in the journal, so recovery will try it again.
            return WriteError(.unconfirmed, draft, error)
        }
        return refusal
    }

    /// Refuses a draft whose identifier has a pending write of another type, a pending removal, or
    /// a pending write whose sample was deleted. A write of the last kind is removed from the
    /// journal.
    private func prepare(
        _ draft: Draft, after pending: PendingWrite, of type: HKSampleType
    ) async throws {
        guard pending.payload.type == draft.type else {
            throw WriteError(.invalid(.identifier), draft)
        }
        guard !pending.isRemoval else { throw WriteError(.deleted, draft) }
        let status = try await querying(draft) { _ in try await self.status(of: pending, type) }
        if status == .deleted {
            try await journal(draft) { db in try pending.withdraw(db) }
            throw WriteError(.deleted, draft)
        }
    }
}

// MARK: - Queries

extension WriteThrough {
    /// Runs a transaction of the journal before anything is saved, so that a failure has no effect,
    /// and converts errors of the mirror to refusals.
    private func journal<Value: Sendable>(
        _ draft: Draft?, _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await mirror.write { db in try work(db) }
        } catch let error as MirrorError {
            throw WriteError(WriteError.Reason(error), draft, error)
        }
    }

    private func reading<Value: Sendable>(
        _ draft: Draft?, _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await mirror.read { db in try work(db) }
        } catch let error as MirrorError {
            throw WriteError(WriteError.Reason(error), draft, error)
        }
    }

    /// Queries HealthKit before anything is added to the journal, and converts its errors to
    /// refusals.
    private func querying<Value>(
        _ draft: Draft?, _ query: (OwnSamples) async throws -> Value
    ) async throws -> Value {
        do {
            return try await query(own)
        } catch let error as HKError {
            throw WriteError(WriteError.Reason(error), draft, error)
        }
    }

    private func knownEntry(_ id: UUID, _ draft: Draft?) async throws -> MirrorEntry {
        let entry = try await reading(draft) { db in try self.mirror.entry(id, db) }
        guard let entry else { throw WriteError(.unknownEntry, draft) }
        return entry
    }

    /// Completes a pending write of an entry if possible, and returns the UUID and version of the
    /// entry's present sample. If the write cannot be completed, these are the given entry's.
    /// Throws a refusal if the sample was deleted or the device is locked.
    private func confirmed(_ entry: MirrorEntry, _ draft: Draft?) async throws -> (UUID, Int) {
        let now = (entry.id, entry.syncVersion ?? 0)
        let identifier = entry.syncIdentifier ?? entry.id.uuidString
        let pending = try await reading(draft) { db in try PendingWrite.find(identifier, db) }
        guard let pending, pending.payload.type == entry.type else { return now }
        switch try await resolve(pending) {
        case .acknowledged(let entry): return (entry.id, entry.syncVersion ?? 0)
        case .deleted, .removed: throw WriteError(.deleted, draft)
        case .waiting(let refusal) where refusal.reason == .locked:
            throw WriteError(.locked, draft, refusal.underlying)
        default: return now
        }
    }

    /// Returns why no own sample of an entry was found: it was deleted, is not visible, or was
    /// saved by another app.
    private func absence(
        of entry: MirrorEntry, _ type: HKSampleType, _ draft: Draft?
    ) async throws -> WriteError {
        let id = entry.id
        let (bundle, isDeleted) = try await reading(draft) { db in
            (try self.mirror.ownBundle(db), try self.mirror.isDeleted(id, db))
        }
        if isDeleted { return WriteError(.deleted, draft) }
        if bundle == entry.bundleIdentifier { return WriteError(.notVisible, draft) }
        let isSeen = try await querying(draft) { _ in
            let query = HKSampleQueryDescriptor<HKSample>(
                predicates: [
                    .sample(type: type, predicate: HKQuery.predicateForObject(with: id))
                ], sortDescriptors: [])
            return try await !query.result(for: self.store).isEmpty
        }
        return WriteError(isSeen ? .notOwn : .notVisible, draft)
    }
}

// MARK: - Photos

extension WriteThrough {
    /// Checks a draft's attachments, and copies its photos to the mirror.
    ///
    /// - Returns: The attachments of the copied photos, and the digests of those that the mirror
    ///   did not have before.
    private func storePhotos(
        of draft: Draft
    ) async throws -> (stored: [Attachment.Content], new: Set<String>) {
        let before = draft.photos.isEmpty ? [] : Set(mirror.photos.names)
        var stored: [Attachment.Content] = []
        var new: Set<String> = []
        do {
            for content in draft.attachments {
                try content.validate()
                if case .photo(let photo) = content { try mirror.photos.requirePhoto(photo.digest) }
            }
            for file in draft.photos {
                guard FileManager.default.isReadableFile(atPath: file.path) else {
                    throw MirrorError.invalidAttachment
                }
                let photo = try await mirror.storePhoto(at: file)
                if !before.contains(photo.digest) { new.insert(photo.digest) }
                stored.append(.photo(photo))
            }
        } catch let error as MirrorError {
            removeUnusedPhotos(new)
            throw WriteError(WriteError.Reason(error), draft, error)
        }
        return (stored, new)
    }

    /// Starts a task that removes those of the given photos that no attachment and no pending write
    /// refers to.
    private func removeUnusedPhotos(_ digests: Set<String>) {
        guard !digests.isEmpty else { return }
        let mirror = mirror
        Task {
            try? await mirror.transaction(.normal) { db in
                for digest in digests {
                    let isNeeded = try Bool.fetchOne(
                        db,
                        sql: """
                            SELECT EXISTS (SELECT 1 FROM attachment WHERE digest = ?)
                                OR EXISTS (SELECT 1 FROM intent WHERE instr(draft, ?) > 0)
                            """, arguments: [digest, digest])
                    guard isNeeded == false else { continue }
                    try? FileManager.default.removeItem(at: mirror.photos.url(digest))
                }
            }
        }
    }
}

extension PendingWrite {
    /// Returns this write combined with an earlier one of the same identifier.
    ///
    /// The earlier attachments and attempts precede its own; an attachment that both have is kept
    /// once. The earlier anchor replaces its own, unless the earlier write is a removal. An earlier
    /// write of another type is ignored.
    func combined(with earlier: PendingWrite?) -> PendingWrite {
        guard let earlier, earlier.payload.type == payload.type else { return self }
        var combined = self
        let additional = earlier.payload.attachments.filter { !payload.attachments.contains($0) }
        combined.payload.attachments = additional + payload.attachments
        combined.payload.attempts = earlier.payload.attempts + payload.attempts
        if !earlier.isRemoval { combined.payload.anchor = earlier.payload.anchor }
        return combined
    }
}

extension Draft {
    /// Runs a check, and converts a ``DraftFault`` that it throws to a ``WriteError``.
    func checked<Value>(
        _ check: (Draft) throws(DraftFault) -> Value
    ) throws(WriteError) -> Value {
        do {
            return try check(self)
        } catch {
            throw WriteError(.invalid(error), self)
        }
    }
}

extension HKSampleType {
    /// Returns the workout, quantity, category or correlation type with an identifier; nil for
    /// others.
    static func named(_ identifier: String) -> HKSampleType? {
        if identifier == HKObjectType.workoutType().identifier { return .workoutType() }
        return HKObjectType.quantityType(
            forIdentifier: HKQuantityTypeIdentifier(rawValue: identifier))
            ?? HKObjectType.categoryType(
                forIdentifier: HKCategoryTypeIdentifier(rawValue: identifier))
            ?? HKObjectType.correlationType(
                forIdentifier: HKCorrelationTypeIdentifier(rawValue: identifier))
    }
}
