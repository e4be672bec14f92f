public import Foundation

/// A note, tag, photo or number that an app adds to a sample.
///
/// An attachment moves to the new sample when its sample is replaced. When the sample is deleted,
/// the attachment becomes unattached (``Mirror/unattached()``). Three things remove an attachment:
/// ``Mirror/removeAttachment(_:)``, removing its entry with ``AttachmentDeleteRule/removed``, and
/// ``Mirror/replicate(to:)`` after its removal on another device.
public struct Attachment: Hashable, Sendable, Codable, Identifiable {
    /// The value of an attachment.
    public enum Content: Hashable, Sendable {
        case note(String)
        case tag(String)
        /// A photo that was copied to the mirror, for example by ``Mirror/storePhoto(at:)``.
        case photo(Photo)
        /// A named number with its unit: `.number("waist", 88, unit: "cm")`.
        case number(String, Double, unit: String)
    }

    /// A file in the mirror's photo folder.
    public struct Photo: Hashable, Sendable, Codable {
        /// The SHA-256 digest of the bytes in lowercase hexadecimal digits. It is also the name of
        /// the file in the folder.
        public let digest: String
        /// The size of the file in bytes.
        public let byteCount: Int
        /// The name to show: that of the original file, or the name given for bytes.
        public let name: String
    }

    /// The sample that an attachment belongs to, with the fields that are kept after the sample's
    /// deletion.
    public struct Target: Hashable, Sendable, Codable {
        /// The sample's UUID.
        public let entry: UUID
        /// The type's identifier; nil if the sample is known only from another device.
        public let type: String?
        /// When the sample starts; nil if the sample is known only from another device.
        public let start: Date?
        /// The sample's sync identifier; nil without one.
        public let syncIdentifier: String?
        /// The bundle identifier of the app that saved the sample; nil if it is not known.
        public let bundleIdentifier: String?
    }

    /// The identifier, which is the same on all devices.
    public let id: UUID
    /// The value of the attachment.
    public let content: Content
    /// When the attachment was created.
    public let created: Date
    /// When the attachment was created, or when an app last changed its content or moved it with
    /// ``Mirror/reattach(_:to:)``. A move to a replacing sample is no change.
    public let modified: Date
    /// The sample that the attachment belongs to.
    public let target: Target
    /// Whether the mirror has the sample's entry; false after a deletion, or before the sample was
    /// read.
    public let isAttached: Bool

    private enum CodingKeys: String, CodingKey {
        case id, content, created, modified
        case target = "place"
        case isAttached
    }
}

/// JSON forms: `{"note": "…"}`, `{"tag": "…"}`, `{"photo": {…}}`, `{"number": 88, "name": "waist",
/// "unit": "cm"}`.
extension Attachment.Content: Codable {
    private enum Key: String, CodingKey {
        case note, tag, photo, number, name, unit
    }

    public init(from decoder: any Decoder) throws {
        let parts = try decoder.container(keyedBy: Key.self)
        if let note = try parts.decodeIfPresent(String.self, forKey: .note) {
            self = .note(note)
        } else if let tag = try parts.decodeIfPresent(String.self, forKey: .tag) {
            self = .tag(tag)
        } else if let photo = try parts.decodeIfPresent(Attachment.Photo.self, forKey: .photo) {
            self = .photo(photo)
        } else {
            self = .number(
                try parts.decode(String.self, forKey: .name),
                try parts.decode(Double.self, forKey: .number),
                unit: try parts.decode(String.self, forKey: .unit))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var parts = encoder.container(keyedBy: Key.self)
        switch self {
        case .note(let text): try parts.encode(text, forKey: .note)
        case .tag(let name): try parts.encode(name, forKey: .tag)
        case .photo(let photo): try parts.encode(photo, forKey: .photo)
        case .number(let name, let number, let unit):
            try parts.encode(name, forKey: .name)
            try parts.encode(number, forKey: .number)
            try parts.encode(unit, forKey: .unit)
        }
    }
}
