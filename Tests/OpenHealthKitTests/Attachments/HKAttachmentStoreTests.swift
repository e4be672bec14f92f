import Foundation
import FoundationGaps
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import OpenHealthKit

#if canImport(Darwin)
    import UniformTypeIdentifiers
#endif

@Suite("HKAttachmentStore")
struct HKAttachmentStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ bytes: [UInt8], _ name: String = "scan.pdf") throws -> URL {
        URL(fileURLWithPath: try folder.write(name, bytes))
    }

    /// Saves a walk, and returns it with the attachments' store of its app.
    private func walk(
        _ fixture: StoreFixture
    ) async throws -> (HKQuantitySample, HKAttachmentStore) {
        let walk = fixture.walk()
        try await fixture.store.save(walk)
        return (walk, HKAttachmentStore(healthStore: fixture.store))
    }

    /// Waits for the arguments of a completion handler.
    private func result<Value: Sendable>(
        _ call: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            call { value, error in
                if let value {
                    continuation.resume(returning: value)
                } else {
                    continuation.resume(throwing: error ?? CocoaError(.coderInvalidValue))
                }
            }
        }
    }

    @Test(
        "an attachment has what was given, also when archived and copied",
        .covers(
            "HKAttachment", "HKAttachment.identifier", "HKAttachment.name",
            "HKAttachment.contentType", "HKAttachment.size", "HKAttachment.creationDate",
            "HKAttachment.metadata", "HKAttachmentStore", "HKAttachmentStore.init(healthStore:)",
            "HKAttachmentStore.addAttachment(to:name:contentType:url:metadata:)",
            "HKAttachmentStore.attachments(for:)"))
    func properties() async throws {
        let fixture = try await StoreFixture.authorized()
        let (walk, attachments) = try await walk(fixture)
        let date = fixture.date(-86_400)
        let first = try await attachments.addAttachment(
            to: walk, name: "Card: left/right", contentType: .pdf, url: file([1, 2, 3]),
            metadata: [
                "pages": 2, "taken": date, "by": "Dr. No",
                "width": HKQuantity(unit: .meter(), doubleValue: 0.2),
            ])
        fixture.clock.advance(by: 60)
        let own = UTType(importedAs: "com.example.lens")
        let second = try await attachments.addAttachment(
            to: walk, name: "2", contentType: own, url: file([]))
        let found = try await attachments.attachments(for: walk)
        #expect(found == [first, second])
        #expect(Set(found.map(\.identifier)).count == 2)
        let copies = [first, try archived(first), try #require(found.first)]
        for attachment in copies + [first.copy() as? HKAttachment].compactMap({ $0 }) {
            #expect(attachment == first && attachment.hash == first.hash)
            #expect(attachment.identifier == first.identifier)
            #expect(attachment.name == "Card: left/right" && attachment.contentType == .pdf)
            #expect(attachment.size == 3 && attachment.creationDate == fixture.date())
            #expect(attachment.metadata?["pages"] as? Int == 2)
            #expect(attachment.metadata?["taken"] as? Date == date)
            #expect(attachment.metadata?["by"] as? String == "Dr. No")
            let width = attachment.metadata?["width"] as? HKQuantity
            #expect(width?.doubleValue(for: .meterUnit(with: .centi)) == 20)
        }
        #expect(found[1].contentType == own && found[1].metadata == nil && found[1].size == 0)
        #expect(found[1].creationDate == fixture.date(60))
        // An archived attachment is enough to read the bytes.
        let data = try await attachments.dataReader(for: archived(first)).data
        #expect(data == Data([1, 2, 3]))
    }

    @Test(
        "the calls with completion handlers do the same",
        .covers(
            "HKAttachmentStore.addAttachment(to:name:contentType:url:metadata:completion:)",
            "HKAttachmentStore.getAttachments(for:completion:)",
            "HKAttachmentStore.getData(for:completion:)",
            "HKAttachmentStore.removeAttachment(_:from:completion:)"))
    func completionHandlers() async throws {
        let fixture = try await StoreFixture.authorized()
        let (walk, attachments) = try await walk(fixture)
        let url = try file(Array(0..<200))
        let added: HKAttachment = try await result { done in
            attachments.addAttachment(
                to: walk, name: "Scan", contentType: .pdf, url: url
            ) { done($0, $1) }
        }
        let found: [HKAttachment] = try await result { done in
            attachments.getAttachments(for: walk) { done($0, $1) }
        }
        #expect(found == [added] && found.first?.name == "Scan")
        let data: Data = try await result { done in
            let progress = attachments.getData(for: added) { done($0, $1) }
            #expect(progress.totalUnitCount == 200)
        }
        #expect(data == Data(0..<200))
        let success: Bool = try await result { done in
            attachments.removeAttachment(added, from: walk) { done($0 ? true : nil, $1) }
        }
        #expect(success)
        #expect(try await attachments.attachments(for: walk) == [])
        let error = await failure {
            let _: Bool = try await result { done in
                attachments.removeAttachment(added, from: walk) { done($0 ? true : nil, $1) }
            }
        }
        #expect(error?.code == .errorInvalidArgument)
    }

    @Test("a file is attached after the save before it, without waiting for that")
    func orderOfWrites() async throws {
        let fixture = try await StoreFixture.authorized()
        let walk = fixture.walk()
        let attachments = HKAttachmentStore(healthStore: fixture.store)
        let url = try file([9])
        fixture.store.save(walk) { _, _ in }
        let added: HKAttachment = try await result { done in
            attachments.addAttachment(to: walk, name: "x", contentType: .png, url: url) {
                done($0, $1)
            }
        }
        #expect(added.size == 1)
    }

    @Test(
        "a removed attachment and those of a deleted object can't be read any more",
        .covers("HKAttachmentStore.removeAttachment(_:from:)"))
    func removal() async throws {
        let fixture = try await StoreFixture.authorized()
        let (walk, attachments) = try await walk(fixture)
        let other = fixture.walk(at: 100)
        try await fixture.store.save(other)
        let first = try await attachments.addAttachment(
            to: walk, name: "1", contentType: .pdf, url: file([1]))
        let second = try await attachments.addAttachment(
            to: walk, name: "2", contentType: .pdf, url: file([2]))
        #expect(
            await failure { try await attachments.removeAttachment(first, from: other) }?.code
                == .errorInvalidArgument)
        try await attachments.removeAttachment(first, from: walk)
        #expect(
            await failure { _ = try await attachments.dataReader(for: first).data }?.code
                == .errorNoData)
        #expect(try await attachments.attachments(for: walk) == [second])
        try await fixture.store.delete(walk)
        for _ in 0..<2 {
            #expect(
                await failure { _ = try await attachments.dataReader(for: second).data }?.code
                    == .errorNoData)
        }
        #expect(
            await failure { _ = try await attachments.attachments(for: walk) }?.code
                == .errorNoData)
    }

    @Test("only stored objects of this app get attachments, and only its own are removed")
    func owners() async throws {
        let fixture = try await StoreFixture.authorized()
        let (walk, attachments) = try await walk(fixture)
        let url = try file([1])
        let added = try await attachments.addAttachment(
            to: walk, name: "1", contentType: .pdf, url: url)
        let other = fixture.app("other")
        try await StoreFixture.requestAuthorization(other)
        let others = HKAttachmentStore(healthStore: other)
        let attempts: [(HKError.Code, () async throws -> Void)] = [
            (
                .errorInvalidArgument,
                {
                    try await attachments.addAttachment(
                        to: fixture.walk(at: 500), name: "x", contentType: .pdf, url: url)
                }
            ),
            (
                .errorAuthorizationDenied,
                {
                    try await others.addAttachment(
                        to: walk, name: "x", contentType: .pdf, url: url)
                }
            ),
            (
                .errorAuthorizationDenied,
                { try await others.removeAttachment(added, from: walk) }
            ),
        ]
        for (code, attempt) in attempts {
            #expect(await failure { try await attempt() }?.code == code)
        }
        // The other app may read them.
        #expect(try await others.attachments(for: walk) == [added])
        #expect(try await others.dataReader(for: added).data == Data([1]))
    }

    @Test("attachments are visible to an app that may read their object, and to no other")
    func visibility() async throws {
        let fixture = try await StoreFixture.authorized()
        let (walk, attachments) = try await walk(fixture)
        let added = try await attachments.addAttachment(
            to: walk, name: "1", contentType: .pdf, url: file([1]))
        let stranger = HKAttachmentStore(healthStore: fixture.app("stranger"))
        for read in [
            { _ = try await stranger.attachments(for: walk) },
            { _ = try await stranger.dataReader(for: added).data },
        ] as [() async throws -> Void] {
            #expect(await failure { try await read() }?.code == .errorAuthorizationNotDetermined)
        }
        let url = try file([1])
        #expect(
            await failure {
                try await stranger.addAttachment(
                    to: walk, name: "x", contentType: .pdf, url: url)
            }?.code == .errorAuthorizationNotDetermined)
        // An app that may save steps, but not read those of others.
        let row = try #require(StoreFixture.steps.row)
        try fixture.store.connection.store.setAuthorization(
            [row.code: .init(share: .granted, read: .denied)], of: "com.example.writer")
        let writer = HKAttachmentStore(healthStore: fixture.app("writer"))
        for read in [
            { _ = try await writer.attachments(for: walk) },
            { _ = try await writer.dataReader(for: added).data },
        ] as [() async throws -> Void] {
            #expect(await failure { try await read() }?.code == .errorNoData)
        }
    }

    @Test("files that can't be read, and arguments without sense, are errors and store nothing")
    func refused() async throws {
        let fixture = try await StoreFixture.authorized()
        let (walk, attachments) = try await walk(fixture)
        let good = try file([1])
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let web = try #require(URL(string: "https://example.com/scan.pdf"))
        let cases: [(String, URL, [String: Any])] = [
            ("missing", URL(fileURLWithPath: folder.path + "/missing.pdf"), [:]),
            ("folder", URL(fileURLWithPath: folder.path), [:]),
            ("pipe", URL(fileURLWithPath: pipe), [:]), ("web", web, [:]), ("", good, [:]),
            ("nul\u{0}", good, [:]), (String(repeating: "x", count: 1_025), good, [:]),
            ("metadata", good, ["list": [1, 2]]),
        ]
        for (name, url, metadata) in cases {
            // The dictionary is used by one task at a time.
            nonisolated(unsafe) let metadata = metadata
            let error = await failure {
                try await attachments.addAttachment(
                    to: walk, name: name, contentType: .pdf, url: url, metadata: metadata)
            }
            #expect(error?.code == .errorInvalidArgument, "\(name)")
        }
        #expect(try await attachments.attachments(for: walk) == [])
        let stored = try fixture.store.connection.store.exportGaps().files
        #expect(stored == 0)
    }

    @Test("a file that changes while it is attached is refused")
    func changingFile() throws {
        let url = try file([UInt8](repeating: 1, count: 100))
        for change in [Data(repeating: 2, count: 50), Data(repeating: 2, count: 150)] {
            let open = try AttachmentFile(url)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_000, alignment: 1)
            defer { buffer.deallocate() }
            let first = UnsafeMutableRawBufferPointer(rebasing: buffer[..<40])
            #expect(try open.read(into: first) == 40)
            let handle = try FileHandle(forWritingTo: url)
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: change)
            try handle.close()
            let rest = try open.read(into: buffer)
            #expect(throws: HKError.self) { try open.requireUnchanged(after: Int64(40 + rest)) }
            // One that didn't change is accepted.
            let again = try AttachmentFile(url)
            let count = try again.read(into: buffer)
            #expect(count == change.count)
            try again.requireUnchanged(after: Int64(count))
            #expect(throws: HKError.self) { try again.requireUnchanged(after: Int64(count) - 1) }
        }
    }

    @Test("while the device is locked, files are attached but not read")
    func lockedDevice() async throws {
        let fixture = try await StoreFixture.authorized()
        let (walk, attachments) = try await walk(fixture)
        fixture.store.protectedData.lock()
        let added = try await attachments.addAttachment(
            to: walk, name: "1", contentType: .pdf, url: file([1]))
        for read in [
            { _ = try await attachments.attachments(for: walk) },
            { _ = try await attachments.dataReader(for: added).data },
        ] as [() async throws -> Void] {
            #expect(await failure { try await read() }?.code == .errorDatabaseInaccessible)
        }
        fixture.store.protectedData.unlock()
        #expect(try await attachments.attachments(for: walk) == [added])
    }
}
