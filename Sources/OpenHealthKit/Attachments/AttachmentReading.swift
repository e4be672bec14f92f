import Foundation
import HealthEngine
import HealthStorage

/// The queue on which attachments are read and copied, which can block.
private let attachmentQueue = DispatchQueue(
    label: "org.openhealthkit.attachments", qos: .userInitiated, attributes: .concurrent)

extension HKHealthStore {
    /// Runs a closure that reads or copies an attachment on a background queue, with this handle's
    /// app as the current app.
    func readAttachments(_ work: @escaping @Sendable () -> Void) {
        attachmentQueue.async { [identity] in AppIdentity.withCurrent(identity, work) }
    }

    /// Passes a result to a completion handler of the app.
    func complete<Value: Sendable>(
        _ result: Result<Value, any Error>,
        _ completion: @escaping @Sendable (Value?, (any Error)?) -> Void
    ) {
        handle {
            switch result {
            case .success(let value): completion(value, nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }

    /// Checks that a stored object is visible to the app.
    ///
    /// - Returns: The store for reading.
    /// - Throws: `errorNoData` if it is not stored or not visible;
    ///   `errorAuthorizationNotDetermined` if its type was never requested;
    ///   `errorDatabaseInaccessible` while the device is locked.
    func requireReadable(_ object: UUID) throws -> SampleStore {
        let store = try connection.readableStore
        let uuid = SampleUUID(object)
        guard let found = try store.object(uuid), let sample = SampleObjects.objects(found).first
        else { throw HKError(wellKnown: .errorNoData) }
        let visibility = try visibility(ofQueried: [sample.sampleType])
        guard try store.object(uuid, visibility: visibility) != nil else {
            throw HKError(wellKnown: .errorNoData)
        }
        return store
    }
}

/// One reading of an attachment's bytes, chunk by chunk.
// Unchecked: all properties are immutable; Foundation's progress is safe to use from any thread.
final class AttachmentReading: @unchecked Sendable {
    let attachment: HKAttachment
    let progress: Progress
    private let healthStore: HKHealthStore
    private let isStopped: @Sendable () -> Bool

    /// Creates a reading.
    ///
    /// - Parameters:
    ///   - attachment: The attachment.
    ///   - healthStore: The handle of the app that reads.
    ///   - progress: The progress to report to; nil for a new one.
    ///   - isStopped: Whether the reading was stopped other than by its progress.
    init(
        _ attachment: HKAttachment, in healthStore: HKHealthStore,
        reportingTo progress: Progress? = nil,
        unless isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        self.attachment = attachment
        self.healthStore = healthStore
        self.progress = progress ?? AttachmentReading.progress(of: attachment)
        self.isStopped = isStopped
    }

    /// Returns a progress in bytes for an attachment.
    static func progress(of attachment: HKAttachment) -> Progress {
        let progress = Progress(totalUnitCount: Int64(attachment.size))
        progress.kind = .file
        return progress
    }

    /// Returns all bytes, or an `HKError`.
    func all() -> Result<Data, any Error> {
        do {
            var data = Data()
            try forEachChunk { chunk, _ in data.append(chunk) }
            return .success(data)
        } catch {
            return .failure(HKError(reporting: error))
        }
    }

    /// Passes the bytes to a handler of the app.
    func stream(_ handler: @Sendable (Data?, (any Error)?, Bool) -> Void) {
        do {
            try forEachChunk { chunk, isLast in handler(chunk, nil, isLast) }
        } catch {
            handler(nil, HKError(reporting: error), true)
        }
    }

    /// Checks that the app may read the attachment, and returns it as it is stored.
    ///
    /// - Throws: `errorNoData` if it was removed; the errors of
    ///   ``HKHealthStore/requireReadable(_:)``.
    func begin() throws -> StoredAttachment {
        let store = try healthStore.requireReadable(attachment.objectUUID)
        let stored = try store.attachment(
            attachment.stored.identifier, of: SampleUUID(attachment.objectUUID))
        guard let stored else { throw AttachmentReading.removed }
        progress.completedUnitCount = 0
        return stored
    }

    /// Returns a chunk of the bytes, and advances the progress.
    ///
    /// - Throws: `errorNoData` if the attachment was removed meanwhile, `errorUserCanceled` if the
    ///   progress was cancelled, `errorDatabaseInaccessible` while the device is locked.
    func chunk(_ position: Int64, of stored: StoredAttachment) throws -> Data {
        if progress.isCancelled || isStopped() { throw HKError(wellKnown: .errorUserCanceled) }
        let chunk = try healthStore.connection.readableStore.chunk(
            position, of: stored, on: SampleUUID(attachment.objectUUID))
        guard let chunk else { throw AttachmentReading.removed }
        progress.completedUnitCount += Int64(chunk.count)
        return chunk
    }

    /// Runs a closure on the queue for attachments.
    func enqueue(_ work: @escaping @Sendable (AttachmentReading) -> Void) {
        healthStore.readAttachments { work(self) }
    }

    private func forEachChunk(_ body: (Data, _ isLast: Bool) throws -> Void) throws {
        if progress.isCancelled { throw HKError(wellKnown: .errorUserCanceled) }
        let stored = try begin()
        for position in 0..<stored.chunkCount {
            try body(try chunk(position, of: stored), position == stored.chunkCount - 1)
        }
        if stored.chunkCount == 0 { try body(Data(), true) }
    }

    private static var removed: HKError {
        HKError(.errorNoData, "The attachment was removed.")
    }
}
