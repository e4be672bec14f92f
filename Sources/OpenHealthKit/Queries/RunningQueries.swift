import Foundation

/// The long-running queries of one store. Each handle of the store retains this object. It is
/// released with the last handle and then stops all queries.
///
/// Until it is stopped, a query runs as long as any handle of the store exists, even if the app
/// releases the query object. This matches HealthKit.
final class RunningQueries: Sendable {
    private struct Entry {
        let execution: QueryExecution
        /// The handle that executed the query. Nil once that handle is released, because a new
        /// handle can have the same address.
        var owner: ObjectIdentifier?
    }

    private let entries = Locked<[ObjectIdentifier: Entry]>([:])
    private let handles = Locked(0)

    func add(_ execution: QueryExecution, of owner: HKHealthStore) {
        let entry = Entry(execution: execution, owner: ObjectIdentifier(owner))
        entries { $0[ObjectIdentifier(execution)] = entry }
    }

    func remove(_ execution: QueryExecution) {
        // The entry is released outside the lock, because its release can run deinitializers that
        // need the lock.
        let removed = entries { $0.removeValue(forKey: ObjectIdentifier(execution)) }
        withExtendedLifetime(removed) {}
    }

    /// The number of running queries.
    var count: Int { entries { $0.count } }

    /// Counts a new handle.
    func addOwner() { handles { $0 += 1 } }

    /// Counts a released handle. The queries that it executed keep running, and a finding is
    /// recorded for each. After the last handle, `deinit` records and stops the queries instead.
    func removeOwner(_ owner: ObjectIdentifier) {
        let remaining = handles { handles in
            handles -= 1
            return handles
        }
        if remaining == 0 { return }
        let owned = entries { entries in
            let owned = entries.filter { $0.value.owner == owner }
            for key in owned.keys { entries[key]?.owner = nil }
            return owned.values.map(\.execution)
        }
        for execution in owned { execution.reportStillRunning(after: .owner) }
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
