import Foundation
import HealthSync
import OpenHealthKit

// The invariants, checked after the faults have ended.
extension TortureRun {
    func checkEverything() async throws {
        world.endFaults()
        probe.freeDisk()
        await settle()
        if schedule.repairsItself { try await checkConvergence("after reading the changes") }
        await work { try await $0.reconcile() }
        try await checkConvergence("with the current permissions")
        try await checkAbsence()
        try await checkNotes()
        // Then grant and read everything, and check again.
        try world.allowEverything()
        setTracked(schedule.settings.types)
        await close()
        await settle()
        await work { try await $0.reconcile() }
        try await checkConvergence("at the end")
        try await checkAbsence()
        try await checkNotes()
        try checkOwn(await show())
        try checkHealthStore()
        try checkDestinations()
    }

    /// Starts a new process and does what an app does after a launch: recovers and synchronizes.
    private func settle() async {
        await close()
        await open()
        await work { try await $0.sync() }
        await work { try await $0.recover() }
        await work { try await $0.sync() }
    }

    // MARK: Convergence

    private func checkConvergence(_ when: String) async throws {
        let seen = try await visible()
        let entries = await show().filter { tracked.contains($0.type) }
        let synced = Set(entries.filter(\.isSynced))
        for entry in seen.subtracting(synced).sorted(by: ClientEntry.inOrder) {
            let other = entries.first { $0.id == entry.id }
            let reason =
                other == nil
                ? "is missing" : other?.isSynced == false ? "is wrongly not visible" : "differs"
            violate(.converges, "\(when) \(entry.type.rawValue) \(entry.number) \(reason)")
        }
        let ids = Set(seen.map(\.id))
        for entry in synced where !ids.contains(entry.id) {
            violate(
                .converges, "\(when) \(entry.type.rawValue) \(entry.number) is wrongly visible")
        }
    }

    private func visible() async throws -> Set<ClientEntry> {
        var seen: Set<ClientEntry> = []
        for type in tracked {
            // openhealth:ignore unbounded-query A schedule's own store holds a few dozen samples.
            let samples = try await HKSampleQueryDescriptor(
                predicates: [.sample(type: type.sampleType)], sortDescriptors: []
            ).result(for: world.store)
            seen.formUnion(samples.compactMap { ClientEntry($0, type) })
        }
        return seen
    }

    // MARK: Deletions

    private func checkAbsence() async throws {
        let kept = Set(await show().map(\.id))
        for sample in try world.contents()
        where shown.contains(sample.uuid) && !kept.contains(sample.uuid) {
            violate(
                .absenceIsNoProof,
                "\(sample.type.rawValue) \(sample.number) is in HealthKit but marked as deleted")
        }
    }

    // MARK: Notes

    private func checkNotes() async throws {
        let kept = await work { try await $0.notes() } ?? []
        let byText = Dictionary(kept.map { ($0.text, $0) }, uniquingKeysWith: { a, _ in a })
        let entries = await show()
        let stored = Set(try world.contents().map(\.uuid))
        for (text, note) in notes.sorted(by: { $0.key < $1.key }) {
            guard let found = byText[text] else {
                violate(.keepsAppData, "\(text) is lost")
                continue
            }
            guard found.isAttached else {
                if stored.contains(note.entry), !world.wasDeleted(note.number) {
                    violate(.keepsAppData, "\(text) is unattached, but its sample exists")
                }
                continue
            }
            let entry = entries.first { $0.id == found.entry }
            if entry == nil || entry?.number != note.number {
                violate(
                    .keepsAppData,
                    "\(text) is attached to another sample, or to one that is not shown")
            }
        }
        if kept.count != byText.count { violate(.keepsAppData, "a note is stored twice") }
    }

    // MARK: The app's own weights

    private func checkOwn(_ entries: [ClientEntry]) throws {
        let own = ScheduledWriter.app.identity.bundleIdentifier
        let stored = Dictionary(
            grouping: try world.contents().filter { $0.bundleIdentifier == own }, by: \.number)
        for (number, weight) in weights.sorted(by: { $0.key < $1.key }) {
            let found = stored[number] ?? []
            if found.count > 1 {
                violate(.losesNothing, "weight \(number) is in HealthKit \(found.count) times")
            }
            check(number, weight, found.first)
            let isShown = entries.contains { $0.number == number && $0.bundleIdentifier == own }
            if weight.isRefused, weight.acknowledged == 0, !found.isEmpty || isShown {
                violate(.losesNothing, "weight \(number) was refused, but is in HealthKit")
            }
        }
    }

    private func check(_ number: Int, _ weight: OwnWeight, _ found: ScheduledSample?) {
        if let found { checkDeleted(number, weight, found) }
        if weight.isRemoved || weight.phone < world.phones || world.wasDeleted(number) { return }
        guard let found else {
            let mustBeThere =
                weight.acknowledged > 0
                || (weight.isJournalled && schedule.neverRefuses && !weight.isRefused)
            if mustBeThere { violate(.losesNothing, "weight \(number) is lost") }
            return
        }
        let versions = max(1, weight.acknowledged)...weight.versions
        let values = versions.map { ScheduledWorld.kilograms(ofWeight: number, version: $0) }
        if !values.contains(found.value) {
            violate(.losesNothing, "weight \(number) has a value from before an edit")
        }
    }

