public import Foundation

/// The key of a position: a subscriber, a type and a filter.
public struct PositionKey: Hashable, Sendable, Codable {
    /// The subscriber's name: "mirror"; "handler:" followed by a handler's name; or the name given
    /// for a destination or a sequence of batches.
    public let subscriber: String
    /// The type's identifier.
    public let type: String
    /// The filter's name; empty if there is no filter.
    public let filter: String

    public init(subscriber: String, type: String, filter: String = "") {
        self.subscriber = subscriber
        self.type = type
        self.filter = filter
    }
}

/// How far a subscriber has read the changes of one type.
public struct SyncPosition: Hashable, Sendable {
    /// What remains to be read.
    public enum Phase: Hashable, Sendable {
        /// The existing samples that start before a date, newest first, and all changes since the
        /// anchor.
        case history(before: Date)
        /// Only changes since the anchor.
        case changes
    }

    /// The query anchor, archived with `NSKeyedArchiver`.
    public var anchor: Data
    /// What remains to be read.
    public var phase: Phase
    /// When all changes were last read, or when the position was created. It is renewed at most
    /// every 15 minutes. The distant past means that deletions may be missing.
    public var caughtUp: Date

    public init(anchor: Data, phase: Phase, caughtUp: Date) {
        self.anchor = anchor
        self.phase = phase
        self.caughtUp = caughtUp
    }

    init(_ anchor: HKQueryAnchor, phase: Phase, caughtUp: Date) throws {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: anchor, requiringSecureCoding: true)
        self.init(anchor: data, phase: phase, caughtUp: caughtUp)
    }

    /// The decoded anchor; nil if it is not valid.
    var queryAnchor: HKQueryAnchor? {
        try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: anchor)
    }
}

/// An error of a position store, a position file or a mirror's file.
public enum SyncError: Error, Hashable, Sendable {
    /// The stored position is not the expected one, because another reader has advanced or removed
    /// it. The watcher reads again from the stored position.
    case positionMoved
    /// A mirror's file was written by a newer version of this library. Position files of a newer
    /// version are replaced instead. `version` is the file's schema version; empty if unknown.
    case newerFile(version: String)
    /// The file belongs to another program, or is no regular file. It is unchanged.
    case foreignFile
    /// A position file was unusable again after every replacement, or a mirror changed during every
    /// attempt to repair a day.
    case busy
}
