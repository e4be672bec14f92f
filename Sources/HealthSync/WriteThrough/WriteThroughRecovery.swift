public import Foundation

/// What became of a wish that a crash, a lock or a full disk had left in the journal.
public enum Recovery: Sendable {
    /// HealthKit has it, and the mirror too now.
    case acknowledged(Entry)
    /// The person deleted the sample meanwhile: it isn't written again. What was to hang on it is
    /// kept, unattached.
    case deleted(Draft)
    /// The entry that the person wished away is gone.
    case removed(UUID)
    /// HealthKit has another version that isn't older. The wish stays in the journal until
    /// ``WriteThrough/abandon(_:)`` or another ``WriteThrough/edit(_:to:)``.
    case conflict(Draft, version: Int?)
    /// It can't be ended now; it stays in the journal.
    case waiting(WriteRefusal)
    /// HealthKit doesn't have it, and whether it never had or the person deleted it can't be told any
    /// more. It stays in the journal: ``WriteThrough/log(_:)`` or ``WriteThrough/edit(_:to:)`` again
    /// writes it, ``WriteThrough/abandon(_:)`` forgets it.
    case undecided(Draft)
    /// A removal that could not be carried out: HealthKit has not shown the sample for so long that
    /// the wish has left the journal; the entry stays.
    case notRemoved(UUID)
    /// What the journal has under this identifier can't be read: a later version wrote it, or the file
    /// is damaged. It stays; ``WriteThrough/abandon(_:)`` forgets it.
    case unreadable(String)
}

/// What HealthKit has of a wish.
enum IntentFate: Equatable {
    /// It, or one that says the same.
    case found(HKSample)
    /// A version that isn't older.
    case conflict(version: Int?)
    /// The person deleted what it became, or what it was to replace.
    case deleted
    /// Nothing, and it was never deleted: for an edit, what it replaces is there.
    case absent
    /// Nothing, and nobody knows whether it was deleted.
    case unknown
}

extension WriteThrough {
    func settleAll() async throws -> [Recovery] {
        let identifiers = try await mirror.read { db in try Intent.identifiers(db) }
        var recoveries: [Recovery] = []
        for identifier in identifiers {
            do {
                let intent = try await mirror.read { db in try Intent.find(identifier, db) }
                guard let intent, let recovery = try await settle(intent) else { continue }
                recoveries.append(recovery)
            } catch MirrorError.corrupt("intent.draft") {
                recoveries.append(.unreadable(identifier))
            }
        }
        return recoveries
    }

    /// Ends one wish as far as can be now; nil if somebody else has ended it meanwhile.
    func settle(_ intent: Intent) async throws -> Recovery? {
        guard let type = HKSampleType.named(intent.payload.type) else {
            return .waiting(WriteRefusal(.invalid(.type), intent.draft))
        }
        guard !intent.isRemoval, let draft = intent.draft else {
            return try await settleRemoval(intent, type)
        }
        do {
            switch try await fate(of: intent, type) {
            case .found(let sample):
                try probe.reached(.sampleReadBack)
                return .acknowledged(try await acknowledge(sample, of: intent))
            case .conflict(let version): return .conflict(draft, version: version)
            case .deleted: throw WriteFailure.deleted
            case .absent where intent.stage == .saved:
                return .waiting(WriteRefusal(.unconfirmed, draft))
            case .unknown: return .undecided(draft)
            case .absent: return try await saveAgain(intent, draft).map { .acknowledged($0) }
            }
        } catch let error as HKError {
            return .waiting(WriteRefusal(WriteRefusal.Reason(error), draft, error))
        } catch WriteFailure.refused(let error) {
            return .waiting(WriteRefusal(WriteRefusal.Reason(error), draft, error))
        } catch let refusal as WriteRefusal {
            return .waiting(refusal)
        } catch WriteFailure.conflict(let version) {
            return .conflict(draft, version: version)
        } catch WriteFailure.unconfirmed(let error) {
            return .waiting(WriteRefusal(.unconfirmed, draft, error))
        } catch WriteFailure.deleted {
            let mirror = mirror
            try await mirror.write { db in try intent.endDeleted(mirror, db) }
            try probe.reached(.entryAcknowledged)
            return .deleted(draft)
        }
    }

