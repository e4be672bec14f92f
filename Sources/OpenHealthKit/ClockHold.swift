import Foundation

/// What a ``ManualClock`` stands still for: an observer's handler, from the wake to its answer.
final class ClockHold: @unchecked Sendable {  // its variables are touched under `condition`
    /// Seconds of real time that a handler may run.
    private static let longestRun: TimeInterval = 10

    private let condition = NSCondition()
    private let patience: TimeInterval
    private var end = Date(timeIntervalSinceNow: longestRun)
    private var hasEnded = false

    init(patience: TimeInterval) { self.patience = patience }

    /// Whether nobody need wait any more.
    var isOver: Bool { condition.withLock { hasEnded } }

    /// The handler has returned, and may still answer.
    func handlerReturned() {
        condition.withLock {
            end = min(end, Date(timeIntervalSinceNow: patience))
            condition.broadcast()
        }
    }

    /// The handler has answered, or can't any more.
    func release() {
        condition.withLock {
            hasEnded = true
            condition.broadcast()
        }
    }

    /// Waits until it is over, as long as there is patience.
    func wait() {
        condition.withLock {
            while !hasEnded, Date() < end { _ = condition.wait(until: end) }
        }
    }
}
