public import Foundation

/// A note, tag, photo or number that an app adds to a sample.
///
/// When the mirror removes the entry of a replaced or deleted sample, its attachments move. They
/// move to another entry with the same sync identifier, type and app. Without such an entry, they
/// become unattached (``Mirror/unattached()``). They stay attached to an entry that is marked as
/// ``MirrorEntry/State/notVisible``.
///
/// Two things remove an attachment: ``Mirror/removeAttachment(_:)``, and
/// ``WriteThrough/remove(_:attachments:)`` of its entry with ``AttachmentDeleteRule/removed``.
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

    /// A reference to a photo in the mirror's photo folder.
    public struct Photo: Hashable, Sendable, Codable {
        /// The SHA-256 digest of the photo's bytes in lowercase hexadecimal digits. It is also the
        /// name of the photo's file in the mirror's photo folder.
        public let digest: String
        /// The size of the photo's file in bytes.
        public let byteCount: Int
        /// The name to show: that of the original file, or the name given with the bytes.
        public let name: String
    }

    /// The sample that an attachment belongs to, with the fields that are kept after the sample's
    /// deletion.
    public struct Target: Hashable, Sendable, Codable {
        /// The UUID of the sample that the attachment belongs to.
        public let entry: UUID
        /// The identifier of the sample's type; nil if it is not known.
        public let type: String?
        /// When the sample starts; nil if it is not known.
        public let start: Date?
        /// The sample's sync identifier; nil if the sample has none.
        public let syncIdentifier: String?
        /// The bundle identifier of the app that saved the sample; nil if it is not known.
        public let bundleIdentifier: String?
    }

    /// The attachment's identifier.
    public let id: UUID
    /// The value of the attachment.
    public let content: Content
    /// When the attachment was first stored in a mirror, by the clock of that device. For the
    /// attachments of a draft, this is when the draft's entry was created.
    public let created: Date
    /// When an app last called ``Mirror/changeAttachment(_:to:)`` or ``Mirror/reattach(_:to:)`` for
    /// the attachment, on any device; equal to ``created`` before the first call. Automatic moves
    /// to another entry, and changes of ``isAttached``, do not change this date.
    public let modified: Date
    /// The sample that the attachment belongs to. While the attachment is unattached, this is the
    /// sample whose entry the mirror does not have.
    public let target: Target
    /// Whether the mirror has an entry of the sample in ``target``, in any ``MirrorEntry/State``.
    /// False if the mirror has removed that entry, or never had it.
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

extension Attachment.Target {
    /// Creates a target from the fields of the entry that an attachment belongs to.
    init(_ entry: MirrorEntry) {
        self.init(
            entry: entry.id, type: entry.type, start: entry.start,
            syncIdentifier: entry.syncIdentifier, bundleIdentifier: entry.bundleIdentifier)
    }
}
