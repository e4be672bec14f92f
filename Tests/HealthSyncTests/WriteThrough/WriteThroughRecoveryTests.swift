import Foundation
import HealthSync
import OpenHealthKit
import Testing

@Suite struct WriteThroughRecoveryTests {
    @Test("a save on a locked device is unconfirmed, and is an entry after the unlock")
    func locked() async throws {
        let world = try await WritesWorld()
        world.store.protectedData.lock()
        let reason = try await world.reason { try await world.writing().log(world.draft()) }
        #expect(reason == .unconfirmed)
        #expect(try await world.entries().isEmpty)
        guard case .waiting(let refusal) = try await world.writing().recover().first else {
            Issue.record("it did not wait")
            return
        }
        #expect(refusal.reason == .locked)
        world.store.protectedData.unlock()
        guard case .acknowledged = try await world.writing().recover().first else {
            Issue.record("not acknowledged")
            return
        }
        try await world.expectConsistent("locked")
        #expect(try await world.stored().count == 1)
    }

    @Test("a sample saved while locked and deleted before it was read is not written again")
    func lockedAndDeleted() async throws {
        for purges in [false, true] {
            let world = try await WritesWorld()
            world.store.protectedData.lock()
            _ = try await world.reason { try await world.writing().log(world.draft()) }
            world.store.protectedData.unlock()
            try await world.personDeletes(try await world.stored())
            if purges { try world.purgeTombstones() }
            let recovery = try #require(try await world.writing().recover().first)
            switch recovery {
            case .deleted: #expect(!purges)
            case .waiting(let refusal): #expect(purges && refusal.reason == .unconfirmed)
            default: Issue.record("\(recovery)")
            }
            #expect(try await world.stored().isEmpty)
        }
    }

    @Test("a pending write older than the tombstone lifetime is not saved automatically")
    func old() async throws {
        let world = try await WritesWorld()
        let draft = world.draft()
        world.kill.arm(.sampleSaved)
        _ = try await world.reason { try await world.writing().log(draft) }
        try await world.personDeletes(try await world.stored())
        try world.purgeTombstones()
        world.clock { $0 += 8 * 86_400 }
        for _ in 0..<2 {
            guard case .undecided(let undecided) = try await world.writing().recover().first else {
                Issue.record("it was decided")
                return
            }
            #expect(undecided == draft)
        }
        try await world.reconcile()
        #expect(try await world.stored().isEmpty)
        // The user saves it again.
        try await world.writing().log(draft)
        try await world.expectConsistent("old")
        #expect(try await world.stored().count == 1)
    }

    @Test("an abandoned pending write is removed from the journal")
    func abandoned() async throws {
        let world = try await WritesWorld()
        let draft = world.draft()
        world.kill.arm(.writeJournalled)
        _ = try await world.reason { try await world.writing().log(draft) }
        try await world.writing().abandon(draft.id)
        #expect(try await world.writing().recover().isEmpty)
        #expect(try await world.stored().isEmpty)
    }

    @Test("a journal on a new phone with an empty store is left undecided")
    func foreignStore() async throws {
        let world = try await WritesWorld()
        try await world.sync()
        _ = try await world.save(70, at: 0)
        try await world.sync()
        world.kill.arm(.writeJournalled)
        _ = try await world.reason { try await world.writing().log(world.draft(at: 60)) }
        let phone = HKHealthStore.inMemory(identity: AppIdentity("com.example.weights"))
        try phone.setAuthorization(.granted, for: [WritesWorld.mass])
        guard case .undecided = try await world.writing(phone).recover().first else {
            Issue.record("it was decided")
            return
        }
    }

    @Test(
        "if sharing is revoked between journal and save, the write waits until it is granted again")
    func revoked() async throws {
        let world = try await WritesWorld()
        world.kill.arm(.writeJournalled)
        _ = try await world.reason { try await world.writing().log(world.draft()) }
        try world.store.setAuthorization(.readOnly, for: [WritesWorld.mass])
        guard case .waiting(let refusal) = try await world.writing().recover().first else {
            Issue.record("it did not wait")
            return
        }
        #expect(refusal.reason == .denied)
        try world.store.setAuthorization(.granted, for: [WritesWorld.mass])
        try await world.writing().recover()
        try await world.expectConsistent("revoked")
        #expect(try await world.stored().count == 1)
    }

    @Test("a deleted draft is refused, and is saved under a new identifier")
    func deleted() async throws {
        let world = try await WritesWorld()
        try await world.sync()
        let draft = world.draft()
        try await world.writing().log(draft)
        try await world.personDeletes(try await world.stored())
        try await world.sync()
        let reason = try await world.reason { try await world.writing().log(draft) }
        #expect(reason == .deleted)
        #expect(try await world.stored().isEmpty)
        try await world.writing().log(draft.renewed())
        #expect(try await world.stored().count == 1)
    }

    @Test("a draft logged again after a kill and a deletion is refused, not written twice")
    func killedAndDeleted() async throws {
        let world = try await WritesWorld()
        let draft = world.draft()
        world.kill.arm(.sampleSaved)
        _ = try await world.reason { try await world.writing().log(draft) }
        try await world.personDeletes(try await world.stored())
        let reason = try await world.reason { try await world.writing().log(draft) }
        #expect(reason == .deleted)
        #expect(try await world.stored().isEmpty)
    }

    @Test("a later version of another device is a conflict, and stays")
    func overtaken() async throws {
        let world = try await WritesWorld()
        let entry = try await world.writing().log(world.draft(82, id: "one"))
        world.kill.arm(.writeJournalled)
        _ = try await world.reason {
            try await world.writing().edit(entry.id, to: world.draft(81))
        }
        let theirs = try await world.save(70, at: 0, by: world.store, sync: ("one", 2))
        guard case .conflict(_, let version) = try await world.writing().recover().first else {
            Issue.record("no conflict")
            return
        }
        #expect(version == 2)
        #expect(try await world.stored().map(\.uuid) == [theirs.uuid])
        try await world.sync()
        try await world.writing().edit(theirs.uuid, to: world.draft(81))
        try await world.expectConsistent("overtaken")
        #expect(try await world.entries().map(\.kilograms) == [81])
    }

    @Test("if the mirror can't be written after the save, recovery completes the write later")
    func fullDisk() async throws {
        let world = try await WritesWorld()
        let full = FailingDisk(world)
        let reason = try await world.reason {
            try await full.writing(failing: 1).log(world.draft())
        }
        #expect(reason == .disk)
        #expect(try await world.stored().isEmpty)
        let later = try await world.reason { try await full.writing(failing: 2).log(world.draft()) }
        #expect(later == .unconfirmed)
        #expect(try await world.stored().count == 1)
        try await world.writing().recover()
        try await world.expectConsistent("full disk")
    }

    @Test("a sample deleted between read-back and acknowledgement is refused and has no entry")
    func deletedAtOnce() async throws {
        let world = try await WritesWorld()
        try await world.sync()
        let mirror = world.mirror
        let writing = WriteThrough(
            store: world.store, mirror: mirror,
            probe: world.deleting(at: .sampleReadBack) { mirror })
        let reason = try await world.reason { try await writing.log(world.draft()) }
        #expect(reason == .deleted)
        try await world.expectConsistent("deleted at once")
        #expect(try await world.stored().isEmpty)
    }
}
