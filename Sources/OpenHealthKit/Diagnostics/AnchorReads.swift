import HealthEngine

/// A call of an observer's handler, known to what the handler executes, itself or in a task.
struct ObserverWake: Hashable, Sendable {
    let observer: ObjectIdentifier
    let number: Int

    /// The call under way on this thread, or the one that the current task was started in.
    ///
    /// Tasks inherit it. One that waits for its turn reads after the others, so it repeats nothing.
    @TaskLocal static var current: ObserverWake?
}

/// The readings from anchors that the handlers of observers have under way.
///
/// Two wakes of one observer that read from one anchor at the same time are given the same changes: the
/// second one looked the anchor up before the first had kept its new one.
final class AnchorReads: Sendable {
    struct Reading: Sendable {
        let wake: ObserverWake
        let question: QueryFingerprint
        /// The anchor's number; 0 for none.
        let anchor: Int64
        /// Whether another wake was given the same changes meanwhile.
        var isRepeated = false

        fileprivate func isLike(_ other: Reading) -> Bool {
            wake.observer == other.wake.observer && wake != other.wake && anchor == other.anchor
                && question == other.question
        }
    }

    private struct State {
        var readings: [Int: Reading] = [:]
        var lastNumber = 0
    }

    private let state = Locked(State())

    /// Notes a reading that begins.
    ///
    /// - Returns: What it is ended by.
    func begin(_ reading: Reading) -> Int {
        state { state in
            state.lastNumber += 1
            state.readings[state.lastNumber] = reading
            return state.lastNumber
        }
    }

    /// Notes that a reading's handler has returned.
    ///
    /// - Parameter hasChanges: Whether it was given any.
    /// - Returns: Whether they had been given to another wake while it was under way.
    func end(_ number: Int, hasChanges: Bool) -> Bool {
        state { state in
            guard let ended = state.readings.removeValue(forKey: number), hasChanges else {
                return false
            }
            for (other, reading) in state.readings where reading.isLike(ended) {
                state.readings[other]?.isRepeated = true
            }
            return ended.isRepeated
        }
    }
}
