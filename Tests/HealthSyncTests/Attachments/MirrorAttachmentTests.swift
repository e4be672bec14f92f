import Foundation
import GRDB
import HealthTesting
import OpenHealthKit
import Testing

@testable import HealthSync

@Suite("notes, tags, photos and numbers")
struct MirrorAttachmentTests {
    private let sample = TestSample()

    private func filled(now: Date = TestSample.noon) async throws -> Mirror {
        let mirror = try Mirror.inMemory(configuration: MirrorConfiguration(now: { now }))
        try await mirror.receive([sample])
        return mirror
    }

    @Test("attachments are read back, changed and removed")
    func life() async throws {
        let mirror = try await filled()
        let note = try await mirror.attach(.note("one"), to: sample.uuid)
        let number = try await mirror.attach(.number("waist", 88.5, unit: "cm"), to: sample.uuid)
        #expect(Set(try await mirror.attachments(of: sample.uuid)) == [note, number])
        #expect(note.created == TestSample.noon && note.target.entry == sample.uuid)
        let changed = try await mirror.changeAttachment(note.id, to: .note("two"))
        #expect(changed.content == .note("two") && changed.created == note.created)
        #expect(changed.modified > note.modified)
        try await mirror.removeAttachment(number.id)
        #expect(try await mirror.attachments(of: sample.uuid) == [changed])
        #expect(
            try await mirror.attachments(of: [sample.uuid, UUID()]) == [sample.uuid: [changed]])
    }

    @Test("an unattached attachment can be attached to another entry")
    func reattached() async throws {
        let mirror = try await filled()
        let other = TestSample(value: 70)
        let note = try await mirror.attach(.note("kept"), to: sample.uuid)
        var batches = TestBatches()
        try await mirror.receive(batches.next([other], deleted: [sample]))
        #expect(try await mirror.unattached().map(\.id) == [note.id])
        try await mirror.reattach(note.id, to: other.uuid)
        #expect(try await mirror.unattached().isEmpty)
        #expect(try await mirror.attachments(of: other.uuid).map(\.content) == [.note("kept")])
    }

    @Test("invalid attachments are refused, and nothing changes")
    func refused() async throws {
        let mirror = try await filled()
        let unknownID = UUID()
        await #expect(throws: MirrorError.unknownEntry(unknownID)) {
            try await mirror.attach(.note("lost"), to: unknownID)
        }
        await #expect(throws: MirrorError.unknownAttachment(unknownID)) {
            try await mirror.removeAttachment(unknownID)
        }
        for content: HealthSync.Attachment.Content in [
            .note(""), .tag(""), .number("", 1, unit: ""), .number("x", .nan, unit: ""),
        ] {
            await #expect(throws: MirrorError.invalidAttachment) {
                try await mirror.attach(content, to: sample.uuid)
            }
        }
        let photo = HealthSync.Attachment.Photo(digest: "../../secret", byteCount: 1, name: "x")
        await #expect(throws: MirrorError.unknownPhoto(digest: "../../secret")) {
            try await mirror.attach(.photo(photo), to: sample.uuid)
        }
        #expect(try await mirror.attachments(of: sample.uuid).isEmpty)
    }

    @Test("a photo is stored once under its digest; a damaged or missing one is found")
    func photos() async throws {
        let mirror = try await filled()
        let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let source = mirror.photos.folder.appendingPathExtension("jpg")
        try bytes.write(to: source)
        defer { try? FileManager.default.removeItem(at: source) }
        let photo = try await mirror.storePhoto(at: source)
        let again = try await mirror.storePhoto(bytes, named: "again.jpg")
        #expect(photo.digest == again.digest && photo.byteCount == 200_000)
        #expect(mirror.photos.names == [photo.digest])
        try await mirror.attach(.photo(photo), to: sample.uuid)
        #expect(try Data(contentsOf: mirror.file(of: photo)) == bytes)
        let store = HKHealthStore.inMemory()
        #expect(try await mirror.verify([], against: store).isClean)
        try Data("damaged".utf8).write(to: mirror.file(of: photo))
        #expect(try await mirror.verify([], against: store).damagedPhotos == [photo.digest])
        try FileManager.default.removeItem(at: mirror.file(of: photo))
        #expect(try await mirror.verify([], against: store).missingPhotos == [photo.digest])
    }

    @Test("unused photos are removed unless they are new or in a pending write")
    func tidied() async throws {
        let later = Date().addingTimeInterval(7_200)
        let mirror = try await filled(now: later)
        let attached = try await mirror.storePhoto(Data([1]), named: "a")
        let journalled = try await mirror.storePhoto(Data([2]), named: "b")
        let orphan = try await mirror.storePhoto(Data([3]), named: "c")
        try await mirror.attach(.photo(attached), to: sample.uuid)
        try await mirror.write { db in
            try db.execute(
                sql: """
                    INSERT INTO intent
                        (sync_identifier, sync_version, draft, stage, created)
                    VALUES ('s', 1, ?, 'journalled', 0)
                    """, arguments: ["{\"photo\":\"\(journalled.digest)\"}"])
        }
        #expect(try await mirror.removeUnusedPhotos(olderThan: 10_000) == 0)
        #expect(try await mirror.removeUnusedPhotos() == 1)
        #expect(Set(mirror.photos.names) == [attached.digest, journalled.digest])
        #expect(!mirror.photos.names.contains(orphan.digest))
    }
}
