public import Foundation

/// How far a type has been read, lane by lane.
public struct TypeStatus: Sendable {
    /// The type, and the filter's name.
    public let sampleType: HKSampleType
    public let filterName: String
    /// When HealthKit last told of a change.
    public internal(set) var lastWake: Date?
    /// Each lane that reads the type, by name.
    public internal(set) var lanes: [String: LaneStatus]
    /// What enabling background delivery met with; nil if it is enabled or off.
    public internal(set) var deliveryError: (any Error)?

    /// When the lane that is furthest behind had read everything; nil if one never has.
    public var caughtUp: Date? {
        let dates = lanes.values.map(\.caughtUp)
        return dates.contains(nil) ? nil : dates.compactMap { $0 }.min()
    }

    /// Why a lane pauses, the one that matters most; nil if none does.
    public var pause: PauseReason? { lanes.values.compactMap(\.pause).min() }
}

/// How far one lane has come in one type.
public struct LaneStatus: Sendable {
    /// Where it stands; nil before its first.
    public internal(set) var position: SyncPosition?
    /// What is still to be read; nil before the first position.
    public var phase: SyncPosition.Phase? { position?.phase }
    /// When everything was last read.
    public internal(set) var caughtUp: Date?
    public internal(set) var backlog = Backlog.unknown
    var readingPause: PauseReason?
    var settlingPause: PauseReason?
    var readingError: (any Error)?
    var settlingError: (any Error)?
    var comparingError: (any Error)?
    /// The last position that could not be gone on from since the watcher was made; nil if all could.
    public internal(set) var lost: LostPosition?
    /// Why the lane doesn't go on; nil if it does.
    public var pause: PauseReason? { [readingPause, settlingPause].compactMap { $0 }.min() }
    /// What went wrong at the last attempt; nil if nothing did.
    public var lastError: (any Error)? { readingError ?? settlingError ?? comparingError }
    /// How many attempts in a row failed.
    public internal(set) var failures = 0
    /// Since the watcher was made.
    public internal(set) var batches = 0
    public internal(set) var added = 0
    public internal(set) var deleted = 0

    /// What waits to be read. HealthKit never says how much.
    public enum Backlog: Hashable, Sendable {
        /// Not known: nothing was read yet, or a pause keeps it from being read.
        case unknown
        /// Nothing waits.
        case none
        /// At least a page.
        case pages
    }
}

/// Why a lane doesn't go on, what a person can mend most easily first.
public enum PauseReason: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// Permission was never asked for.
    case notAsked
    /// The device is locked; tried again at the next wake and after a while.
    case locked
    /// There is no room to keep what was read.
    case disk
    /// Its handler failed at every attempt; the batch comes again at the next start.
    case handlerStuck
    /// Its handler failed, and is tried again soon.
    case handlerFailed
    /// HealthKit would not answer, and is asked again soon.
    case unanswered
    /// Nothing can be seen: the person denied it or has no such data. HealthKit doesn't say which.
    case deniedOrEmpty

    public static func < (a: PauseReason, b: PauseReason) -> Bool { a.rawValue < b.rawValue }
}

/// A position that can't be gone on from.
public struct LostPosition: Hashable, Sendable {
    public let key: PositionKey
    public let reason: Reason
    /// When the reader had last read everything; the distant past where nobody knows.
    public let caughtUp: Date

    /// Why a position is of no use any more.
    public enum Reason: Hashable, Sendable {
        /// What was kept is no anchor, or was lost with a ``PositionFile`` that was set aside.
        case unreadable
        /// HealthKit refuses the anchor: it belongs to another store, or lies beyond the last change.
        case refused
        /// Deletions since may have been forgotten by HealthKit.
        case stale
    }
}

/// Where statuses are kept, and told from.
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

    /// Each change from now on; only the newest hundred wait for a slow reader.
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
