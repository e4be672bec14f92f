import Foundation
import GRDB

/// Why a write or removal in the journal failed.
enum WriteFailure: Error {
    /// HealthKit reported an error and has changed nothing.
    case refused(HKError)
    /// HealthKit has another sample with this sync identifier. `version` is nil if it is not known.
    case conflict(version: Int?)
    /// The sample was deleted before its entry was created, or the sample to be replaced was
    /// deleted.
    case deleted
    /// HealthKit may have saved or deleted the sample, but that was not read back or not stored in
    /// the mirror.
    case unconfirmed((any Error)?)
}

extension WriteThrough {
    /// Saves the sample of a write in the journal, reads it back and creates the entry.
    func performSave(_ pendingWrite: PendingWrite, _ sample: HKSample) async throws -> MirrorEntry {
        try probe.reached(.writeJournalled)
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
            stored = try await readBack(pendingWrite, sample)
        } catch WriteFailure.unconfirmed(let error) {
            try await note(.saved, of: pendingWrite)
            throw WriteFailure.unconfirmed(error)
        }
        try probe.reached(.sampleReadBack)
        return try await acknowledge(stored, of: pendingWrite)
    }

    /// Reads the saved sample, because HealthKit may ignore a save and report success (Semantics
    /// §9.1).
    private func readBack(_ pendingWrite: PendingWrite, _ sample: HKSample) async throws -> HKSample
    {
        do {
            if let stored = try await own.sample(sample.uuid, of: sample.sampleType) {
                return stored
            }
            let samples = try await own.samples(
                under: pendingWrite.identifier, of: sample.sampleType)
            guard let stored = samples.latest else { throw WriteFailure.unconfirmed(nil) }
            if try await isOurs(stored, pendingWrite) { return stored }
            throw WriteFailure.conflict(version: stored.syncVersion)
        } catch let error as HKError {
            throw WriteFailure.unconfirmed(error)
        }
    }

    /// Returns whether a stored sample is the result of the write, here or in another process, or
    /// has the same version, times and value.
    func isOurs(_ stored: HKSample, _ pendingWrite: PendingWrite) async throws -> Bool {
        if pendingWrite.payload.attempts.contains(stored.uuid) { return true }
        let journalled = try await mirror.read { db in
            try PendingWrite.find(pendingWrite.identifier, db)
        }
        if let journalled, journalled.payload.attempts.contains(stored.uuid) { return true }
        return stored.syncVersion == pendingWrite.version
            && pendingWrite.draft?.matches(stored) == true
    }

    func acknowledge(_ stored: HKSample, of pendingWrite: PendingWrite) async throws -> MirrorEntry
    {
        let entry: MirrorEntry?
        do {
            let mirror = mirror
            entry = try await mirror.write { db in try pendingWrite.acknowledge(stored, mirror, db)
            }
        } catch let error as MirrorError {
            throw WriteFailure.unconfirmed(error)
        }
        guard let entry else { throw WriteFailure.deleted }
        try probe.reached(.entryAcknowledged)
        return entry
    }

    /// Records the stage of a write, if the write is still in the journal and the journal can be
    /// written.
    private func note(_ stage: PendingWrite.Stage, of pendingWrite: PendingWrite) async throws {
        do {
            try await mirror.write { db in
                guard var journalled = try pendingWrite.journalled(db) else { return }
                journalled.stage = stage
                try journalled.put(db)
            }
        } catch is MirrorError {
            // The stage stays `journalled`. Recovery treats it like `saved`, but saves the sample
            // again if it is missing.
        }
    }

    /// Returns an archived anchor from before the save: that of the mirror's position, else
    /// HealthKit's current one; nil if there is neither.
    func changesBefore(_ type: HKSampleType) async throws -> Data? {
        let tracked = TrackedType(type)
        let position = try await mirror.position(for: tracked.key(subscriber: "mirror"))
        if let position, position.queryAnchor != nil { return position.anchor }
        let reader = PageReader(
            store: store, type: tracked, pageSize: 1000, semaphore: AsyncSemaphore(1))
        guard let anchor = try? await reader.currentAnchor() else { return nil }
        return try? NSKeyedArchiver.archivedData(
            withRootObject: anchor, requiringSecureCoding: true)
    }
}

extension HKError {
    /// Whether the error means that HealthKit has changed nothing.
    var isDefinite: Bool {
        WriteError.Reason(self) != .failed
    }
}

extension Draft {
    /// Returns whether a stored sample has the same type and times, and the same value up to a
    /// relative difference of 10⁻⁹.
    func matches(_ sample: HKSample) -> Bool {
        guard sample.sampleType.identifier == type, sample.startDate == start,
            sample.endDate == end
        else { return false }
        switch (content, sample) {
        case (.quantity(let value, let unit), let sample as HKQuantitySample):
            guard let unit = HKUnit(text: unit), sample.quantity.is(compatibleWith: unit) else {
                return false
            }
            let stored = sample.quantity.doubleValue(for: unit)
            return abs(value - stored) <= 1e-9 * max(abs(value), abs(stored))
        case (.category(let value), let sample as HKCategorySample):
            return sample.value == value
        default: return false
        }
    }
}
