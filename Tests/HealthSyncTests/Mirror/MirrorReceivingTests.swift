import Foundation
import GRDB
import HealthTesting
import OpenHealthKit
import Testing

@testable import HealthSync

@Suite("the mirror stores each batch atomically and once")
struct MirrorReceivingTests {
    @Test("rows, deletions and the position are stored in one transaction")
    func together() async throws {
        let mirror = try Mirror.inMemory()
        var batches = TestBatches()
        let (one, two) = (TestSample(value: 80), TestSample(value: 81.5))
        try await mirror.receive(batches.next([one, two]))
        try await mirror.receive(batches.next(deleted: [one]))
        #expect(try await mirror.values() == [two.uuid: 81.5])
        #expect(try await mirror.tombstoneUUIDs() == [one.uuid])
        #expect(try await mirror.position(for: batches.key) == batches.position)
        #expect(try await mirror.positionKeys() == [batches.key])
    }

    @Test(
        "a process that is killed within a batch stores all or nothing of it",
        arguments: [
            SyncStep.transactionBegun, .rowsWritten, .positionWritten, .transactionCommitted,
        ])
    func killed(step: SyncStep) async throws {
        let folder = try MirrorFolder()
        var batches = TestBatches()
        let (old, new) = (TestSample(value: 80), TestSample(value: 81))
        try await folder.mirror().receive(batches.next([old]))
        let before = batches.position
        let batch = batches.next([new], deleted: [old])
        await #expect(throws: Killed.self) {
            try await folder.mirror(.killing(at: step)).receive(batch)
        }
        let mirror = try folder.mirror()
        let isKept = step == .transactionCommitted
        #expect(try await mirror.values() == (isKept ? [new.uuid: 81] : [old.uuid: 80]))
        #expect(try await mirror.tombstoneUUIDs() == (isKept ? [old.uuid] : []))
        #expect(
            try await mirror.position(for: batches.key) == (isKept ? batches.position : before))
    }

    @Test("a repeated batch is refused and changes nothing")
    func repeated() async throws {
        let mirror = try Mirror.inMemory()
        var batches = TestBatches()
        let sample = TestSample()
        let batch = batches.next([sample])
        try await mirror.receive(batch)
        try await mirror.receive(batches.next(deleted: [sample]))
        await #expect(throws: SyncError.positionMoved) { try await mirror.receive(batch) }
        #expect(try await mirror.values().isEmpty)
        #expect(try await mirror.position(for: batches.key) == batches.position)
    }

    @Test("the change counter is incremented by entries, not by positions alone")
    func changeCount() async throws {
        let mirror = try Mirror.inMemory()
        var batches = TestBatches()
        let counts = { try await mirror.read { try mirror.changeCount($0) } }
        try await mirror.receive(batches.next([TestSample()]))
        #expect(try await counts() == 1)
        try await mirror.receive(batches.next())
        try await mirror.setPosition(
            SyncPosition(anchor: Data(), phase: .changes, caughtUp: TestSample.noon),
            for: PositionKey(subscriber: "handler:x", type: "x"), expecting: nil)
        #expect(try await counts() == 1)
    }

    @Test("positions are read back unchanged, also those of the history phase")
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

    @Test("an entry has the sample's values and the configured metadata")
    func facts() async throws {
        var configuration = MirrorConfiguration()
        configuration.metadataKeys = ["kept"]
        let mirror = try Mirror.inMemory(configuration: configuration)
        let made = TestSample(
            value: 82.4, end: TestSample.noon.addingTimeInterval(60), sync: "s", version: 3,
            device: "Bathroom", extra: ["kept": "yes", "other": "no"])
        try await mirror.receive([made])
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

    @Test("values are stored in the configured unit")
    func units() async throws {
        var configuration = MirrorConfiguration()
        configuration.units[.bodyMass] = .pound()
        configuration.units[.stepCount] = .meter()
        let mirror = try Mirror.inMemory(configuration: configuration)
        let (mass, steps) = (TestSample(value: 45.359237), TestSample(type: .stepCount, value: 7))
        try await mirror.receive([mass, steps])
        let content = try #require(await mirror.entry(mass.uuid)).content
        guard case .quantity(let value, "lb") = content else {
            Issue.record("kept in another unit than pounds")
            return
        }
        #expect(abs(value - 100) < 1e-9)
        #expect(try await mirror.entry(steps.uuid)?.content == .quantity(7, unit: "count"))
    }
}

