public import Foundation

/// How far a type has been read, for each subscriber.
public struct TypeStatus: Sendable {
    /// The sample type.
    public let sampleType: HKSampleType
    /// The filter's name; empty if there is no filter.
    public let filterName: String
    /// When HealthKit last reported a change of the type, or ``Watcher/wake(_:)`` was last called
    /// for it; nil before.
    public internal(set) var lastWake: Date?
    /// The status of each subscriber that has read the type or tried to, by
    /// ``PositionKey/subscriber``.
    public internal(set) var subscribers: [String: SubscriberStatus]
    /// The error of the last attempt to enable background delivery; nil if it succeeded or was not
    /// made.
    public internal(set) var deliveryError: (any Error)?

    /// When the subscriber furthest behind had last read everything; nil if there is no subscriber,
    /// or one has not read everything since the type was tracked.
    public var caughtUp: Date? {
        let dates = subscribers.values.map(\.caughtUp)
        return dates.contains(nil) ? nil : dates.compactMap { $0 }.min()
    }

    /// The first reason, in the order of ``PauseReason``, for which a subscriber is paused; nil if
    /// none is.
    public var pause: PauseReason? { subscribers.values.compactMap(\.pause).min() }
}

/// How far one subscriber has read one type.
public struct SubscriberStatus: Sendable {
    /// The position that was last read to; nil before the first read. After everything was read,
    /// its ``SyncPosition/caughtUp`` is the time of that read. The date of the stored position may
    /// be up to 15 minutes older.
    public internal(set) var position: SyncPosition?
    /// What remains to be read; nil before the first read.
    public var phase: SyncPosition.Phase? { position?.phase }
    /// When everything was last read; nil if that has not happened since the type was tracked.
    public internal(set) var caughtUp: Date?
    /// Whether anything is known to remain to be read.
    public internal(set) var backlog = Backlog.unknown
    var readingPause: PauseReason?
    var debouncePause: PauseReason?
    var readingError: (any Error)?
    var debounceError: (any Error)?
    var comparingError: (any Error)?
    /// The last position that could not be used or was too old, since the type was tracked; nil if
    /// there was none.
    public internal(set) var lost: LostPosition?
    /// Why the subscriber is paused; nil if it isn't. If both reading and delivering nights are
    /// paused, this is the first of their reasons in the order of ``PauseReason``.
    public var pause: PauseReason? { [readingPause, debouncePause].compactMap { $0 }.min() }
    /// The error of the last read, else of the last delivery of nights, else of the last comparison
    /// of recent days; nil if all succeeded.
    public var lastError: (any Error)? { readingError ?? debounceError ?? comparingError }
    /// The number of failed attempts to read since the last success. Restarting the watcher, or
    /// retrying a stuck handler, starts a new count.
    public internal(set) var failures = 0
    /// The number of batches delivered since the type was tracked.
    public internal(set) var batches = 0
    /// The number of samples delivered as added since the type was tracked.
    public internal(set) var added = 0
    /// The number of deletions delivered since the type was tracked.
    public internal(set) var deleted = 0

    /// What remains to be read. HealthKit never reports the amount.
    public enum Backlog: Hashable, Sendable {
        /// Not known: nothing was read yet, changes are being read, or the last attempt failed.
        case unknown
        /// Nothing: the last read reached the end.
        case none
        /// A part of the history of existing samples.
        case pages
    }
}

/// Why a subscriber is paused. Of several reasons, the first one in the order of the cases is
/// reported.
public enum PauseReason: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// The app has not requested authorization for the type.
    case notDetermined
    /// The device is locked; retried at the next wake and after a pause.
    case locked
    /// The disk is full; retried at the next wake and after a pause.
    case disk
    /// The handler, or another destination, failed again after the last retry delay. The batch is
    /// delivered again at the next start or sync.
    case handlerStuck
    /// The handler, another destination or the position store failed; retried after a pause.
    case handlerFailed
    /// A query or a comparison with HealthKit failed; retried at the next wake and after a pause.
    case queryFailed
    /// No sample of the type can be read: permission is denied or there is no data. HealthKit
    /// doesn't report which.
    case deniedOrEmpty

    public static func < (a: PauseReason, b: PauseReason) -> Bool { a.rawValue < b.rawValue }
}

/// A stored position that cannot be used, or that is so old that deletions may be missing after it.
public struct LostPosition: Hashable, Sendable {
    /// The subscriber, type and filter of the position.
    public let key: PositionKey
    /// What is wrong with the position.
    public let reason: Reason
    /// When everything was last read; the distant past if that is not known.
    public let caughtUp: Date

    /// What is wrong with a position.
    public enum Reason: Hashable, Sendable {
        /// The stored data is no valid anchor, or its ``PositionFile`` could not be used and was
        /// replaced.
        case unreadable
        /// HealthKit rejects the anchor: it belongs to another store, or lies beyond the last
        /// change.
        case refused
        /// HealthKit may have removed deletions since this position, and the subscriber's data is
        /// not compared. Reading continues from the position.
        case stale
    }
}

/// Stores the status of each type and filter, and publishes every change of a status. The removal
/// of a status is not published.
final class StatusRegistry: Sendable {
    private struct State {
        var statuses: [PositionKey: TypeStatus] = [:]
        var streams: [Int: AsyncStream<TypeStatus>.Continuation] = [:]
        var lastNumber = 0
    }

    private let state = LockedValue(State())

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
                ?? TypeStatus(
                    sampleType: type.sampleType, filterName: type.filterName, subscribers: [:])
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
    fileprivate var statusKey: PositionKey { key(subscriber: "") }
}
