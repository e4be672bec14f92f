public import Foundation

/// A folder of the person's choice that several of their devices share, in which each mirror leaves
/// what the others need.
///
/// ```swift
/// let replica = MirrorReplica(folder: chosen, contents: .appDataOnly)
/// try await mirror.replicate(to: replica)
/// ```
/// Nothing is replicated unless the app calls ``Mirror/replicate(to:)``, and it is for the app to call
/// it only with a folder that the person has chosen for that.
///
/// What it does: notes, tags, photos and numbers of all devices come together. Each device writes one
/// file of its own, named after a random number, and reads those of the others, so that whatever
/// carries the folder about never meets two writers. The later change of an attachment wins, by the
/// clocks of the devices; a removal is a change too. Each attachment finds its sample by UUID, else by
/// app and sync identifier, and waits unattached until that has come.
///
/// What it doesn't: it brings no sample into a mirror, ever, since only the health store says what is
/// there; it doesn't encrypt; it merges no two changes of one note into one.
public struct MirrorReplica: Hashable, Sendable {
    /// What leaves the mirror.
    public enum Contents: Hashable, Sendable {
        /// Attachments, with UUIDs, sync identifiers and app names of what they hang on: no type, no
        /// time and no value of any sample.
        case appDataOnly
        /// Also all entries, as ``Mirror/export(to:as:)`` writes them, for the person's own use: no
        /// mirror reads them back.
        case appDataAndHealthData
    }

    /// What a replication did.
    public struct Report: Hashable, Sendable {
        /// Attachments that came from other devices, new or changed.
        public internal(set) var received = 0
        /// Attachments that were removed because another device had removed them.
        public internal(set) var removed = 0
        /// Attachments and removals that this device left for the others.
        public internal(set) var sent = 0
        /// Attachments whose photo isn't in the folder yet; the next call looks again.
        public internal(set) var waitingForPhotos = 0
        /// Lines that no device of this version writes; they are left alone.
        public internal(set) var unreadableLines = 0
    }

    public let folder: URL
    public let contents: Contents

    /// A folder, which is made if there is none; health data stays out unless asked for.
    public init(folder: URL, contents: Contents = .appDataOnly) {
        self.folder = folder
        self.contents = contents
    }

    static let suffix = ".attachments.jsonl"
    var photos: URL { folder.appendingPathComponent("photos", isDirectory: true) }
    func file(of device: String) -> URL {
        folder.appendingPathComponent(device + MirrorReplica.suffix)
    }
}

/// One attachment, or its removal, as devices tell each other; a line in a device's file.
struct ReplicatedAttachment: Codable, Equatable {
    var id: UUID
    /// Seconds since 2001-01-01 UTC, as all times here.
    var modified: Double
    /// Nil for one that was removed.
    var content: Attachment.Content?
    var created: Double?
    var entry: UUID?
    var syncIdentifier: String?
    var bundle: String?

    init(_ attachment: Attachment) {
        id = attachment.id
        modified = attachment.modified.timeIntervalSinceReferenceDate
        content = attachment.content
        created = attachment.created.timeIntervalSinceReferenceDate
        entry = attachment.place.entry
        syncIdentifier = attachment.place.syncIdentifier
        bundle = attachment.place.bundleIdentifier
    }

    init(removed id: UUID, at moment: Double) {
        self.id = id
        modified = moment
    }

    /// Whether this is to be kept rather than another of the same id: the later one, a removal rather
    /// than a change of the same moment, else the one whose text sorts later, on every device alike.
    func wins(over other: ReplicatedAttachment) -> Bool {
        if modified != other.modified { return modified > other.modified }
        switch (content, other.content) {
        case (nil, nil), (.some, nil): return false
        case (nil, .some): return true
        case (.some(let own), .some(let their)): return own.sortText > their.sortText
        }
    }

    /// Later of two of the same id; also when only one is given.
    static func latest(
        _ one: ReplicatedAttachment, _ other: ReplicatedAttachment
    ) -> ReplicatedAttachment { other.wins(over: one) ? other : one }
}

extension Attachment.Content {
    fileprivate var sortText: String {
        switch self {
        case .note(let text): "note\u{0}" + text
        case .tag(let name): "tag\u{0}" + name
        case .photo(let photo): "photo\u{0}" + photo.digest + "\u{0}" + photo.name
        case .number(let name, let number, let unit):
            "number\u{0}" + name + "\u{0}\(number.bitPattern)\u{0}" + unit
        }
    }
}
