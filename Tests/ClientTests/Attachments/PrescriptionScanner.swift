import Foundation
import HealthKit

/// Keeps the paper beside the data: attaches the scan or photo of a prescription to a sample and
/// shows it later, as an app of an optician does.
@MainActor
final class PrescriptionScanner {
    /// A page as the app lists it.
    struct Page: Identifiable {
        let id: UUID
        let title: String
        let isImage: Bool
        let byteCount: Int
        let date: Date
    }

    enum ScanError: Error {
        case unsupportedFile
    }

    private let healthStore: HKHealthStore
    private let attachmentStore: HKAttachmentStore
    private var attachments: [UUID: HKAttachment] = [:]
    private(set) var pages: [Page] = []

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
        attachmentStore = HKAttachmentStore(healthStore: healthStore)
    }

    /// Attaches a scan to a sample that was just saved.
    func attach(_ file: URL, titled title: String, to sample: HKSample) async throws {
        guard let type = UTType(filenameExtension: file.pathExtension),
            type.conforms(to: .pdf) || type.conforms(to: .image)
        else { throw ScanError.unsupportedFile }
        try await attachmentStore.addAttachment(
            to: sample, name: title, contentType: type, url: file,
            metadata: [HKMetadataKeyWasUserEntered: true, "pages": 2])
        try await load(for: sample)
    }

    /// Lists the pages of a sample.
    func load(for sample: HKSample) async throws {
        let found = try await attachmentStore.attachments(for: sample)
        attachments = Dictionary(uniqueKeysWithValues: found.map { ($0.identifier, $0) })
        pages = found.map { attachment in
            Page(
                id: attachment.identifier, title: attachment.name,
                isImage: attachment.contentType.conforms(to: .image),
                byteCount: attachment.size, date: attachment.creationDate)
        }
    }

    /// Returns the file of a page, to draw it.
    func contents(of page: Page) async throws -> Data? {
        guard let attachment = attachments[page.id] else { return nil }
        return try await attachmentStore.dataReader(for: attachment).data
    }

    /// Writes a page to a temporary file for a preview, with the progress of the older call.
    func preview(
        _ page: Page, in folder: URL, completion: @escaping @Sendable (URL?, (any Error)?) -> Void
    ) -> Progress? {
        guard let attachment = attachments[page.id] else { return nil }
        let file = folder.appendingPathComponent(page.id.uuidString)
            .appendingPathExtension(for: attachment.contentType)
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        return attachmentStore.streamData(for: attachment) { data, error, done in
            if let error { return completion(nil, error) }
            if let data, let handle = try? FileHandle(forWritingTo: file) {
                handle.seekToEndOfFile()
                handle.write(data)
                handle.closeFile()
            }
            if done { completion(file, nil) }
        }
    }

    /// Returns the first bytes of a page, by which a viewer recognizes the format.
    func signature(of page: Page, count: Int) async throws -> [UInt8] {
        guard let attachment = attachments[page.id] else { return [] }
        var bytes: [UInt8] = []
        for try await byte in attachmentStore.dataReader(for: attachment).bytes {
            bytes.append(byte)
            if bytes.count == count { break }
        }
        return bytes
    }

    /// Removes a page.
    func delete(_ page: Page, from sample: HKSample) async throws {
        guard let attachment = attachments[page.id] else { return }
        try await attachmentStore.removeAttachment(attachment, from: sample)
        try await load(for: sample)
    }
}
