import HealthEngine

/// One call of an observer's update handler. Queries that the handler executes, directly or in a
/// task, are attributed to this call.
struct ObserverWake: Hashable, Sendable {
    let observer: ObjectIdentifier
    let number: Int

    /// The call in progress on this thread, or the call in which the current task was created; nil
    /// outside update handlers.
    ///
    /// A task inherits the value when it is created.
    @TaskLocal static var current: ObserverWake?
}

/// Tracks the anchored queries in progress that observers' update handlers have executed. Detects
/// that two of these queries return the same changes.
///
/// Two concurrent calls of one observer that read from the same anchor return the same changes.
/// This happens when the second call loads the anchor before the first one has saved its new
/// anchor.
final class AnchorReadTracker: Sendable {
    struct ReadInProgress: Sendable {
        let wake: ObserverWake
        let fingerprint: QueryFingerprint
        /// The sequence number of the anchor; 0 for no anchor.
        let anchor: Int64
        /// Whether a read by another call of the observer has returned the same changes since this
        /// read began.
        var isRepeated = false

        fileprivate func readsSameChanges(as other: ReadInProgress) -> Bool {
            wake.observer == other.wake.observer && wake != other.wake && anchor == other.anchor
                && fingerprint == other.fingerprint
        }
    }

    private struct State {
        var reads: [Int: ReadInProgress] = [:]
        var lastNumber = 0
    }

    private let state = Locked(State())

    /// Registers a read of changes that begins now.
    ///
    /// - Returns: The number to pass to ``end(_:hasChanges:)``.
    func begin(_ read: ReadInProgress) -> Int {
        state { state in
            state.lastNumber += 1
            state.reads[state.lastNumber] = read
            return state.lastNumber
        }
    }

    /// Unregisters a read that has delivered its results or was stopped.
    ///
    /// - Parameters:
    ///   - number: The number that ``begin(_:)`` returned.
    ///   - hasChanges: Whether the read returned any changes.
    /// - Returns: Whether another call of the observer received the same changes while the read was
    ///   in progress; false without changes.
    func end(_ number: Int, hasChanges: Bool) -> Bool {
        state { state in
            guard let ended = state.reads.removeValue(forKey: number), hasChanges else {
                return false
            }
            for (other, read) in state.reads where read.readsSameChanges(as: ended) {
                state.reads[other]?.isRepeated = true
            }
            return ended.isRepeated
        }
    }
}
