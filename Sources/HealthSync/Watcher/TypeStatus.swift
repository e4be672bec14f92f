public import Foundation

/// How far each subscriber has read one tracked type. The status is kept in memory only, while this
/// watcher tracks the type.
public struct TypeStatus: Sendable {
    /// The tracked sample type.
    public let sampleType: HKSampleType
    /// The name of the filter with which the type is tracked; empty without a filter.
    public let filterName: String
    /// When HealthKit last called the observer query's handler for the type, or the app last called
    /// ``Watcher/wake(_:)`` for it. HealthKit also calls the handler once after observing begins,
    /// without a change (Semantics §7.2). Nil if neither has happened since this watcher began to
    /// track the type. Calls between ``Watcher/stop()`` and the next start or sync do not count.
    public internal(set) var lastWake: Date?
    /// The status of each subscriber that has read or compared the type, or failed to, since this
    /// watcher began to track the type. The keys are the names of the subscribers
    /// (``PositionKey/subscriber``). The status of a removed subscriber stays.
    public internal(set) var subscribers: [String: SubscriberStatus]
    /// The error of the last attempt to enable background delivery of the type. Nil if that attempt
    /// succeeded, or if none was made.
    public internal(set) var deliveryError: (any Error)?

    /// When the subscriber that is furthest behind last had nothing left to read: the earliest
    /// ``SubscriberStatus/caughtUp`` in ``subscribers``. Nil if ``subscribers`` is empty or one of
    /// its dates is nil.
    public var caughtUp: Date? {
        let dates = subscribers.values.map(\.caughtUp)
        return dates.contains(nil) ? nil : dates.compactMap { $0 }.min()
    }

    /// The first reason, in the order of ``PauseReason``, for which one of the subscribers is
    /// paused; nil if none of them is.
    public var pause: PauseReason? { subscribers.values.compactMap(\.pause).min() }
}

/// How far one subscriber has read one tracked type. The status is kept in memory only, while the
/// watcher tracks the type.
public struct SubscriberStatus: Sendable {
    /// The position up to which the subscriber has read; nil until its first attempt to read has
    /// found or stored a position. Once nothing is left to read, the position's
    /// ``SyncPosition/caughtUp`` is the time of that read. In the position store, that date may be
    /// up to 15 minutes older.
    public internal(set) var position: SyncPosition?
    /// What remains to be read after ``position``: existing samples and changes, or only changes.
    /// Nil while ``position`` is nil.
    public var phase: SyncPosition.Phase? { position?.phase }
    /// When the subscriber last had nothing left to read of the type, neither existing samples nor
    /// changes. Nil if that has not happened since this watcher began to track the type, even if it
    /// happened in an earlier run of the app.
    public internal(set) var caughtUp: Date?
    /// What is known to be left to read of the type: nothing, or existing samples. Otherwise
    /// ``Backlog/unknown``.
    public internal(set) var backlog = Backlog.unknown
    var readingPause: PauseReason?
    var debouncePause: PauseReason?
    var readingError: (any Error)?
    var debounceError: (any Error)?
    var comparingError: (any Error)?
    /// The last position of the type that could not be used, or that was reported as
    /// ``LostPosition/Reason/stale``. Nil if there was none since this watcher began to track the
    /// type. The value stays after reading has continued.
    public internal(set) var lost: LostPosition?
    /// Why reading of the type, or the delivery of nights, is paused; nil if neither is. If both
    /// are paused, the reason that comes first in the order of ``PauseReason``. A value of
    /// ``PauseReason/deniedOrEmpty`` does not stop reading.
    public var pause: PauseReason? { [readingPause, debouncePause].compactMap { $0 }.min() }
    /// The error of the last attempt to read the type, else of the last delivery of nights, else of
    /// the last comparison of recent days. Nil if none of these failed.
    public var lastError: (any Error)? { readingError ?? debounceError ?? comparingError }
    /// The number of failed attempts to read the type or to deliver a batch since the last success.
    /// Restarting the watcher, or retrying a stuck handler, starts a new count. Failed deliveries
    /// of nights are not counted.
    public internal(set) var failures = 0
    /// The number of batches delivered to this subscriber since this watcher began to track the
    /// type. A batch counts once it was processed and its position was stored.
    public internal(set) var batches = 0
    /// The number of samples delivered to this subscriber as added, including existing ones, since
    /// this watcher began to track the type.
    public internal(set) var added = 0
    /// The number of deletions delivered to this subscriber since this watcher began to track the
    /// type.
    public internal(set) var deleted = 0

