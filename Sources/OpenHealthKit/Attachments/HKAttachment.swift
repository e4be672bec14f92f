public import Foundation
public import FoundationGaps
import HealthEngine
import HealthStorage

#if canImport(Darwin)
    public import UniformTypeIdentifiers
#endif

/// A file that is attached to a stored object, such as the picture of a prescription. Its bytes
/// stay in the store and are read with ``HKAttachmentStore``.
///
/// Attachments are equal if their identifiers are.
// Unchecked: all stored properties are immutable.
open class HKAttachment: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    let stored: StoredAttachment
    /// The UUID of the object that has the attachment.
    let objectUUID: UUID
    private let sampleMetadata: SampleMetadata?

    init(_ stored: StoredAttachment, of objectUUID: UUID) {
        self.stored = stored
        self.objectUUID = objectUUID
        sampleMetadata = stored.metadata.isEmpty ? nil : SampleMetadata(stored.metadata)
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes an attachment; nil if a field is missing. The bytes are not archived.
    ///
    /// - Parameter coder: The unarchiver.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.string("identifier").flatMap({ SampleUUID($0) }),
            let object = coder.string("object").flatMap({ UUID(uuidString: $0) }),
            let name = coder.string("name"),
            let created = coder.value(NSDate.self, "creationDate")
        else { return nil }
        let metadata = coder.data("metadata").flatMap { data in
            try? PropertyListDecoder().decode(Metadata.self, from: data)
        }
        stored = StoredAttachment(
            identifier: identifier, name: name, contentType: coder.string("contentType"),
            size: coder.decodeInt64(forKey: "size"),
            created: created.timeIntervalSinceReferenceDate, metadata: metadata ?? [:],
            exportedIdentifier: coder.string("exportedIdentifier"))
        objectUUID = object
        sampleMetadata = metadata.map { SampleMetadata($0) }
    }

    /// Archives the attachment without its bytes.
    ///
    /// - Parameter coder: The archiver.
    open func encode(with coder: NSCoder) {
        coder.encode(stored.identifier.description, for: "identifier")
        coder.encode(objectUUID.uuidString, for: "object")
        coder.encode(stored.name, for: "name")
        coder.encode(stored.contentType, for: "contentType")
        coder.encode(stored.size, forKey: "size")
        coder.encode(creationDate as NSDate, forKey: "creationDate")
        coder.encode(stored.exportedIdentifier, for: "exportedIdentifier")
        guard !stored.metadata.isEmpty else { return }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        coder.encode(try? encoder.encode(stored.metadata), for: "metadata")
    }

    /// Returns this object, which is immutable.
    ///
    /// - Parameter zone: Ignored.
    /// - Returns: This object.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The permanent identifier of the attachment.
    open var identifier: UUID { UUID(stored.identifier) }

    /// The name for people, as it was given. It is not necessarily a valid name of a file.
    open var name: String { stored.name }

    /// The type of the bytes. For a file of an export it follows from the extension of the name.
    open var contentType: UTType {
        if let identifier = stored.contentType { return UTType(importedAs: identifier) }
        let pieces = name.split(separator: ".")
        guard pieces.count > 1, let last = pieces.last else { return .data }
        return UTType(filenameExtension: String(last)) ?? .data
    }

    /// The number of bytes.
    open var size: Int { Int(clamping: stored.size) }

    /// When the file was attached. An export doesn't contain this, so for a file of one it is the
    /// start of the object.
    open var creationDate: Date { Date(timeIntervalSinceReferenceDate: stored.created) }

    /// Additional facts by key, as those of an ``HKObject``; nil without metadata.
    open var metadata: [String: Any]? { sampleMetadata?.values }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKAttachment)?.stored.identifier == stored.identifier
    }

    open override var hash: Int { stored.identifier.hashValue }
}
