import Foundation
import HealthSync
import HealthTesting
import OpenHealthKit
import Testing

@Suite struct ReconciliationTests {
    @Test("samples that the mirror lacks are added", .inTestAll)
    func added() async throws {
        let world = try await WritesWorld()
        for number in 0..<2_500 { _ = try await world.save(80, at: Double(number / 3)) }
        let report = try await world.reconcile()
        #expect(report.added == 2_500 && report.samples == 2_500)
        try await world.expectSame("added")
        #expect(try await !world.reconcile().foundDifferences)
    }

    @Test("different values are replaced by HealthKit's")
    func differing() async throws {
        let world = try await WritesWorld()
        let sample = try await world.save(80, at: 0)
        _ = try await world.save(81, at: 1)
        try await world.reconcile()
        try await world.corrupt(sample.uuid)
        let report = try await world.reconcile()
        #expect(report.changed == 1 && report.added == 0)
        #expect(try await world.entries().map(\.kilograms) == [80, 81])
    }

    @Test("an own sample missing without a tombstone is removed, and its note stays unattached")
    func proven() async throws {
        let world = try await WritesWorld()
        var draft = world.draft(82)
        draft.attachments = [.note("kept")]
        let entry = try await world.writing().log(draft)
        try await world.writing().log(world.draft(83, at: 60))
        try await world.personDeletes(try await world.stored().filter { $0.uuid == entry.id })
        try world.purgeTombstones()
        let report = try await world.reconcile()
        #expect(report.removed == 1 && report.hidden == 0)
        #expect(try await world.mirror.entry(entry.id) == nil)
        #expect(try await world.mirror.unattached().map(\.content) == [.note("kept")])
    }

    @Test("another app's sample missing without a tombstone is marked as not visible")
    func foreign() async throws {
        let world = try await WritesWorld()
        let theirs = try await world.save(80, at: 0)
        try await world.writing().log(world.draft(83, at: 60))
        try await world.sync()
        try await world.personDeletes([theirs])
        try world.purgeTombstones()
        let report = try await world.reconcile()
        #expect(report.hidden == 1 && report.removed == 0)
        #expect(try await world.mirror.entry(theirs.uuid)?.state == .notVisible)
        #expect(try await !world.reconcile().foundDifferences)
    }

    @Test("if no sample of a window is returned, all are marked as not visible")
    func empty() async throws {
        let world = try await WritesWorld()
        let entry = try await world.writing().log(world.draft())
        try await world.personDeletes(try await world.stored())
        try world.purgeTombstones()
        let report = try await world.reconcile()
        #expect(report.hidden == 1 && report.removed == 0)
        #expect(try await world.mirror.entry(entry.id)?.state == .notVisible)
    }

    @Test(
        "without sharing authorization nothing counts as deleted, and entries return with it",
        arguments: [AuthorizationDecision.denied, .readOnly])
    func revoked(_ answer: AuthorizationDecision) async throws {
        let world = try await WritesWorld()
        try await world.writing().log(world.draft())
        _ = try await world.save(80, at: 60)
        try await world.sync()
        try world.store.setAuthorization(answer, for: [WritesWorld.mass])
        let report = try await world.reconcile()
        #expect(report.removed == 0)
        try await world.expectSame("revoked")
        try world.store.setAuthorization(.granted, for: [WritesWorld.mass])
        let again = try await world.reconcile()
        #expect(again.shownAgain == report.hidden && again.added == 0)
        #expect(try await world.entries().count == 2)
    }

    @Test("sharing that is revoked during the comparison proves nothing")
    func revokedMeanwhile() async throws {
        let world = try await WritesWorld()
        let entry = try await world.writing().log(world.draft())
        try await world.writing().log(world.draft(83, at: 60))
        try await world.personDeletes(try await world.stored().filter { $0.uuid == entry.id })
        try world.purgeTombstones()
        let store = world.store
        let mirror = try Mirror.inMemory(
            probe: SyncProbe { step in
                guard step == .windowRead else { return }
                try store.setAuthorization(.readOnly, for: [WritesWorld.mass])
            })
        try await world.copyEntries(to: mirror, also: [entry.id: 82])
        let report = try await mirror.reconcile(
            [TrackedType(WritesWorld.mass)], over: .everything, with: store)
        #expect(report.removed == 0 && report.hidden == 1)
    }

    @Test("a sample that another filter matches is not deleted")
    func filtered() async throws {
        let world = try await WritesWorld()
        let entry = try await world.writing().log(world.draft(82))
        try await world.writing().log(world.draft(83, at: 60))
        let later = TrackedType(
            WritesWorld.mass,
            where: HKQuery.predicateForSamples(
                withStart: WritesWorld.noon.addingTimeInterval(30), end: nil,
                options: .strictStartDate), named: "later")
        let report = try await world.reconcile(.everything, [later])
        #expect(report.removed == 0 && report.hidden == 1)
        #expect(try await world.mirror.entry(entry.id)?.state == .notVisible)
        let earlier = TrackedType(
            WritesWorld.mass,
            where: HKQuery.predicateForSamples(
                withStart: nil, end: WritesWorld.noon.addingTimeInterval(30)), named: "earlier")
        let both = try await world.reconcile(.everything, [later, earlier])
        #expect(both.shownAgain == 1)
    }

