import Foundation
import HealthSync
import OpenHealthKit

// Checks the invariants after the schedule's faults have ended.
extension TortureRun {
    func checkEverything() async throws {
        world.endFaults()
        probe.freeDisk()
        await relaunchAndSync()
        if schedule.repairsItself { try await checkConvergence("after reading the changes") }
        await work { try await $0.reconcile() }
        try await checkConvergence("with the current permissions")
        try await checkAbsence()
        try await checkNotes()
        // Grants all permissions, reads everything, and checks again.
        try world.allowEverything()
        setTracked(schedule.settings.types)
        await close()
        await relaunchAndSync()
        await work { try await $0.reconcile() }
        try await checkConvergence("at the end")
        try await checkAbsence()
        try await checkNotes()
        try checkOwn(await show())
        try checkHealthStore()
        try checkDestinations()
    }

    /// Ends the process and starts a new one, which completes interrupted writes. Then reads
    /// changes, completes writes once more, and reads changes again.
    private func relaunchAndSync() async {
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
        let current = Set(await show().map(\.id))
        for sample in try world.contents()
        where shown.contains(sample.uuid) && !current.contains(sample.uuid) {
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
        guard world.isDeleted(number, after: weight.requested) else { return }
        // If the latest version was not acknowledged and tombstones were purged since the deletion,
        // the app may not notice the deletion. The weight may then reappear.
        let isCompleted = weight.acknowledged == weight.versions
        guard isCompleted || !world.hasForgotten(number) else { return }
        // If the weight was deleted while it was being saved or edited, the save may have come
        // last. Its value then differs from the deleted one.
        guard
            world.isDeleted(number, after: weight.completed)
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
    /// Creates an entry from a sample that HealthKit returned. Nil if it is neither a quantity nor
    /// a category sample, or a quantity sample although `type` has no unit.
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
    /// The kinds of all faults in the schedule, whether they occur immediately or are armed.
    var faults: [SyncFault.Kind] {
        events.compactMap { event in
            switch event {
            case .happens(let fault), .injected(let fault, _): fault.kind
            case .app: nil
            }
        }
    }

    /// Whether the mirror must converge by reading changes alone, without a reconciliation.
    ///
    /// False if a permission changed or the app moved to another phone. Also false if tombstones
    /// may have been purged unnoticed: early, or in a schedule that sets the clock back.
    var repairsItself: Bool {
        let faults = Set(faults)
        return faults.isDisjoint(with: [
            .emptyPhone, .tombstonesPurgedEarly, .shareRevoked, .readRevoked, .limitedHistory,
            .shareGranted, .readGranted,
        ])
            && (!faults.contains(.tombstonesPurged) || !faults.contains(.clockBack))
    }

    /// Whether the schedule has no fault that can make the app refuse a save permanently: a revoked
    /// permission to save, a full disk or another phone.
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
        // With this fault, a deleted UUID can be saved again and is then delivered again.
        let savedAgain = schedule.faults.contains(.duplicateUUID)
        var seen: Set<DeliveredChange> = []
        for change in ledger.changes where !seen.insert(change).inserted && !savedAgain {
            let kind = change.kind == .deleted ? "deletion" : "sample"
            violate(.deliversOnce, "a \(kind) of \(change.key.type) was delivered twice")
        }
    }

    private func checkOnceOrMore(_ changes: [DeliveredChange], _ name: String) throws {
        let faults = Set(schedule.faults)
        let hiding: Set<SyncFault.Kind> = [
            .shareRevoked, .readRevoked, .limitedHistory, .emptyPhone,
        ]
        guard faults.isDisjoint(with: hiding) else { return }
        let added = Set(changes.filter { $0.kind != .deleted }.map(\.uuid))
        let stored = try world.contents()
        for sample in stored where !added.contains(sample.uuid) {
            violate(
                .deliversOnceOrMore,
                "\(name) never received \(sample.type.rawValue) \(sample.number)")
        }
        let forgetting: Set<SyncFault.Kind> = [
            .tombstonesPurged, .tombstonesPurgedEarly, .anchorLost, .anchorForeign,
        ]
        guard faults.isDisjoint(with: forgetting) else { return }
        let deleted = Set(changes.filter { $0.kind == .deleted }.map(\.uuid))
        let lost = added.subtracting(stored.map(\.uuid)).subtracting(deleted)
        if !lost.isEmpty {
            violate(.deliversOnceOrMore, "\(name) never received \(lost.count) deletions")
        }
    }
}
