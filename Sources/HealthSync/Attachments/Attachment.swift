public import Foundation

/// Something of the app's own that hangs on a sample: a note, a tag, a photo, a number.
///
/// It follows the sample: to its successor when the sample is replaced, and into the list of
/// unattached ones when it is deleted (``Mirror/unattached()``). Nothing but
/// ``Mirror/removeAttachment(_:)`` takes it away.
public struct Attachment: Hashable, Sendable, Codable, Identifiable {
    /// What it holds.
    public enum Content: Hashable, Sendable {
        case note(String)
        case tag(String)
        /// A photo that ``Mirror/keepPhoto(at:)`` has taken in.
        case photo(Photo)
        /// A number of the app's own with its unit: `.number("waist", 88, unit: "cm")`.
        case number(String, Double, unit: String)
    }

    /// A file in the mirror's photo folder.
    public struct Photo: Hashable, Sendable, Codable {
        /// SHA-256 of its bytes in hexadecimal digits; the file's name.
        public let digest: String
        public let byteCount: Int
        /// What the file was called where it came from.
        public let name: String
    }

    /// What it hangs on, or hung on when that was deleted.
    public struct Place: Hashable, Sendable, Codable {
        /// The sample's UUID.
        public let entry: UUID
        /// The type's identifier; nil if another device's mirror told of it and it was never here.
        public let type: String?
        public let start: Date?
        public let syncIdentifier: String?
        public let bundleIdentifier: String?
    }

    public let id: UUID
    public let content: Content
    public let created: Date
    /// When the app last changed its content or moved it.
    public let modified: Date
    public let place: Place
    /// False while its entry isn't kept: deleted, or not seen yet.
    public let isAttached: Bool
}

/// `{"note": "…"}`, `{"tag": "…"}`, `{"photo": {…}}`, `{"number": 88, "name": "waist", "unit": "cm"}`.
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
