import Foundation
import GRDB
import HealthTesting
import OpenHealthKit
import Testing

@testable import HealthSync

@Suite("the mirror takes batches whole and once")
struct MirrorReceivingTests {
    @Test("rows, deletions and the position are kept together")
    func together() async throws {
        let mirror = try Mirror.inMemory()
        var batches = MadeBatches()
        let (one, two) = (MadeSample(value: 80), MadeSample(value: 81.5))
        try await mirror.take(batches.next([one, two]))
        try await mirror.take(batches.next(deleted: [one]))
        #expect(try await mirror.values() == [two.uuid: 81.5])
        #expect(try await mirror.goneUUIDs() == [one.uuid])
        #expect(try await mirror.position(for: batches.key) == batches.position)
        #expect(try await mirror.positionKeys() == [batches.key])
    }

    @Test(
        "a process that dies within a batch leaves all or nothing of it",
        arguments: [
            SyncStep.transactionBegun, .rowsWritten, .positionWritten, .transactionCommitted,
        ])
    func killed(step: SyncStep) async throws {
        let folder = try MirrorFolder()
        var batches = MadeBatches()
        let (old, new) = (MadeSample(value: 80), MadeSample(value: 81))
        try await folder.mirror().take(batches.next([old]))
        let before = batches.position
        let batch = batches.next([new], deleted: [old])
        await #expect(throws: Killed.self) {
            try await folder.mirror(.killing(at: step)).take(batch)
        }
        let mirror = try folder.mirror()
        let isKept = step == .transactionCommitted
        #expect(try await mirror.values() == (isKept ? [new.uuid: 81] : [old.uuid: 80]))
        #expect(try await mirror.goneUUIDs() == (isKept ? [old.uuid] : []))
        #expect(
            try await mirror.position(for: batches.key) == (isKept ? batches.position : before))
    }

    @Test("a batch that comes again is refused and changes nothing")
    func repeated() async throws {
        let mirror = try Mirror.inMemory()
        var batches = MadeBatches()
        let sample = MadeSample()
        let batch = batches.next([sample])
        try await mirror.take(batch)
        try await mirror.take(batches.next(deleted: [sample]))
        await #expect(throws: SyncError.positionMoved) { try await mirror.take(batch) }
        #expect(try await mirror.values().isEmpty)
        #expect(try await mirror.position(for: batches.key) == batches.position)
    }

    @Test("the change counter rises with entries, not with positions alone")
    func changeCount() async throws {
        let mirror = try Mirror.inMemory()
        var batches = MadeBatches()
        let counts = { try await mirror.read { try mirror.changeCount($0) } }
        try await mirror.take(batches.next([MadeSample()]))
        #expect(try await counts() == 1)
        try await mirror.take(batches.next())
        try await mirror.setPosition(
            SyncPosition(anchor: Data(), phase: .changes, caughtUp: MadeSample.noon),
            for: PositionKey(subscriber: "handler:x", type: "x"), expecting: nil)
        #expect(try await counts() == 1)
    }

    @Test("positions come back as they were given, of history too")
    func positions() async throws {
        let mirror = try Mirror.inMemory()
        let key = PositionKey(subscriber: "mirror", type: "a", filter: "f")
        let first = SyncPosition(
            anchor: Data([1, 0, 2]), phase: .history(before: .distantFuture),
            caughtUp: Date(timeIntervalSinceReferenceDate: 0.1))
        try await mirror.setPosition(first, for: key, expecting: nil)
        #expect(try await mirror.position(for: key) == first)
        var second = first
        second.phase = .changes
        await #expect(throws: SyncError.positionMoved) {
            try await mirror.setPosition(second, for: key, expecting: second)
        }
        try await mirror.setPosition(second, for: key, expecting: first)
        #expect(try await mirror.position(for: key) == second)
        try await mirror.removePositions([key])
        #expect(try await mirror.position(for: key) == nil)
    }

    @Test("an entry holds what its sample does, and of metadata what was asked for")
    func facts() async throws {
        var configuration = MirrorConfiguration()
        configuration.metadataKeys = ["kept"]
        let mirror = try Mirror.inMemory(configuration: configuration)
        let made = MadeSample(
            value: 82.4, end: MadeSample.noon.addingTimeInterval(60), sync: "s", version: 3,
            device: "Bathroom", extra: ["kept": "yes", "other": "no"])
        try await mirror.take([made])
        let entry = try #require(await mirror.entry(made.uuid))
        #expect(entry.content == .quantity(82.4, unit: "kg"))
        #expect(entry.type == "HKQuantityTypeIdentifierBodyMass")
        #expect(entry.start == made.start && entry.end == made.end)
        #expect(entry.sourceName == "Scale" && entry.bundleIdentifier == "com.example.scale")
        #expect(entry.device == "Bathroom")
        #expect(entry.syncIdentifier == "s" && entry.syncVersion == 3)
        #expect(
            entry.metadata == [
                "kept": .text("yes"), HKMetadataKeySyncIdentifier: .text("s"),
                HKMetadataKeySyncVersion: .number(3),
            ])
        #expect(entry.state == .synced)
    }

    @Test("values are kept in the unit that was asked for")
    func units() async throws {
        var configuration = MirrorConfiguration()
        configuration.units[.bodyMass] = .pound()
        configuration.units[.stepCount] = .meter()
        let mirror = try Mirror.inMemory(configuration: configuration)
        let (mass, steps) = (MadeSample(value: 45.359237), MadeSample(type: .stepCount, value: 7))
        try await mirror.take([mass, steps])
        let content = try #require(await mirror.entry(mass.uuid)).content
        guard case .quantity(let value, "lb") = content else {
            Issue.record("kept in another unit than pounds")
            return
        }
        #expect(abs(value - 100) < 1e-9)
        #expect(try await mirror.entry(steps.uuid)?.content == .quantity(7, unit: "count"))
    }
}

