public import Foundation

/// Whose place in which type's changes.
public struct PositionKey: Hashable, Sendable, Codable {
    /// The reader: the mirror, or one handler. Each reads at its own pace.
    public let lane: String
    /// The type's identifier.
    public let type: String
    /// The filter's name; empty without one.
    public let filter: String

    public init(lane: String, type: String, filter: String = "") {
        self.lane = lane
        self.type = type
        self.filter = filter
    }
}

/// How far a reader has come in the changes of one type.
public struct SyncPosition: Hashable, Sendable {
    /// What is still to be read.
    public enum Phase: Hashable, Sendable {
        /// The history before a moment, newest first, and every change since the anchor was taken.
        case history(before: Date)
        /// Only what changes.
        case changes
    }

    /// The anchor, archived.
    public var anchor: Data
    public var phase: Phase
    /// When changes were last read to their end, or the position was taken.
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

    /// The anchor as a query takes it; nil if it can't be read.
    var queryAnchor: HKQueryAnchor? {
        try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: anchor)
    }
}