    @Test("only starts within the window are compared")
    func window() async throws {
        let world = try await WritesWorld()
        let day = 86_400.0
        let old = try await world.save(70, at: -91 * day)
        let border = try await world.save(71, at: -90 * day)
        _ = try await world.save(72, at: 0)
        try await world.reconcile(.days(90))
        #expect(try await world.entries().map(\.id).contains(old.uuid) == false)
        #expect(try await world.entries().first?.id == border.uuid)
        try await world.reconcile()
        try await world.personDeletes([old, border])
        try world.purgeTombstones()
        let report = try await world.reconcile(.days(90))
        #expect(report.hidden == 1)
        #expect(try await world.mirror.entry(old.uuid)?.state == .synced)
    }

    @Test("a locked device is reported, and nothing changes")
    func locked() async throws {
        let world = try await WritesWorld()
        try await world.writing().log(world.draft())
        world.store.protectedData.lock()
        let report = try await world.reconcile()
        #expect(report.failures[WritesWorld.mass.identifier]?.code == .errorDatabaseInaccessible)
        #expect(try await world.entries().count == 1)
    }

    @Test("a sample that is deleted while HealthKit is read does not reappear")
    func deletedMeanwhile() async throws {
        let world = try await WritesWorld()
        let sample = try await world.save(80, at: 0)
        let kept = try await world.save(81, at: 60)
        let box = LockedBox<Mirror?>(nil)
        let mirror = try Mirror.inMemory(
            probe: world.deleting([sample], at: .windowRead) { box { $0 } })
        box { $0 = mirror }
        let report = try await mirror.reconcile(
            [TrackedType(WritesWorld.mass)], over: .everything, with: world.store)
        #expect(report.added == 1)
        #expect(try await mirror.entries(of: WritesWorld.mass).map(\.id) == [kept.uuid])
        #expect(try await world.stored().map(\.uuid) == [kept.uuid])
        box { $0 = nil }
    }

    @Test("a watcher compares everything after its mirror's position was lost")
    func lostPosition() async throws {
        let world = try await WritesWorld()
        let entry = try await world.writing().log(world.draft())
        try await world.writing().log(world.draft(83, at: 60))
        let theirs = try await world.save(70, at: 120)
        // A sync queries each app's oldest and newest entry, so the deleted ones are between
        // others.
        try await world.writing().log(world.draft(81, at: -120))
        _ = try await world.save(69, at: -60)
        _ = try await world.save(72, at: 180)
        try await world.sync()
        try await world.personDeletes(
            try await world.stored().filter { $0.uuid == entry.id || $0.uuid == theirs.uuid })
        try world.purgeTombstones()
        try await world.sync()
        #expect(try await world.entries().count == 6)
        let key = PositionKey(subscriber: "mirror", type: WritesWorld.mass.identifier)
        let position = try #require(try await world.mirror.position(for: key))
        var broken = position
        broken.anchor = Data([1, 2, 3])
        try await world.mirror.setPosition(broken, for: key, expecting: position)
        try await world.sync()
        try await world.expectSame("lost position")
        #expect(try await world.mirror.entry(entry.id) == nil)
        #expect(try await world.mirror.entry(theirs.uuid)?.state == .notVisible)
    }

    @Test("a watcher compares everything after a week without reads")
    func stale() async throws {
        let world = try await WritesWorld()
        let theirs = try await world.save(70, at: -400 * 86_400)
        _ = try await world.save(71, at: 0)
        // It isn't the oldest one, which every sync queries.
        _ = try await world.save(69, at: -401 * 86_400)
        try await world.sync()
        try await world.personDeletes([theirs])
        try world.purgeTombstones()
        world.clock { $0 += 6 * 86_400 }
        try await world.sync()
        #expect(try await world.entries().count == 3)
        world.clock { $0 += 8 * 86_400 }
        try await world.sync()
        try await world.expectSame("stale")
    }

    @Test("a started watcher compares the last 90 days and completes the journal")
    func started() async throws {
        let world = try await WritesWorld()
        let theirs = try await world.save(70, at: 0)
        _ = try await world.save(71, at: 60)
        try await world.sync()
        try await world.personDeletes([theirs])
        try world.purgeTombstones()
        world.kill.arm(.sampleSaved)
        _ = try await world.reason { try await world.writing().log(world.draft(at: 120)) }
        let clock = world.clock
        let watcher = Watcher(
            store: world.store, types: [TrackedType(WritesWorld.mass)], positions: world.mirror,
            now: { clock { $0 } })
        try await watcher.mirror(into: world.mirror)
        await watcher.start()
        try await eventually {
            try await world.mirror.entry(theirs.uuid)?.state == .notVisible
        }
        try await world.expectConsistent("started")
        await watcher.stop()
    }
}
