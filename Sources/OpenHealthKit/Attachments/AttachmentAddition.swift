import Foundation
import HealthEngine
import HealthStorage

/// The arguments of an attachment to add.
// Unchecked: the values of the metadata are never mutated.
struct AttachmentAddition: @unchecked Sendable {
    let object: HKObject
    let name: String
    let contentType: String
    let url: URL
    let metadata: SampleMetadata

    /// Copies the file into the store.
    ///
    /// It begins on the queue for writes, after the earlier writes of this process: the object may
    /// be among them. The bytes are copied on another queue, so that later writes don't wait for
    /// a long file.
    func run(
        in healthStore: HKHealthStore,
        _ completion: @escaping @Sendable (HKAttachment?, (any Error)?) -> Void
    ) {
        healthStore.connection.writeQueue.async {
            do {
                let begun = try begin(in: healthStore)
                healthStore.readAttachments {
                    healthStore.complete(Result { try copy(begun, in: healthStore) }, completion)
                }
            } catch {
                healthStore.complete(.failure(HKError(reporting: error)), completion)
            }
        }
    }

    /// An attachment without bytes, and the file that has them.
    // Unchecked: passed from one queue to the next and not used by both.
    private struct Begun: @unchecked Sendable {
        let staging: AttachmentStaging
        let file: AttachmentFile
    }

    private func begin(in healthStore: HKHealthStore) throws -> Begun {
        if let key = metadata.unsupportedKeys.first {
            throw HKError(
                .errorInvalidArgument,
                "The metadata value of “\(key)” is not a string, number, date or quantity.")
        }
        let store = try healthStore.connection.store
        try healthStore.requireSharing(healthStore.typesToShare(for: [object]))
        let file = try AttachmentFile(url)
        let now = healthStore.connection.clock.now.timeIntervalSinceReferenceDate
        let new = StoredAttachment(
            identifier: SampleUUID(UUID()), name: name, contentType: contentType, size: 0,
            created: now, metadata: metadata.stored)
        return try translatingErrors {
            Begun(
                staging: try store.stageAttachment(
                    new, on: SampleUUID(object.uuid),
                    by: healthStore.identity.bundleIdentifier, at: now),
                file: file)
        }
    }

    private func copy(_ begun: Begun, in healthStore: HKHealthStore) throws -> HKAttachment {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: AttachmentStaging.preferredSize, alignment: 16)
        defer { buffer.deallocate() }
        do {
            while true {
                let count = try begun.file.read(into: buffer)
                if count == 0 { break }
                try begun.staging.append(
                    UnsafeRawBufferPointer(rebasing: buffer[..<count]),
                    at: healthStore.connection.clock.now.timeIntervalSinceReferenceDate)
                if count < buffer.count { break }
            }
            try begun.file.requireUnchanged(after: begun.staging.attachment.size)
            try begun.staging.publish()
        } catch {
            // The first error is reported. What can't be removed now, a later call removes.
            try? begun.staging.discard()
            throw HKError(reporting: error)
        }
        return HKAttachment(begun.staging.attachment, of: object.uuid)
    }
}
