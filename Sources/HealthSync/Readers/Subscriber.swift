import Foundation

/// A subscriber: a destination with a name under which its positions are stored.
struct Subscriber: Sendable {
    /// Compares a destination's data with HealthKit's and corrects the data, for the samples of the
    /// given types that start in the span.
    typealias Reconcile =
        @Sendable (_ types: [TrackedType], _ span: ReconciledSpan) async throws -> Void

    let name: String
    let destination: any ChangeDestination
    let positions: any PositionStore
    let selection: SubscribedTypes
    /// Whether the subscriber was added by one of the watcher's `on` methods or by
    /// ``Watcher/onNights(calendar:debounce:of:named:_:)``. ``SubscribedTypes/unhandled`` excludes
    /// its types. False for all other subscribers, also for those of
    /// ``Watcher/onOthers(named:firstRun:_:)``.
    var isHandler = false
    /// Which existing samples the subscriber reads first where it has no stored position; nil for
    /// the watcher's policy. A comparison with HealthKit is limited to the same samples; with
    /// ``FirstRun/fromNow`` there is none.
    var firstRun: FirstRun?
    var reconcile: Reconcile?
    /// Returns whether the destination has samples of a type. It is called only if no position is
    /// stored for the type. By default, it returns false.
    var hasContent: @Sendable (TrackedType) async throws -> Bool = { _ in false }
    /// Returns whether read permission for a type seems to have been revoked or granted since the
    /// last comparison.
    ///
    /// It checks whether HealthKit still shows the samples that it showed, and still hides those
    /// that it hid. The date is the earliest start of the samples to check, inclusive; nil for all.
    /// Changes of permission are not part of an anchored query's results. The closure is nil for a
    /// destination that cannot be checked.
    var isOutOfSync: (@Sendable (TrackedType, Date?) async throws -> Bool)?
    /// Delivers at once the nights that the destination has stored, but not delivered to its
    /// handler yet. Nil for subscribers other than night handlers.
    var deliverPending: (@Sendable () async throws -> Void)?
    /// Called when the watcher starts, or when the subscriber is added to a running watcher. Nil
    /// for subscribers other than night handlers, as is ``halt``.
    var launch: (@Sendable () async -> Void)?
    /// Called by ``Watcher/stop()``.
    var halt: (@Sendable () async -> Void)?
    /// Called when the subscriber is removed or the watcher is deallocated.
    var end: (@Sendable () -> Void)?

    /// Whether the destination stores a batch and its position in one transaction.
    var isTransactional: Bool { destination is any TransactionalDestination }

    init(
        _ name: String, to destination: any ChangeDestination,
        positions: any PositionStore, of selection: SubscribedTypes = .everything
    ) {
        self.name = name
        self.destination = destination
        self.positions = (destination as? any TransactionalDestination) ?? positions
        self.selection = selection
    }
}

/// Which of the tracked types a subscriber reads.
enum SubscribedTypes: Sendable {
    case everything
    case types(Set<String>)
    /// The tracked types that no subscriber with ``Subscriber/isHandler`` selects. Mirrors, other
    /// destinations and sequences of batches don't count.
    case unhandled
}

/// How far back a reconciliation compares, by the starts of samples.
public enum ReconciledSpan: Hashable, Sendable {
    /// Samples that start at most this many days (of 86,400 seconds) ago, or in the future.
    case days(Int)
    /// All samples, whenever they start.
    case everything
}
