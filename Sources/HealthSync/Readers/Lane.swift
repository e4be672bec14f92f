import Foundation

/// A destination with the name and the place under which its positions are kept.
struct Lane: Sendable {
    /// What brings a destination back in step with the health store where changes no longer can.
    typealias Reconcile =
        @Sendable (_ types: [TrackedType], _ span: ReconciledSpan) async throws -> Void

    let name: String
    let destination: any ChangeDestination
    let positions: any PositionStore
    let selection: LaneSelection
    /// Whether it takes its types from ``LaneSelection/unhandled``.
    var isHandler = false
    /// Overrides the watcher's own policy where set.
    var firstRun: FirstRun?
    var reconcile: Reconcile?
    /// Whether the destination holds anything of a type although it has no position.
    var holdsAny: @Sendable (TrackedType) async throws -> Bool = { _ in false }
    /// Whether what the destination holds of a type, from a start on, shows that permission to read it
    /// changed: HealthKit no longer shows what it did, or shows again what it didn't. The changes say
    /// nothing of that. Nil for a destination that can't say.
    var isOutOfStep: (@Sendable (TrackedType, Date?) async throws -> Bool)?
    /// Hands on what the destination holds back, at once.
    var settle: (@Sendable () async throws -> Void)?
    /// Told when watching begins, and when it stops.
    var launch: (@Sendable () async -> Void)?
    var halt: (@Sendable () async -> Void)?
    /// Told when the lane ends for good.
    var end: (@Sendable () -> Void)?

    /// Whether a batch and its position are kept in one transaction.
    var isTransactional: Bool { destination is any TransactionalDestination }

    init(
        _ name: String, to destination: any ChangeDestination,
        positions: any PositionStore, of selection: LaneSelection = .everything
    ) {
        self.name = name
        self.destination = destination
        self.positions = (destination as? any TransactionalDestination) ?? positions
        self.selection = selection
    }
}

/// Which of the tracked types a lane reads.
enum LaneSelection: Sendable {
    case everything
    case types(Set<String>)
    /// Those that no handler is registered for.
    case unhandled
}

/// How much a reconciliation compares.
public enum ReconciledSpan: Hashable, Sendable {
    /// Samples that start at most so many days ago.
    case days(Int)
    case everything
}