@Suite("what hangs on a sample follows it")
struct MirrorSuccessionTests {
    enum Order: CaseIterable {
        case onePage, tombstoneFirst, successorFirst, tombstonePurged
    }

    @Test("a replaced sample's attachments go to its successor", arguments: Order.allCases)
    func replaced(order: Order) async throws {
        let mirror = try Mirror.inMemory()
        var batches = MadeBatches()
        let old = MadeSample(value: 80, sync: "s", version: 1)
        let new = MadeSample(value: 81, sync: "s", version: 2)
        try await mirror.take(batches.next([old]))
        let note = try await mirror.attach(.note("before breakfast"), to: old.uuid)
        switch order {
        case .onePage: try await mirror.take(batches.next([new], deleted: [old]))
        case .tombstoneFirst:
            try await mirror.take(batches.next(deleted: [old]))
            try await mirror.take(batches.next([new]))
        case .successorFirst:
            try await mirror.take(batches.next([new]))
            try await mirror.take(batches.next(deleted: [old]))
        case .tombstonePurged: try await mirror.take(batches.next([new]))
        }
        #expect(try await mirror.values() == [new.uuid: 81])
        #expect(try await mirror.attachments(of: new.uuid).map(\.id) == [note.id])
        #expect(try await mirror.attachments(of: new.uuid).first?.place.entry == new.uuid)
        #expect(try await mirror.unattached().isEmpty)
    }

    @Test("another app's or type's sample of the same sync identifier gets nothing")
    func strangers() async throws {
        let mirror = try Mirror.inMemory()
        let old = MadeSample(sync: "s")
        try await mirror.take([old])
        try await mirror.attach(.note("mine"), to: old.uuid)
        try await mirror.take([
            MadeSample(bundle: "com.example.other", sync: "s", version: 2),
            MadeSample(type: .stepCount, sync: "s", version: 2),
        ])
        var batches = MadeBatches()
        try await mirror.take(batches.next(deleted: [old]))
        #expect(try await mirror.unattached().count == 1)
        #expect(try await mirror.values().count == 2)
    }

    @Test("a deleted sample's attachments stay, with what they hung on")
    func deleted() async throws {
        let mirror = try Mirror.inMemory()
        var batches = MadeBatches()
        let sample = MadeSample(sync: "s")
        try await mirror.take(batches.next([sample]))
        let tag = try await mirror.attach(.tag("fasted"), to: sample.uuid)
        try await mirror.take(batches.next(deleted: [sample]))
        let left = try #require(await mirror.unattached().first)
        #expect(left.id == tag.id && left.content == .tag("fasted") && !left.isAttached)
        #expect(
            left.place
                == HealthSync.Attachment.Place(
                    entry: sample.uuid, type: MadeSample.mass.identifier, start: sample.start,
                    syncIdentifier: "s", bundleIdentifier: "com.example.scale"))
        #expect(try await mirror.attachments(of: sample.uuid).isEmpty)
        #expect(try await mirror.tags().isEmpty)
    }

    @Test("a UUID that is saved again lives again and has its attachments back")
    func savedAgain() async throws {
        let mirror = try Mirror.inMemory()
        var batches = MadeBatches()
        let sample = MadeSample()
        try await mirror.take(batches.next([sample]))
        try await mirror.attach(.note("still here"), to: sample.uuid)
        try await mirror.take(batches.next(deleted: [sample]))
        try await mirror.take(batches.next([sample]))
        #expect(try await mirror.goneUUIDs().isEmpty)
        #expect(try await mirror.attachments(of: sample.uuid).count == 1)
        #expect(try await mirror.unattached().isEmpty)
    }

    @Test("a sample that is in a page together with its tombstone lives")
    func bothInOnePage() async throws {
        let mirror = try Mirror.inMemory()
        var batches = MadeBatches()
        let sample = MadeSample()
        try await mirror.take(batches.next([sample], deleted: [sample]))
        #expect(try await mirror.values().count == 1)
        #expect(try await mirror.goneUUIDs().isEmpty)
    }

    @Test("the tombstone of a sample that was never seen is remembered, with its version")
    func neverSeen() async throws {
        let mirror = try Mirror.inMemory()
        var batches = MadeBatches()
        let sample = MadeSample(sync: "s", version: 4)
        try await mirror.take(batches.next(deleted: [sample]))
        #expect(try await mirror.goneUUIDs() == [sample.uuid])
        let version = try await mirror.read { db in
            try mirror.goneVersion(
                syncIdentifier: "s", type: MadeSample.mass.identifier, bundle: "any", db)
        }
        #expect(version == 4)
    }
}
