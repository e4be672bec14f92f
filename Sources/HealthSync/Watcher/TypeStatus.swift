public import Foundation

/// How far a type has been read, for each subscriber.
public struct TypeStatus: Sendable {
    /// The sample type.
    public let sampleType: HKSampleType
    /// The filter's name; empty without one.
    public let filterName: String
    /// When the watcher was last notified of a change.
    public internal(set) var lastWake: Date?
    /// The status of each subscriber that reads the type, by the subscriber's name.
    public internal(set) var lanes: [String: LaneStatus]
    /// The error of enabling background delivery; nil if it is enabled or off.
    public internal(set) var deliveryError: (any Error)?

    /// When the subscriber furthest behind had last read everything; nil if one never has.
    public var caughtUp: Date? {
        let dates = lanes.values.map(\.caughtUp)
        return dates.contains(nil) ? nil : dates.compactMap { $0 }.min()
    }

    /// The most relevant reason why a subscriber is paused; nil if none is.
    public var pause: PauseReason? { lanes.values.compactMap(\.pause).min() }
}

/// How far one subscriber has read one type.
public struct LaneStatus: Sendable {
    /// The stored position; nil before the first one.
    public internal(set) var position: SyncPosition?
    /// What remains to be read; nil before the first position.
    public var phase: SyncPosition.Phase? { position?.phase }
    /// When everything was last read.
    public internal(set) var caughtUp: Date?
    /// How much is known to remain to be read.
    public internal(set) var backlog = Backlog.unknown
    var readingPause: PauseReason?
    var settlingPause: PauseReason?
    var readingError: (any Error)?
    var settlingError: (any Error)?
    var comparingError: (any Error)?
    /// The last position that could not be continued from, since the watcher was created; nil if
    /// there was none.
    public internal(set) var lost: LostPosition?
    /// Why the subscriber is paused; nil if it isn't.
    public var pause: PauseReason? { [readingPause, settlingPause].compactMap { $0 }.min() }
    /// The error of the last attempt; nil if it succeeded.
    public var lastError: (any Error)? { readingError ?? settlingError ?? comparingError }
    /// The number of consecutive failed attempts.
    public internal(set) var failures = 0
    /// The number of batches delivered since the watcher was created.
    public internal(set) var batches = 0
    /// The number of samples delivered as added since the watcher was created.
    public internal(set) var added = 0
    /// The number of deletions delivered since the watcher was created.
    public internal(set) var deleted = 0

    /// What remains to be read. HealthKit never reports the amount.
    public enum Backlog: Hashable, Sendable {
        /// Not known: nothing was read yet, or a pause prevents reading.
        case unknown
        /// Nothing.
        case none
        /// At least one page.
        case pages
    }
}

/// Why a subscriber is paused, ordered by how easily a person can fix it.
public enum PauseReason: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// The app has not requested authorization.
    case notAsked
    /// The device is locked; retried at the next wake and after a pause.
    case locked
    /// The disk is full.
    case disk
    /// The handler failed at every attempt; the batch is delivered again at the next start or sync.
    case handlerStuck
    /// The handler failed and will be retried after a pause.
    case handlerFailed
    /// The query failed and will be retried after a pause.
    case unanswered
    /// No sample can be read: permission is denied or there is no data. HealthKit doesn't report
    /// which.
    case deniedOrEmpty

    public static func < (a: PauseReason, b: PauseReason) -> Bool { a.rawValue < b.rawValue }
}

/// A position from which a subscriber cannot continue.
public struct LostPosition: Hashable, Sendable {
    /// The subscriber, type and filter of the position.
    public let key: PositionKey
    /// Why the position cannot be used.
    public let reason: Reason
    /// When everything was last read; the distant past if that is not known.
    public let caughtUp: Date

    /// Why a position cannot be used.
    public enum Reason: Hashable, Sendable {
        /// The stored data is no valid anchor, or its ``PositionFile`` could not be used.
        case unreadable
        /// HealthKit rejects the anchor: it belongs to another store, or lies beyond the last
        /// change.
        case refused
        /// HealthKit may have removed deletions since this position.
        case stale
    }
}

/// Stores the statuses and publishes their changes.
final class StatusBoard: Sendable {
    private struct State {
        var statuses: [PositionKey: TypeStatus] = [:]
        var streams: [Int: AsyncStream<TypeStatus>.Continuation] = [:]
        var lastNumber = 0
    }

    private let state = Guarded(State())

    deinit { for stream in state({ Array($0.streams.values) }) { stream.finish() } }

    var all: [TypeStatus] {
        state { $0.statuses.values.sorted { $0.sortKey < $1.sortKey } }
    }

    func status(_ type: TrackedType) -> TypeStatus? { state { $0.statuses[type.statusKey] } }

    func update(_ type: TrackedType, _ change: (inout TypeStatus) -> Void) {
        let key = type.statusKey
        let (status, streams) = state { state in
            var status =
                state.statuses[key]
                ?? TypeStatus(sampleType: type.sampleType, filterName: type.filterName, lanes: [:])
            change(&status)
            state.statuses[key] = status
            return (status, Array(state.streams.values))
        }
        for stream in streams { stream.yield(status) }
    }

    func forget(_ type: TrackedType) { state { $0.statuses[type.statusKey] = nil } }

    /// A stream of every later status change. A slow consumer gets the newest 100 changes.
    var updates: AsyncStream<TypeStatus> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TypeStatus.self, bufferingPolicy: .bufferingNewest(100))
        let number = state { state -> Int in
            state.lastNumber += 1
            state.streams[state.lastNumber] = continuation
            return state.lastNumber
        }
        continuation.onTermination = { [weak self] _ in
            self?.state { $0.streams[number] = nil }
        }
        return stream
    }
}

extension TypeStatus {
    fileprivate var sortKey: String { sampleType.identifier + "\u{0}" + filterName }
}

extension TrackedType {
    fileprivate var statusKey: PositionKey { key(lane: "") }
}