    private func saveAgain(_ intent: Intent, _ draft: Draft) async throws -> Entry? {
        let sample = try draft.checked { draft throws(DraftFault) in
            try draft.sample(version: intent.version)
        }
        let attempt = sample.uuid
        let again = try await mirror.write { db -> Intent? in
            guard var again = try intent.journalled(db) else { return nil }
            again.payload.attempts.append(attempt)
            try again.put(db)
            return again
        }
        guard let again else { return nil }
        return try await carryOut(again, sample)
    }

    /// What HealthKit has of a wish.
    ///
    /// It is looked for first and deletions are read then: what was deleted before the look is told.
    ///
    /// - Throws: `HKError` if HealthKit won't answer.
    func fate(of intent: Intent, _ type: HKSampleType) async throws -> IntentFate {
        let latest = try await own.samples(under: intent.identifier, of: type).latest
        if let latest {
            if try await isOurs(latest, intent) { return .found(latest) }
            if (latest.syncVersion ?? 0) >= intent.version {
                return .conflict(version: latest.syncVersion)
            }
        }
        let samples = Set(intent.payload.attempts + [intent.replaces].compactMap { $0 })
        let isGone = try await mirror.read { db in
            try samples.contains { try self.mirror.isGone($0, db) }
        }
        if isGone, latest == nil { return .deleted }
        let tombstones = try await wereDeleted(samples, since: intent.payload.anchor, type)
        if tombstones == true, latest == nil { return .deleted }
        let isOld = abs(now().timeIntervalSince(intent.created)) > lifetime
        if isOld || tombstones == nil { return .unknown }
        if let replaced = intent.replaces, latest?.uuid != replaced { return .unknown }
        return .absent
    }

    /// Whether HealthKit tells that any of some samples were deleted; nil if it can't know.
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
    /// Deletes a sample whose removal is journalled, and ends its entry.
    func carryOutRemoval(_ intent: Intent, _ sample: HKSample) async throws {
        try probe.reached(.intentJournalled)
        do {
            try await store.delete(sample)
        } catch let error as HKError {
            // Deleted by somebody else meanwhile is as good.
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
        try await acknowledgeRemoval(intent)
    }

    private func acknowledgeRemoval(_ intent: Intent) async throws {
        let mirror = mirror
        do {
            try await mirror.write { db in try intent.endRemoval(mirror, db) }
        } catch let error as MirrorError {
            throw WriteFailure.unconfirmed(error)
        }
        try probe.reached(.entryAcknowledged)
    }

    private func settleRemoval(_ intent: Intent, _ type: HKSampleType) async throws -> Recovery {
        guard let uuid = intent.replaces else { return .unreadable(intent.identifier) }
        do {
            let before = store.authorizationStatus(for: type)
            if let sample = try await own.sample(uuid, of: type) {
                try await carryOutRemoval(intent, sample)
                return .removed(uuid)
            }
            let isGone = try await mirror.read { db in try self.mirror.isGone(uuid, db) }
            let isProof = [before, store.authorizationStatus(for: type)]
                .allSatisfy { $0 == .sharingAuthorized }
            if isGone || isProof {
                try await acknowledgeRemoval(intent)
                return .removed(uuid)
            }
            if abs(now().timeIntervalSince(intent.created)) > lifetime {
                try await mirror.write { db in try intent.withdraw(db) }
                return .notRemoved(uuid)
            }
            return .waiting(WriteRefusal(.notVisible, nil))
        } catch let error as HKError {
            return .waiting(WriteRefusal(WriteRefusal.Reason(error), nil, error))
        } catch WriteFailure.refused(let error) {
            return .waiting(WriteRefusal(WriteRefusal.Reason(error), nil, error))
        } catch WriteFailure.unconfirmed(let error) {
            return .waiting(WriteRefusal(.unconfirmed, nil, error))
        }
    }
}
