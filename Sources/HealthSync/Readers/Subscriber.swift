import Foundation

/// A subscriber: a destination with a name under which its positions are stored.
struct Subscriber: Sendable {
    /// Compares a destination's data with the health store where changes may have been missed.
    typealias Reconcile =
        @Sendable (_ types: [TrackedType], _ span: ReconciledSpan) async throws -> Void

    let name: String
    let destination: any ChangeDestination
    let positions: any PositionStore
    let selection: SubscribedTypes
    /// Whether the subscriber is a handler, and its types are therefore excluded from
    /// ``SubscribedTypes/unhandled``.
    var isHandler = false
    /// What a reader without a position reads first; nil for the watcher's policy.
    var firstRun: FirstRun?
    var reconcile: Reconcile?
    /// Returns whether the destination has samples of a type. It is called only if the type has no
    /// position.
    var hasContent: @Sendable (TrackedType) async throws -> Bool = { _ in false }
    /// Returns whether read permission for a type seems to have been revoked or granted since the
    /// last comparison.
    ///
    /// It checks whether HealthKit still shows the samples that it showed, and still hides those
    /// that it hid. The date is the earliest start to check; nil for all. Changes of permission are
    /// not part of an anchored query's results. The closure is nil for a destination that cannot be
    /// checked.
    var isOutOfSync: (@Sendable (TrackedType, Date?) async throws -> Bool)?
    /// Delivers at once what the destination has received but not delivered yet, such as nights.
    var deliverPending: (@Sendable () async throws -> Void)?
    /// Called when the watcher starts, or when the subscriber is added to a running watcher.
    var launch: (@Sendable () async -> Void)?
    /// Called when the watcher stops.
    var halt: (@Sendable () async -> Void)?
    /// Called when the subscriber is removed or the watcher is deallocated.
    var end: (@Sendable () -> Void)?

    /// Whether a batch and its position are stored in one transaction.
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
    /// The types that have no handler.
    case unhandled
}

/// How far back a reconciliation compares.
public enum ReconciledSpan: Hashable, Sendable {
    /// Samples that start at most this many days (of 86,400 seconds) ago.
    case days(Int)
    /// All samples.
    case everything
}
