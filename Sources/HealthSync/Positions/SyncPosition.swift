public import Foundation

/// The key of a position: a subscriber, a type and a filter.
public struct PositionKey: Hashable, Sendable, Codable {
    /// The subscriber's name: "mirror"; "handler:" followed by a handler's name; or the name given
    /// for a destination or a sequence of batches.
    public let subscriber: String
    /// The identifier of the sample type. It is empty only for a failed delivery of nights in
    /// ``SyncSummary/failures``.
    public let type: String
    /// The name of the filter with which the type is tracked; empty without a filter.
    public let filter: String

    public init(subscriber: String, type: String, filter: String = "") {
        self.subscriber = subscriber
        self.type = type
        self.filter = filter
    }
}

/// How far a subscriber has read one type with one filter: its existing samples and its changes.
public struct SyncPosition: Hashable, Sendable {
    /// What remains to be read of a type: existing samples and changes, or only changes.
    public enum Phase: Hashable, Sendable {
        /// The existing samples that start before a date, newest first, and all changes after
        /// ``SyncPosition/anchor``. The distant future means all existing samples. A
        /// ``FirstRun/window(since:)`` limits them at the other end.
        case history(before: Date)
        /// Only changes after ``SyncPosition/anchor``. The existing samples were read, or the first
        /// run is ``FirstRun/fromNow``.
        case changes
    }

    /// The query anchor after which changes remain to be read, archived with `NSKeyedArchiver`.
    public var anchor: Data
    /// What remains to be read after this position: existing samples and changes, or only changes.
    public var phase: Phase
    /// When the subscriber last had nothing left to read, neither existing samples nor changes. If
    /// that has not happened since a position was first stored, or replaced a lost one, the date of
    /// that. The date may be up to 15 minutes too early, because it is not renewed more often.
    ///
    /// The distant past means that deletions may be missing. A comparison with HealthKit is then
    /// due as soon as the subscriber has nothing left to read.
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

    /// The decoded ``anchor``; nil if its data is not an archived query anchor.
    var queryAnchor: HKQueryAnchor? {
        try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: anchor)
    }
}

/// An error of a position store, a position file or a mirror's file.
public enum SyncError: Error, Hashable, Sendable {
    /// The stored position is not the expected one: another reader has advanced it, or it was
    /// removed. The watcher then reads again from the stored position.
    case positionMoved
    /// A mirror's file was written by a newer version of this library. Position files of a newer
    /// version are replaced instead. `version` is the file's schema version; empty if unknown.
    case newerFile(version: String)
    /// The file is another kind of SQLite database, such as another program's, or no regular file.
    /// For a mirror, also a file that is no SQLite database. The file is unchanged.
    case foreignFile
    /// A position file was unusable again after each of three replacements, or a mirror changed
    /// during each of 8 attempts to repair a day.
    case busy
}
