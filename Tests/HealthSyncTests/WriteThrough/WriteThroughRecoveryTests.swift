import Foundation
import HealthSync
import OpenHealthKit
import Testing

@Suite struct WriteThroughRecoveryTests {
    @Test("what is saved while locked is unconfirmed, and is an entry after the unlock")
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
        try await world.expectSettled("locked")
        #expect(try await world.stored().count == 1)
    }

    @Test("what was saved while locked and deleted before anybody looked is not written again")
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

    @Test("a wish older than HealthKit's memory of deletions is not carried out by itself")
    func old() async throws {
        let world = try await WritesWorld()
        let draft = world.draft()
        world.kill.arm(.sampleSaved)
        _ = try await world.reason { try await world.writing().log(draft) }
        try await world.personDeletes(try await world.stored())
        try world.purgeTombstones()
        world.clock { $0 += 8 * 86_400 }
        for _ in 0..<2 {
            guard case .undecided(let told) = try await world.writing().recover().first else {
                Issue.record("it was decided")
                return
            }
            #expect(told == draft)
        }
        try await world.reconcile()
        #expect(try await world.stored().isEmpty)
        // The user saves it again.
        try await world.writing().log(draft)
        try await world.expectSettled("old")
        #expect(try await world.stored().count == 1)
    }

    @Test("an old wish that the app gives up leaves the journal")
    func abandoned() async throws {
        let world = try await WritesWorld()
        let draft = world.draft()
        world.kill.arm(.intentJournalled)
        _ = try await world.reason { try await world.writing().log(draft) }
        try await world.writing().abandon(draft.id)
        #expect(try await world.writing().recover().isEmpty)
        #expect(try await world.stored().isEmpty)
    }

    @Test("a journal that a new phone's empty store doesn't know is for the person to decide")
    func foreignStore() async throws {
        let world = try await WritesWorld()
        try await world.sync()
        _ = try await world.save(70, at: 0)
        try await world.sync()
        world.kill.arm(.intentJournalled)
        _ = try await world.reason { try await world.writing().log(world.draft(at: 60)) }
        let phone = HKHealthStore.inMemory(identity: AppIdentity("com.example.weights"))
        try phone.setAuthorization(.granted, for: [WritesWorld.mass])
        guard case .undecided = try await world.writing(phone).recover().first else {
            Issue.record("it was decided")
            return
        }
    }

    @Test("share revoked between journal and save is told, and the wish waits until it is back")
    func revoked() async throws {
        let world = try await WritesWorld()
        world.kill.arm(.intentJournalled)
        _ = try await world.reason { try await world.writing().log(world.draft()) }
        try world.store.setAuthorization(.readOnly, for: [WritesWorld.mass])
        guard case .waiting(let refusal) = try await world.writing().recover().first else {
            Issue.record("it did not wait")
            return
        }
        #expect(refusal.reason == .denied)
        try world.store.setAuthorization(.granted, for: [WritesWorld.mass])
        try await world.writing().recover()
        try await world.expectSettled("revoked")
        #expect(try await world.stored().count == 1)
    }

    @Test("a draft that the person has deleted since is refused, and is written under a new name")
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

    @Test("a version of another device's that came after the kill is told, and stays")
    func overtaken() async throws {
        let world = try await WritesWorld()
        let entry = try await world.writing().log(world.draft(82, id: "one"))
        world.kill.arm(.intentJournalled)
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
        try await world.expectSettled("overtaken")
        #expect(try await world.entries().map(\.kilograms) == [81])
    }

    @Test("a mirror that can't be written at the end leaves the wish, and it is settled later")
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
        try await world.expectSettled("full disk")
    }

    @Test("what is deleted between its reading back and its entry is refused, and no entry")
    func deletedAtOnce() async throws {
        let world = try await WritesWorld()
        try await world.sync()
        let mirror = world.mirror
        let writing = WriteThrough(
            store: world.store, mirror: mirror,
            probe: world.deleting(at: .sampleReadBack) { mirror })
        let reason = try await world.reason { try await writing.log(world.draft()) }
        #expect(reason == .deleted)
        try await world.expectSettled("deleted at once")
        #expect(try await world.stored().isEmpty)
    }
}
