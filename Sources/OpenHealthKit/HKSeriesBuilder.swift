public import Foundation

/// Gathers the points of a series, and saves it at the end.
// Unchecked: what changes is in locked boxes of the subclasses.
open class HKSeriesBuilder: NSObject, @unchecked Sendable {
    let healthStore: HKHealthStore

    /// A builder that saves into a store; not Apple's.
    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    /// Gives the series up; nothing of it is saved.
    open func discard() {}
}

/// Whether a builder of a series still takes points.
enum SeriesPhase: String {
    case open, finished, discarded

    /// - Throws: `errorInvalidArgument` once the series is finished or discarded.
    func requireOpen(_ call: String) throws(HKError) {
        if self != .open {
            throw HKError(
                .errorInvalidArgument,
                "The series builder can’t take \(call) now: its series is \(rawValue).")
        }
    }
}
