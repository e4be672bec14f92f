import Foundation
import GRDB

/// How the way of a journalled wish ended before its end.
enum WriteFailure: Error {
    /// HealthKit says no: it has saved nothing.
    case refused(HKError)
    /// HealthKit has a version that isn't older.
    case conflict(version: Int?)
    /// The sample was deleted as soon as it was saved.
    case deleted
    /// HealthKit may have it; it wasn't read back, or not kept.
    case unconfirmed((any Error)?)
}

extension WriteThrough {
    /// Saves a journalled sample, reads it back and makes the entry.
    func carryOut(_ intent: Intent, _ sample: HKSample) async throws -> Entry {
        try probe.reached(.intentJournalled)
        do {
            try await store.save(sample)
        } catch let error as HKError where error.isDefinite {
            throw WriteFailure.refused(error)
        } catch {
            throw WriteFailure.unconfirmed(error)
        }
        try probe.reached(.sampleSaved)
        let stored: HKSample
        do {
            stored = try await readBack(intent, sample)
        } catch WriteFailure.unconfirmed(let error) {
            try await note(.saved, of: intent)
            throw WriteFailure.unconfirmed(error)
        }
        try probe.reached(.sampleReadBack)
        return try await acknowledge(stored, of: intent)
    }

    /// The sample as HealthKit has it, which may have ignored the save and reported success (§9.1).
    private func readBack(_ intent: Intent, _ sample: HKSample) async throws -> HKSample {
        do {
            if let stored = try await own.sample(sample.uuid, of: sample.sampleType) {
                return stored
            }
            let samples = try await own.samples(
                under: intent.identifier, of: sample.sampleType)
            guard let stored = samples.latest else { throw WriteFailure.unconfirmed(nil) }
            if try await isOurs(stored, intent) { return stored }
            throw WriteFailure.conflict(version: stored.syncVersion)
        } catch let error as HKError {
            throw WriteFailure.unconfirmed(error)
        }
    }

    /// Whether a stored sample is what the wish became, here or in another process.
    func isOurs(_ stored: HKSample, _ intent: Intent) async throws -> Bool {
        if intent.payload.attempts.contains(stored.uuid) { return true }
        let journalled = try await mirror.read { db in try Intent.find(intent.identifier, db) }
        if let journalled, journalled.payload.attempts.contains(stored.uuid) { return true }
        return stored.syncVersion == intent.version && intent.draft?.isTold(by: stored) == true
    }

    func acknowledge(_ stored: HKSample, of intent: Intent) async throws -> Entry {
        let entry: Entry?
        do {
            let mirror = mirror
            entry = try await mirror.write { db in try intent.acknowledge(stored, mirror, db) }
        } catch let error as MirrorError {
            throw WriteFailure.unconfirmed(error)
        }
        guard let entry else { throw WriteFailure.deleted }
        try probe.reached(.entryAcknowledged)
        return entry
    }

    /// Notes how far a wish has come, where the journal can be written.
    private func note(_ stage: Intent.Stage, of intent: Intent) async throws {
        do {
            try await mirror.write { db in
                guard var journalled = try intent.journalled(db) else { return }
                journalled.stage = stage
                try journalled.put(db)
            }
        } catch is MirrorError {
            // It counts as journalled then, and is looked for just so.
        }
    }

    /// Where a type's changes stand before anything is saved; nil if that can't be told now.
    func changesBefore(_ type: HKSampleType) async throws -> Data? {
        let tracked = TrackedType(type)
        let position = try await mirror.position(for: tracked.key(lane: "mirror"))
        if let position, position.queryAnchor != nil { return position.anchor }
        let reader = PageReader(store: store, type: tracked, pageSize: 1000, gate: ReadGate(1))
        guard let anchor = try? await reader.currentAnchor() else { return nil }
        return try? NSKeyedArchiver.archivedData(
            withRootObject: anchor, requiringSecureCoding: true)
    }
}

extension HKError {
    /// Whether HealthKit says with it that it has done nothing.
    var isDefinite: Bool {
        WriteRefusal.Reason(self) != .failed
    }
}

extension Draft {
    /// Whether a stored sample says the same.
    func isTold(by sample: HKSample) -> Bool {
        guard sample.sampleType.identifier == type, sample.startDate == start,
            sample.endDate == end
        else { return false }
        switch (content, sample) {
        case (.quantity(let value, let unit), let sample as HKQuantitySample):
            let unit = HKUnit(from: unit)
            guard sample.quantity.is(compatibleWith: unit) else { return false }
            let stored = sample.quantity.doubleValue(for: unit)
            return abs(value - stored) <= 1e-9 * max(abs(value), abs(stored))
        case (.category(let value), let sample as HKCategorySample):
            return sample.value == value
        default: return false
        }
    }
}