    /// What is known to be left to read of a type. HealthKit never reports how many samples.
    public enum Backlog: Hashable, Sendable {
        /// It is not known whether anything is left to read: nothing was read yet, only changes
        /// remain and are being read, or the last attempt to read failed or was cancelled.
        case unknown
        /// Nothing was left to read at the end of the last read. Changes since then may exist.
        case none
        /// Existing samples are left to read, because the history was not read to its end. Changes
        /// may be left too.
        case pages
    }
}

/// Why reading a type for a subscriber, or delivering nights to it, is paused. Of several reasons,
/// the first one in the order of the cases is reported.
public enum PauseReason: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// The app has not requested authorization to read the type. Reading is retried at the next
    /// wake and after a delay.
    case notDetermined
    /// HealthKit cannot be accessed because the device is locked. Reading is retried at the next
    /// wake and after a delay.
    case locked
    /// The handler, another destination, the position store or the handler for lost positions
    /// failed because the disk is full. Reading is retried at the next wake and after a delay.
    case disk
    /// The handler, another destination, the position store or the handler for lost positions
    /// failed, and no retry delay is left. There is no further automatic retry. The changes or
    /// nights are delivered again at the next ``Watcher/sync()``, or the next ``Watcher/start()``
    /// after a stop.
    case handlerStuck
    /// The handler, another destination, the position store or the handler for lost positions
    /// failed. Retried after a delay, but not at a wake.
    case handlerFailed
    /// A HealthKit query, or the comparison after a lost or old position, failed for another
    /// reason. Retried at the next wake and after a delay.
    case queryFailed
    /// Reading succeeds, but no sample that matches the type and its filter was found since this
    /// watcher began to track the type. Read permission is denied, or there is no data; HealthKit
    /// doesn't report which. The type is still read at each wake. Once a sample was found, a later
    /// revocation is not reported here.
    ///
    /// Also the reason if a query fails with HealthKit's error for denied authorization.
    case deniedOrEmpty

    public static func < (a: PauseReason, b: PauseReason) -> Bool { a.rawValue < b.rawValue }
}

/// A stored position that cannot be used, or that is so old that deletions may be missing after it.
public struct LostPosition: Hashable, Sendable {
    /// The key of the position: the subscriber, the type and the filter.
    public let key: PositionKey
    /// What is wrong with the position.
    public let reason: Reason
    /// When the subscriber last had nothing left to read before the loss. The date may be up to 15
    /// minutes too early. If that never happened, when the position was created. The distant past
    /// if no date is known, for example if the position could not be read.
    public let caughtUp: Date

    /// What is wrong with a position.
    public enum Reason: Hashable, Sendable {
        /// The stored anchor cannot be decoded, or the ``PositionFile`` that stored the position
        /// could not be used and was replaced.
        ///
        /// A replaced file is reported for each subscriber without a position in the new file, even
        /// for one that never had a position. It is not reported for a mirror or another
        /// ``TransactionalDestination``, which stores its own positions. Nor is it reported for the
        /// handlers of ``Watcher/onNights(calendar:debounce:of:named:_:)``.
        case unreadable
        /// HealthKit rejects the position's anchor, for example because it belongs to another store
        /// or lies beyond the last change.
        case refused
        /// The position's ``SyncPosition/caughtUp`` is older than
        /// ``Watcher/Configuration/tombstoneLifetime``, so HealthKit may have removed the records
        /// of later deletions. The subscriber's data is not compared with HealthKit's, so deletions
        /// may be missing. The position stays in use, and the changes after it are delivered.
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

    /// A new stream of every later status change, each with the status after it. A slow consumer
    /// gets only the newest 100 changes.
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
