import Foundation
import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("Files that programs attach to samples")
struct AttachmentTests {
    static let app = SavedBatch.identifier("walks")
    static let chunk = StoredAttachment.chunkSize

    let file: TemporaryStore
    let store: SampleStore

    init() throws {
        file = try TemporaryStore()
        store = try file.open(.creating)
        try store.save(1, .bodyMass, 0)
        try store.save(2, .bodyMass, 100)
    }

    static func new(_ number: Int, _ name: String = "scan.pdf") -> StoredAttachment {
        StoredAttachment(
            identifier: SampleUUID(number: 1_000 + number), name: name,
            contentType: "com.adobe.pdf", size: 0, created: 50,
            metadata: number % 2 == 0 ? [:] : ["page": .number(3)])
    }

    /// Returns bytes that differ from chunk to chunk.
    static func bytes(_ count: Int, seed: Int = 1) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761 &+ seed) >> 13) }
    }

    func stage(_ new: StoredAttachment, on sample: SampleUUID = 1, at now: Double = 60) throws
        -> AttachmentStaging
    {
        try store.stageAttachment(new, on: sample, by: Self.app, at: now)
    }

    @discardableResult
    func attach(
        _ new: StoredAttachment, _ bytes: [UInt8], to sample: SampleUUID = 1
    ) throws -> StoredAttachment {
        let staging = try stage(new, on: sample)
        for start in stride(from: 0, to: bytes.count, by: 2 * Self.chunk) {
            let part = bytes[start..<min(start + 2 * Self.chunk, bytes.count)]
            try part.withUnsafeBytes { try staging.append($0, at: 61) }
        }
        try staging.publish()
        return staging.attachment
    }

    func content(_ attachment: StoredAttachment, of sample: SampleUUID = 1) throws -> [UInt8] {
        try (0..<attachment.chunkCount).flatMap { position in
            try #require(try store.chunk(position, of: attachment, on: sample))
        }
    }

    func count(_ table: String) throws -> Int? {
        try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") }
    }

    @Test(
        "are read as they were stored, whatever their length",
        arguments: [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 5 * chunk + 77])
    func lengths(count: Int) throws {
        let bytes = Self.bytes(count)
        let attached = try attach(Self.new(1), bytes)
        var expected = Self.new(1)
        expected.size = Int64(count)
        #expect(attached == expected)
        #expect(try store.attachments(of: 1) == [expected])
        #expect(try store.attachment(expected.identifier, of: 1) == expected)
        #expect(try content(expected) == bytes)
        #expect(try store.chunk(expected.chunkCount, of: expected, on: 1) == nil)
        #expect(try store.chunk(-1, of: expected, on: 1) == nil)
        #expect(try store.check() == [])
        #expect(try file.open(.reading).attachments(of: 1) == [expected])
    }

    @Test("belong to one sample, in the order in which they were attached")
    func order() throws {
        for number in [3, 1, 2] { try attach(Self.new(number, "\(number)"), [1]) }
        try attach(Self.new(9, "other"), [2], to: 2)
        #expect(try store.attachments(of: 1).map(\.name) == ["3", "1", "2"])
        #expect(try store.attachments(of: 2).map(\.name) == ["other"])
        let other = try #require(try store.attachments(of: 2).first)
        #expect(try store.attachment(other.identifier, of: 1) == nil)
        #expect(try store.chunk(0, of: other, on: 1) == nil)
    }

    @Test("are invisible until they are complete, also to exports and counts")
    func staging() throws {
        let staging = try stage(Self.new(1))
        try Self.bytes(Self.chunk).withUnsafeBytes { try staging.append($0, at: 61) }
        #expect(try store.attachments(of: 1) == [])
        #expect(try store.attachment(Self.new(1).identifier, of: 1) == nil)
        #expect(try store.chunk(0, of: staging.attachment, on: 1) == nil)
        #expect(try store.exportGaps().files == 0)
        try store.forEachExportedBatch(ExportSelection()) { #expect($0.attachments.isEmpty) }
        try store.forEachAttachment { _ in
            Issue.record("an attachment that isn't complete")
        } chunk: { _ in
        }
        #expect(try store.check() == [])
        try staging.publish()
        #expect(try store.attachments(of: 1).count == 1)
        #expect(try store.exportGaps().files == 1)
        #expect(try store.check() == [])
    }

    @Test("what a crash leaves is removed an hour later, by the next attachment or import")
    func leftovers() throws {
        let left = try stage(Self.new(1), at: 60)
        try Self.bytes(70 * Self.chunk).withUnsafeBytes { try left.append($0, at: 100) }
        try attach(Self.new(2), [1])
        #expect(try count("attachment") == 2)
        _ = try stage(Self.new(3), at: 3_700)
        #expect(try count("attachment") == 3 && count("attachment_chunk") == 71)
        _ = try stage(Self.new(4), at: 3_701)
        #expect(try count("attachment") == 3 && count("attachment_chunk") == 1)
        // The program wasn't dead after all: it gets an error, and nothing half remains.
        let error = #expect(throws: StoreError.self) { try left.publish() }
        #expect(error?.reason == .unknownAttachment(Self.new(1).identifier))
        #expect(throws: StoreError.self) {
            try [1, 2].withUnsafeBytes { try left.append($0, at: 0) }
        }
        var recording = Recording()
        recording.add(.steps, "Phone", 0, 60, 1)
        try file.add(recording)
        #expect(try count("attachment") == 1)
        #expect(try store.check() == [])
    }

    @Test("a discarded one leaves nothing, and its bytes are overwritten")
    func discarded() throws {
        let secret = Array("an illegible signature of a doctor".utf8)
        let staging = try stage(Self.new(1))
        try secret.withUnsafeBytes { try staging.append($0, at: 61) }
        try staging.discard()
        try staging.discard()
        #expect(try count("attachment") == 0 && count("attachment_chunk") == 0)
        #expect(try !contains(secret))
    }

    @Test("the bytes of what a crash has left are overwritten")
    func overwrittenLeftovers() throws {
        let secret = Array("an illegible signature of a doctor".utf8)
        let left = try stage(Self.new(1), at: 0)
        try secret.withUnsafeBytes { try left.append($0, at: 0) }
        #expect(try contains(secret))
        try store.removeStaleAttachments(at: 3_601)
        #expect(try count("attachment") == 0)
        #expect(try !contains(secret))
    }

    /// Returns whether the store's files contain bytes.
    private func contains(_ bytes: [UInt8]) throws -> Bool {
        try ["", "-wal"].contains { suffix in
            let url = URL(fileURLWithPath: file.path + suffix)
            guard FileManager.default.fileExists(atPath: url.path) else { return false }
            return try Data(contentsOf: url).range(of: Data(bytes)) != nil
        }
    }

    @Test("a removed one is gone, and its bytes are overwritten", arguments: [0, 200])
    func removed(chunks: Int) throws {
        let secret = Array("an illegible signature of a doctor".utf8)
        let attachment = try attach(Self.new(1), secret + Self.bytes(chunks * Self.chunk))
        #expect(try contains(secret))
        try store.removeAttachment(attachment.identifier, from: 1, by: Self.app)
        #expect(try store.attachments(of: 1) == [])
        #expect(try store.chunk(0, of: attachment, on: 1) == nil)
        #expect(try count("attachment_chunk") == 0)
        #expect(try !contains(secret))
        let error = #expect(throws: StoreError.self) {
            try store.removeAttachment(attachment.identifier, from: 1, by: Self.app)
        }
        #expect(error?.reason == .unknownAttachment(attachment.identifier))
    }

    @Test("go with their sample, also while they are written")
    func deletedSample() throws {
        let secret = Array("an illegible signature of a doctor".utf8)
        try attach(Self.new(1), secret)
        try attach(Self.new(2), [2], to: 2)
        let staging = try stage(Self.new(3))
        try store.delete([1], by: Self.app)
        #expect(try count("attachment") == 1 && count("attachment_chunk") == 1)
        #expect(try !contains(secret))
        #expect(throws: StoreError.self) { try staging.publish() }
        let error = #expect(throws: StoreError.self) { try store.attachments(of: 1) }
        #expect(error?.code == .unknownSample)
        #expect(try store.check() == [])
    }

    @Test("follow their sample to another sequence number, and go when a version replaces it")
    func replacedSamples() throws {
        try store.save(5, .bodyMass, 0, metadata: SavedBatch.sync("a", 1))
        try attach(Self.new(1), [1], to: 5)
        try store.write { db in
            try db.execute(
                sql: "UPDATE sample SET sequence = 900 WHERE uuid = ?",
                arguments: [SampleUUID(integerLiteral: 5).blob])
            try SampleStore.set(.lastSequence, to: 900, db)
        }
        #expect(try store.attachments(of: 5).count == 1)
        try store.save(6, .bodyMass, 0, metadata: SavedBatch.sync("a", 2))
        #expect(try store.attachments(of: 6) == [])
        #expect(try count("attachment") == 0)
        #expect(try store.check() == [])
    }

    @Test("are those of the sample's own program only, with a name and a type")
    func refused() throws {
        func reason(_ body: () throws -> Void) -> StoreError.Reason? {
            #expect(throws: StoreError.self, performing: body)?.reason
        }
        #expect(
            reason { _ = try store.stageAttachment(Self.new(1), on: 1, by: "other", at: 0) }
                == .notOwner(1, bundleIdentifier: "other"))
        #expect(reason { _ = try stage(Self.new(1), on: 77) } == .unknownSample(77))
        try attach(Self.new(1), [1])
        #expect(reason { _ = try stage(Self.new(1)) } == .invalidAttachment(.storedUUID))
        #expect(
            reason { try store.removeAttachment(Self.new(1).identifier, from: 1, by: "other") }
                == .notOwner(1, bundleIdentifier: "other"))
        let names = ["", "a\u{0}b", "two\nlines", String(repeating: "ä", count: 513)]
        for name in names {
            #expect(
                reason { _ = try stage(Self.new(2, name)) } == .invalidAttachment(.invalidName))
        }
        var typeless = Self.new(2)
        typeless.contentType = nil
        #expect(reason { _ = try stage(typeless) } == .invalidAttachment(.invalidName))
        var long = Self.new(2)
        long.metadata = ["x": .string(String(repeating: "x", count: 2 << 20))]
        #expect(reason { _ = try stage(long) } == .invalidAttachment(.metadataTooLong))
        let staging = try stage(Self.new(2, String(repeating: "ä", count: 512)))
        try [1, 2, 3].withUnsafeBytes { try staging.append($0, at: 0) }
        #expect(
            reason { try [1].withUnsafeBytes { try staging.append($0, at: 0) } }
                == .invalidAttachment(.unevenChunk))
    }

    @Test(
        "missing, short and misplaced chunks are found by a check",
        arguments: [
            ("DELETE FROM attachment_chunk WHERE position = 1", "attachments have all their bytes"),
            ("UPDATE attachment SET size = size + 1", "attachments have all their bytes"),
            (
                "UPDATE attachment_chunk SET content = x'00' WHERE position = 0",
                "chunks of attachments are full, except the last one"
            ),
            (
                "UPDATE attachment_chunk SET position = 7 WHERE position = 1",
                "attachments have all their bytes"
            ),
            (
                "UPDATE attachment SET name = ''", "attachments have a UUID, a name and a type"
            ),
            (
                "UPDATE attachment SET metadata = '{'",
                "metadata, details and ledgers can be read"
            ),
            ("DELETE FROM attachment", "references point to existing rows"),
            ("DELETE FROM sample", "references point to existing rows"),
        ])
    func damaged(sql: String, invariant: String) throws {
        try attach(Self.new(1), Self.bytes(2 * Self.chunk + 5))
        #expect(try store.check() == [])
        try file.damage(sql)
        #expect(try store.check().map(\.invariant).contains(invariant))
    }

    @Test("a copy of the store has them, as a backup and as the copy of a log do")
    func copies() throws {
        let bytes = Self.bytes(3 * Self.chunk + 9)
        let attachment = try attach(Self.new(1), bytes)
        let copy = file.path + ".copy"
        try DatabaseCopy.write(of: file.path, to: copy)
        let log = file.path + ".log"
        _ = try store.copyForLog(to: log)
        try SampleStore.completeLogCopy(at: log)
        for path in [copy, log] {
            let other = try SampleStore(at: path, access: .writing)
            defer { try? other.close() }
            #expect(try other.attachments(of: 1) == [attachment])
            let read = try (0..<4).flatMap {
                try #require(try other.chunk($0, of: attachment, on: 1))
            }
            #expect(read == bytes)
        }
    }
}
