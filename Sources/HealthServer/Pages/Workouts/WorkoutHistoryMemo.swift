import HealthDashboard
import HealthEngine
import HealthStorage
import Synchronization

/// A cache of the history of all workouts, which is valid until a workout or the day changes.
///
/// The revision of ``Metric/workouts`` changes with samples of every type, because a workout's
/// heart rate does. The history and lists of workouts depend on workouts and their routes only, so
/// they have a revision of their own.
final class WorkoutHistoryMemo: Sendable {
    private struct State {
        /// The store's last sequence number that was read.
        var head: Int64?
        /// The store's last sequence number when the latest change of workouts was noticed.
        var revision: Int64 = 0
        var entry: Entry?
    }

    private struct Entry {
        var revision: Int64
        var day: CivilDate
        var history: WorkoutHistory
    }

    /// The codes of the types of workouts and routes.
    private static let watchedTypes = Set(
        [Metric.workouts.identifier, "HKWorkoutRouteTypeIdentifier"].compactMap {
            Catalogue.type(identifier: $0)?.code
        })

    private let state = Mutex(State())

    /// Returns the current revision of the workouts and routes in a store, always of the same one.
    /// Equal revisions mean equal workouts and routes.
    ///
    /// - Throws: `StoreError` if the store can't be read.
    /// - Complexity: O(changes since the last call).
    func revision(in store: SampleStore) throws -> Int64 {
        guard let head = state.withLock({ $0.head }) else {
            let now = try store.lastSequence
            return state.withLock { state in
                (state.head, state.revision) = (now, now)
                return now
            }
        }
        let (types, now) = try store.changedTypes(after: head)
        // If the number has changed without a known change, any type may have changed.
        let isChanged =
            now != head && (types.isEmpty || !types.isDisjoint(with: Self.watchedTypes))
        return state.withLock { state in
            state.head = now
            if isChanged { state.revision = now }
            return state.revision
        }
    }

    /// Returns the cached history; otherwise calls `compute` and caches its result.
    ///
    /// - Parameters:
    ///   - revision: The revision, read before the workouts.
    ///   - day: The current day.
    ///   - compute: Reads the history.
    func history(
        at revision: Int64, on day: CivilDate,
        compute: () async throws(Unavailability) -> WorkoutHistory
    ) async throws(Unavailability) -> WorkoutHistory {
        if let entry = state.withLock({ $0.entry }), entry.revision == revision, entry.day == day {
            return entry.history
        }
        let history = try await compute()
        state.withLock {
            $0.entry = Entry(revision: revision, day: day, history: history)
        }
        return history
    }
}
