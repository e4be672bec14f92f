public import Foundation
public import FoundationGaps
import HealthEngine
import HealthStorage

#if canImport(Darwin)
    public import UniformTypeIdentifiers
#endif

/// Attaches files to stored objects, and reads and removes them (Semantics §10.12).
///
/// ```swift
/// let attachments = HKAttachmentStore(healthStore: store)
/// let scan = try await attachments.addAttachment(
///     to: prescription, name: "Prescription", contentType: .pdf, url: file)
/// let bytes = try await attachments.dataReader(for: scan).data
/// ```
/// Files of any size are copied and read in pieces. Safe to use from any thread. The async methods
/// call the completion-handler methods, so a subclass that overrides one of these changes both.
// Unchecked: all stored properties are immutable.
open class HKAttachmentStore: NSObject, @unchecked Sendable {
    let healthStore: HKHealthStore

    /// Creates a store for the attachments of a health store.
    ///
    /// - Parameter healthStore: The handle whose app attaches and reads files.
    public init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    /// Attaches a copy of a file to an object that this app saved.
    ///
    /// `errorInvalidArgument` is reported if the object is not stored; for a name that is empty,
    /// longer than 1,024 bytes or has control characters; for a URL that is not one of a readable
    /// regular file; if the file changes while it is read; and for metadata that `save` would
    /// reject. `errorAuthorizationDenied` is reported for an object of another app.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - name: The name for people.
    ///   - contentType: The type of the file.
    ///   - url: The file. It is read before the completion handler is called and not used later.
    ///   - metadata: Strings, numbers, dates and quantities by key.
    ///   - completion: Receives the attachment, or nil and the error. Then nothing is stored.
    ///     Called on a background queue.
    @preconcurrency
    open func addAttachment(
        to object: HKObject, name: String, contentType: UTType, url: URL,
        metadata: [String: Any] = [:],
        completion: @escaping @Sendable (HKAttachment?, (any Error)?) -> Void
    ) {
        let addition = AttachmentAddition(
            object: object, name: name, contentType: contentType.identifier, url: url,
            metadata: SampleMetadata(values: metadata))
        addition.run(in: healthStore, completion)
    }

    /// Attaches a copy of a file to an object that this app saved; see the completion-handler form.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - name: The name for people.
    ///   - contentType: The type of the file.
    ///   - url: The file. It is not used after the call.
    ///   - metadata: Strings, numbers, dates and quantities by key.
    /// - Returns: The attachment.
    /// - Throws: ``HKError`` as the completion-handler form. Then nothing is stored.
    /// - Complexity: O(bytes of the file).
    @discardableResult
    open func addAttachment(
        to object: HKObject, name: String, contentType: UTType, url: URL,
        metadata: [String: Any] = [:]
    ) async throws -> HKAttachment {
        try await healthStore.awaitValue { done in
            addAttachment(
                to: object, name: name, contentType: contentType, url: url, metadata: metadata
            ) { done($0, $1) }
        }
    }

    /// Removes an attachment from an object that this app saved. The bytes are overwritten.
    ///
    /// - Parameters:
    ///   - attachment: The attachment.
    ///   - object: The object that has it.
    ///   - completion: Receives whether it succeeded, and the error: `errorInvalidArgument` if the
    ///     object doesn't have the attachment, `errorAuthorizationDenied` for an object of another
    ///     app. Called on a background queue.
    @preconcurrency
    open func removeAttachment(
        _ attachment: HKAttachment, from object: HKObject,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        healthStore.write(completion) { healthStore in
            let store = try healthStore.connection.store
            try healthStore.requireSharing(healthStore.typesToShare(for: [object]))
            try store.removeAttachment(
                attachment.stored.identifier, from: SampleUUID(object.uuid),
                by: healthStore.identity.bundleIdentifier)
        }
    }

    /// Removes an attachment from an object that this app saved. The bytes are overwritten.
    ///
    /// - Parameters:
    ///   - attachment: The attachment.
    ///   - object: The object that has it.
    /// - Throws: ``HKError`` as the completion-handler form.
    open func removeAttachment(_ attachment: HKAttachment, from object: HKObject) async throws {
        try await healthStore.awaitSuccess {
            removeAttachment(attachment, from: object, completion: $0)
        }
    }

    /// Reads the attachments of an object that this app may read.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - completion: Receives the attachments in the order in which they were attached, or nil
    ///     and the error: `errorNoData` if the object is not stored or not visible to the app.
    ///     Called on a background queue.
    @preconcurrency
    open func getAttachments(
        for object: HKObject,
        completion: @escaping @Sendable ([HKAttachment]?, (any Error)?) -> Void
    ) {
        healthStore.readAttachments { [healthStore] in
            let result: Result<[HKAttachment], any Error>
            do {
                let store = try healthStore.requireReadable(object.uuid)
                let found = try store.attachments(of: SampleUUID(object.uuid))
                result = .success(found.map { HKAttachment($0, of: object.uuid) })
            } catch {
                result = .failure(HKError(reporting: error))
            }
            healthStore.complete(result, completion)
        }
    }

    /// Returns the attachments of an object that this app may read.
    ///
    /// - Parameter object: The object.
    /// - Returns: The attachments in the order in which they were attached.
    /// - Throws: ``HKError``; `errorNoData` if the object is not stored or not visible to the app.
    open func attachments(for object: HKObject) async throws -> [HKAttachment] {
        try await healthStore.awaitValue { done in getAttachments(for: object) { done($0, $1) } }
    }

    /// Reads the bytes of an attachment into memory.
    ///
    /// - Parameters:
    ///   - attachment: The attachment.
    ///   - completion: Receives the bytes, or nil and the error: `errorNoData` if the attachment was
    ///     removed or its object is not visible to the app, `errorUserCanceled` if the progress was
    ///     cancelled. Called on a background queue.
    /// - Returns: The progress in bytes. Cancelling it ends the reading.
    @preconcurrency @discardableResult
    open func getData(
        for attachment: HKAttachment,
        completion: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        let reading = AttachmentReading(attachment, in: healthStore)
        healthStore.readAttachments { [healthStore] in
            healthStore.complete(reading.all(), completion)
        }
        return reading.progress
    }

    /// Reads the bytes of an attachment in pieces. The next piece is read when the handler has
    /// returned, so memory holds one.
    ///
    /// - Parameters:
    ///   - attachment: The attachment.
    ///   - dataHandler: Receives the next bytes, or nil and the error as for
    ///     ``getData(for:completion:)``, and whether the call is the last one. An attachment
    ///     without bytes gives one call with empty data. Called on a background queue, one call at
    ///     a time.
    /// - Returns: The progress in bytes. Cancelling it ends the reading with `errorUserCanceled`.
    @preconcurrency @discardableResult
    open func streamData(
        for attachment: HKAttachment,
        dataHandler: @escaping @Sendable (Data?, (any Error)?, Bool) -> Void
    ) -> Progress {
        let reading = AttachmentReading(attachment, in: healthStore)
        healthStore.readAttachments { reading.stream(dataHandler) }
        return reading.progress
    }

    /// Returns a reader of an attachment's bytes, which reads nothing by itself.
    ///
    /// - Parameter attachment: The attachment.
    /// - Returns: The reader.
    open func dataReader(for attachment: HKAttachment) -> HKAttachmentDataReader {
        HKAttachmentDataReader(attachment, in: healthStore)
    }
}