    private func checkDeleted(_ number: Int, _ weight: OwnWeight, _ found: ScheduledSample) {
        guard world.isDeleted(number, after: weight.asked) else { return }
        // The outcome of an unanswered write is unknown once the tombstone is purged.
        let isAnswered = weight.acknowledged == weight.versions
        guard isAnswered || !world.hasForgotten(number) else { return }
        // An edit that was in progress during the deletion takes precedence over it.
        guard
            world.isDeleted(number, after: weight.answered)
                || world.deletedValue(of: number) == found.value
        else { return }
        violate(.resurrectsNothing, "weight \(number) was deleted but reappeared")
    }

    // MARK: The health store

    private func checkHealthStore() throws {
        let own = ScheduledWriter.app.identity.bundleIdentifier
        let stored = try world.contents().filter { $0.bundleIdentifier != own }
        var values = Dictionary(grouping: stored, by: \.number)
        for (number, value) in world.expected().sorted(by: { $0.key < $1.key }) {
            guard let found = values.removeValue(forKey: number) else {
                violate(.deletesNothing, "sample \(number) is missing from HealthKit")
                continue
            }
            if found.map(\.value) != [value] {
                violate(.deletesNothing, "sample \(number) has changed in HealthKit")
            }
        }
        for number in values.keys.sorted() {
            violate(.deletesNothing, "sample \(number) is in HealthKit, but was never saved")
        }
    }
}

extension ClientEntry {
    /// Creates an entry from a sample that HealthKit has returned; nil if it isn't of the type.
    init?(_ sample: HKSample, _ type: ScheduledType) {
        let value: Double
        switch sample {
        case let sample as HKQuantitySample:
            guard let unit = type.unit else { return nil }
            value = sample.quantity.doubleValue(for: unit)
        case let sample as HKCategorySample: value = Double(sample.value)
        default: return nil
        }
        self.init(
            id: sample.uuid, type: type, start: sample.startDate, end: sample.endDate,
            value: value, bundleIdentifier: sample.sourceRevision.source.bundleIdentifier,
            isSynced: true)
    }

    static func inOrder(_ a: ClientEntry, _ b: ClientEntry) -> Bool { a.number < b.number }
}

extension SyncSchedule {
    /// All faults in the schedule, immediate or armed.
    var faults: [SyncFault.Kind] {
        events.compactMap { event in
            switch event {
            case .happens(let fault), .strikes(let fault, _): fault.kind
            case .app: nil
            }
        }
    }

    /// Whether reading changes suffices to converge: no permission changed, the app stayed on its
    /// phone, and no tombstone can have been purged that the app had yet to read without noticing.
    var repairsItself: Bool {
        let faults = Set(faults)
        return faults.isDisjoint(with: [
            .emptyPhone, .tombstonesPurgedEarly, .shareRevoked, .readRevoked, .limitedHistory,
            .shareGranted, .readGranted,
        ])
            && (!faults.contains(.tombstonesPurged) || !faults.contains(.clockBack))
    }

    /// Whether no fault in the schedule makes the app refuse a save permanently.
    var neverRefuses: Bool {
        Set(faults).isDisjoint(with: [.shareRevoked, .healthDiskFull, .mirrorDiskFull, .emptyPhone])
    }
}

// Compares the changes delivered to destinations with the samples in the health store.
extension TortureRun {
    func checkDestinations() throws {
        checkOnce()
        try checkOnceOrMore(ledger.changes, "the transactional destination")
        try checkOnceOrMore(recorder.changes, "the plain destination")
    }

    private func checkOnce() {
        // A UUID that was saved again is a new change.
        let savedAgain = schedule.faults.contains(.duplicateUUID)
        var seen: Set<HandedChange> = []
        for change in ledger.changes where !seen.insert(change).inserted && !savedAgain {
            let kind = change.kind == .deleted ? "deletion" : "sample"
            violate(.handsOnce, "a \(kind) of \(change.key.type) was delivered twice")
        }
    }

    private func checkOnceOrMore(_ changes: [HandedChange], _ name: String) throws {
        let faults = Set(schedule.faults)
        let hiding: Set<SyncFault.Kind> = [
            .shareRevoked, .readRevoked, .limitedHistory, .emptyPhone,
        ]
        guard faults.isDisjoint(with: hiding) else { return }
        let added = Set(changes.filter { $0.kind != .deleted }.map(\.uuid))
        let stored = try world.contents()
        for sample in stored where !added.contains(sample.uuid) {
            violate(
                .handsOnceOrMore,
                "\(name) never received \(sample.type.rawValue) \(sample.number)")
        }
        let forgetting: Set<SyncFault.Kind> = [
            .tombstonesPurged, .tombstonesPurgedEarly, .anchorLost, .anchorForeign,
        ]
        guard faults.isDisjoint(with: forgetting) else { return }
        let deleted = Set(changes.filter { $0.kind == .deleted }.map(\.uuid))
        let lost = added.subtracting(stored.map(\.uuid)).subtracting(deleted)
        if !lost.isEmpty {
            violate(.handsOnceOrMore, "\(name) never received \(lost.count) deletions")
        }
    }
}
