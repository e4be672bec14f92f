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

@Suite("Reading the bytes of attachments")
struct AttachmentReadingTests {
    private static let chunk = StoredAttachment.chunkSize
    private let fixture: StoreFixture
    private let walk: HKQuantitySample
    private let attachments: HKAttachmentStore

    init() async throws {
        fixture = try await StoreFixture.authorized()
        walk = fixture.walk()
        try await fixture.store.save(walk)
        attachments = HKAttachmentStore(healthStore: fixture.store)
    }

    private func attach(_ bytes: Data) async throws -> HKAttachment {
        let folder = try TemporaryFolder()
        let path = try folder.write("scan.pdf", Array(bytes))
        return try await attachments.addAttachment(
            to: walk, name: "Scan", contentType: .pdf, url: URL(fileURLWithPath: path))
    }

    private func bytes(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11) })
    }

    /// What a stream delivered until its last call.
    private struct Delivered: Sendable {
        var data = Data()
        var calls: [Int] = []
        var error: HKError?
        var callsAfterEnd = 0
    }

    private func stream(
        _ attachment: HKAttachment,
        _ during: @escaping @Sendable (Progress, Int) -> Void = { _, _ in }
    ) async -> (Delivered, Progress) {
        let state = Locked(Delivered())
        let box = Locked<Progress?>(nil)
        let started = DispatchSemaphore(value: 0)
        let progress: Progress = await withCheckedContinuation { continuation in
            let progress = attachments.streamData(for: attachment) { data, error, done in
                started.wait()
                started.signal()
                state { state in
                    if let data {
                        state.data.append(data)
                        state.calls.append(data.count)
                    }
                    if let error { state.error = error as? HKError }
                }
                if let progress = box({ $0 }) {
                    during(progress, state { $0.calls.count })
                    if done { continuation.resume(returning: progress) }
                }
            }
            box { $0 = progress }
            started.signal()
        }
        return (state { $0 }, progress)
    }

    @Test(
        "a stream delivers all bytes in order and marks the last call",
        .covers("HKAttachmentStore.streamData(for:dataHandler:)"),
        arguments: [0, 1, chunk, 3 * chunk + 5])
    func streams(count: Int) async throws {
        let content = bytes(count)
        let attachment = try await attach(content)
        let (delivered, progress) = await stream(attachment)
        #expect(delivered.data == content && delivered.error == nil)
        #expect(delivered.calls.count == max(1, (count + Self.chunk - 1) / Self.chunk))
        #expect(progress.totalUnitCount == Int64(count))
        #expect(progress.completedUnitCount == Int64(count))
    }

    @Test("a cancelled stream ends with errorUserCanceled after the call that runs")
    func cancelled() async throws {
        let attachment = try await attach(bytes(6 * Self.chunk))
        let (delivered, progress) = await stream(attachment) { progress, calls in
            if calls == 2 { progress.cancel() }
        }
        #expect(delivered.calls == [Self.chunk, Self.chunk])
        #expect(delivered.error?.code == .errorUserCanceled)
        #expect(progress.isCancelled && progress.completedUnitCount == Int64(2 * Self.chunk))
    }

    @Test("a stream of an attachment that is removed meanwhile ends with errorNoData")
    func removedMeanwhile() async throws {
        let attachment = try await attach(bytes(6 * Self.chunk))
        let (store, own) = (fixture.store.connection, fixture.store.identity.bundleIdentifier)
        let object = walk.uuid
        let (delivered, _) = await stream(attachment) { _, calls in
            guard calls == 1 else { return }
            try? store.store.removeAttachment(
                attachment.stored.identifier, from: SampleUUID(object), by: own)
        }
        #expect(delivered.calls == [Self.chunk])
        #expect(delivered.error?.code == .errorNoData)
    }

    @Test("cancelled before it begins, a call delivers errorUserCanceled only")
    func cancelledAtOnce() async throws {
        let attachment = try await attach(bytes(10))
        let reader = attachments.dataReader(for: attachment)
        reader.progress.cancel()
        #expect(await failure { _ = try await reader.data }?.code == .errorUserCanceled)
        #expect(
            await failure { for try await _ in reader.bytes {} }?.code == .errorUserCanceled)
    }

    @Test(
        "a reader gives the data, the bytes one by one, and the progress",
        .covers(
            "HKAttachmentStore.dataReader(for:)", "HKAttachmentDataReader",
            "HKAttachmentDataReader.attachment", "HKAttachmentDataReader.data",
            "HKAttachmentDataReader.bytes", "HKAttachmentDataReader.progress",
            "HKAttachment.AsyncBytes"),
        arguments: [0, 1, chunk, 2 * chunk + 3])
    func reader(count: Int) async throws {
        let content = bytes(count)
        let attachment = try await attach(content)
        let reader = attachments.dataReader(for: attachment)
        #expect(reader.attachment == attachment)
        #expect(reader.progress.completedUnitCount == 0)
        #expect(try await reader.data == content)
        #expect(reader.progress.completedUnitCount == Int64(count))
        for _ in 0..<2 {
            var found = Data()
            for try await byte in reader.bytes { found.append(byte) }
            #expect(found == content)
        }
        var iterator = reader.bytes.makeAsyncIterator()
        for _ in 0..<count { _ = try await iterator.next() }
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test("many readers of one attachment don't disturb each other, nor a writer")
    func concurrent() async throws {
        let content = bytes(5 * Self.chunk + 1)
        let attachment = try await attach(content)
        let (attachments, walk) = (attachments, walk)
        let folder = try TemporaryFolder()
        let other = URL(fileURLWithPath: try folder.write("b", Array(bytes(Self.chunk + 1))))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                group.addTask {
                    if number % 4 == 3 {
                        try await attachments.addAttachment(
                            to: walk, name: "\(number)", contentType: .data, url: other)
                        return true
                    }
                    return try await attachments.dataReader(for: attachment).data == content
                }
            }
            for try await isEqual in group { #expect(isEqual) }
        }
        #expect(try await attachments.attachments(for: walk).count == 5)
        #expect(try fixture.store.connection.store.check() == [])
    }

    @Test("a cancelled task stops reading with CancellationError")
    func cancelledTask() async throws {
        let attachment = try await attach(bytes(3 * Self.chunk))
        let reader = attachments.dataReader(for: attachment)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await reader.data
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        let iteration = Task {
            var count = 0
            for try await _ in reader.bytes {
                count += 1
                if count == 10 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await iteration.value }
        #expect(!reader.progress.isCancelled)
    }
}
