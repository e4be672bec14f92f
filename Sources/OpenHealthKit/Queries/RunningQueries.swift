import Foundation

/// The long-running queries of one store. Each handle of the store retains this object. It is
/// released with the last handle and then stops all queries.
///
/// Until it is stopped, a query runs as long as any handle of the store exists, even if the app
/// releases the query object. This matches HealthKit.
final class RunningQueries: Sendable {
    private struct Entry {
        let execution: QueryExecution
        /// The handle that executed the query. Nil once that is released, because another handle
        /// can get its address.
        var owner: ObjectIdentifier?
    }

    private let entries = Locked<[ObjectIdentifier: Entry]>([:])
    private let handles = Locked(0)

    func add(_ execution: QueryExecution, of owner: HKHealthStore) {
        let entry = Entry(execution: execution, owner: ObjectIdentifier(owner))
        entries { $0[ObjectIdentifier(execution)] = entry }
    }

    func remove(_ execution: QueryExecution) {
        // The entry is released outside the lock, because the query can own other objects.
        let removed = entries { $0.removeValue(forKey: ObjectIdentifier(execution)) }
        withExtendedLifetime(removed) {}
    }

    /// The number of running queries.
    var count: Int { entries { $0.count } }

    /// Counts a new handle.
    func addOwner() { handles { $0 += 1 } }

    /// Counts a released handle. Its queries keep running and are recorded as a diagnostic, unless
    /// it was the last handle. In that case `deinit` records and stops them.
    func removeOwner(_ owner: ObjectIdentifier) {
        let remaining = handles { handles in
            handles -= 1
            return handles
        }
        if remaining == 0 { return }
        let left = entries { entries in
            let left = entries.filter { $0.value.owner == owner }
            for key in left.keys { entries[key]?.owner = nil }
            return left.values.map(\.execution)
        }
        for execution in left { execution.reportStillRunning(after: .owner) }
    }

    deinit {
        for entry in entries({ Array($0.values) }) {
            entry.execution.reportStillRunning(after: .store)
            entry.execution.stop()
        }
    }
}

extension QueryExecution {
    fileprivate func reportStillRunning(after handle: Finding.ReleasedHandle) {
        guard let (query, types) = finding else { return }
        connection.diagnostics.record(.queryLeftRunning(query: query, types: types, after: handle))
    }
}