@Suite("attachments follow their sample")
struct MirrorSuccessionTests {
    enum Order: CaseIterable {
        case onePage, tombstoneFirst, successorFirst, tombstonePurged
    }

    @Test("a replaced sample's attachments move to its successor", arguments: Order.allCases)
    func replaced(order: Order) async throws {
        let mirror = try Mirror.inMemory()
        var batches = TestBatches()
        let old = TestSample(value: 80, sync: "s", version: 1)
        let new = TestSample(value: 81, sync: "s", version: 2)
        try await mirror.receive(batches.next([old]))
        let note = try await mirror.attach(.note("before breakfast"), to: old.uuid)
        switch order {
        case .onePage: try await mirror.receive(batches.next([new], deleted: [old]))
        case .tombstoneFirst:
            try await mirror.receive(batches.next(deleted: [old]))
            try await mirror.receive(batches.next([new]))
        case .successorFirst:
            try await mirror.receive(batches.next([new]))
            try await mirror.receive(batches.next(deleted: [old]))
        case .tombstonePurged: try await mirror.receive(batches.next([new]))
        }
        #expect(try await mirror.values() == [new.uuid: 81])
        #expect(try await mirror.attachments(of: new.uuid).map(\.id) == [note.id])
        #expect(try await mirror.attachments(of: new.uuid).first?.target.entry == new.uuid)
        #expect(try await mirror.unattached().isEmpty)
    }

    @Test("a sample of another app or type with the same sync identifier gets no attachments")
    func strangers() async throws {
        let mirror = try Mirror.inMemory()
        let old = TestSample(sync: "s")
        try await mirror.receive([old])
        try await mirror.attach(.note("mine"), to: old.uuid)
        try await mirror.receive([
            TestSample(bundle: "com.example.other", sync: "s", version: 2),
            TestSample(type: .stepCount, sync: "s", version: 2),
        ])
        var batches = TestBatches()
        try await mirror.receive(batches.next(deleted: [old]))
        #expect(try await mirror.unattached().count == 1)
        #expect(try await mirror.values().count == 2)
    }

    @Test("a deleted sample's attachments stay unattached, with their target")
    func deleted() async throws {
        let mirror = try Mirror.inMemory()
        var batches = TestBatches()
        let sample = TestSample(sync: "s")
        try await mirror.receive(batches.next([sample]))
        let tag = try await mirror.attach(.tag("fasted"), to: sample.uuid)
        try await mirror.receive(batches.next(deleted: [sample]))
        let left = try #require(await mirror.unattached().first)
        #expect(left.id == tag.id && left.content == .tag("fasted") && !left.isAttached)
        #expect(
            left.target
                == HealthSync.Attachment.Target(
                    entry: sample.uuid, type: TestSample.mass.identifier, start: sample.start,
                    syncIdentifier: "s", bundleIdentifier: "com.example.scale"))
        #expect(try await mirror.attachments(of: sample.uuid).isEmpty)
        #expect(try await mirror.tags().isEmpty)
    }

    @Test("a UUID that is saved again has an entry and its attachments again")
    func savedAgain() async throws {
        let mirror = try Mirror.inMemory()
        var batches = TestBatches()
        let sample = TestSample()
        try await mirror.receive(batches.next([sample]))
        try await mirror.attach(.note("still here"), to: sample.uuid)
        try await mirror.receive(batches.next(deleted: [sample]))
        try await mirror.receive(batches.next([sample]))
        #expect(try await mirror.tombstoneUUIDs().isEmpty)
        #expect(try await mirror.attachments(of: sample.uuid).count == 1)
        #expect(try await mirror.unattached().isEmpty)
    }

    @Test("a sample in one page with its tombstone is stored")
    func bothInOnePage() async throws {
        let mirror = try Mirror.inMemory()
        var batches = TestBatches()
        let sample = TestSample()
        try await mirror.receive(batches.next([sample], deleted: [sample]))
        #expect(try await mirror.values().count == 1)
        #expect(try await mirror.tombstoneUUIDs().isEmpty)
    }

    @Test("the tombstone of an unknown sample is stored with its version")
    func neverSeen() async throws {
        let mirror = try Mirror.inMemory()
        var batches = TestBatches()
        let sample = TestSample(sync: "s", version: 4)
        try await mirror.receive(batches.next(deleted: [sample]))
        #expect(try await mirror.tombstoneUUIDs() == [sample.uuid])
        let version = try await mirror.read { db in
            try mirror.deletedVersion(
                syncIdentifier: "s", type: TestSample.mass.identifier, bundle: "any", db)
        }
        #expect(version == 4)
    }
}
