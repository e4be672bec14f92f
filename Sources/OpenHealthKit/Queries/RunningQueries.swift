import Foundation

/// The long-running queries of one store. Its handles hold it, so that it ends with the last of
/// them, and every query with it.
///
/// A query goes on while any handle of the store is open, also when the app lets go of the query
/// itself, as on a phone.
final class RunningQueries: Sendable {
    private struct Entry {
        let execution: QueryExecution
        /// Nil once that has gone: another handle may get its address.
        var owner: ObjectIdentifier?
    }

    private let entries = Locked<[ObjectIdentifier: Entry]>([:])
    private let handles = Locked(0)

    func add(_ execution: QueryExecution, of owner: HKHealthStore) {
        let entry = Entry(execution: execution, owner: ObjectIdentifier(owner))
        entries { $0[ObjectIdentifier(execution)] = entry }
    }

    func remove(_ execution: QueryExecution) {
        // The entry goes outside the lock: with it may go what the query holds.
        let removed = entries { $0.removeValue(forKey: ObjectIdentifier(execution)) }
        withExtendedLifetime(removed) {}
    }

    /// How many queries run.
    var count: Int { entries { $0.count } }

    /// A handle is made that holds this.
    func ownerComes() { handles { $0 += 1 } }

    /// A handle goes: its queries run on, but hardly because anyone wants them to. With the last
    /// handle the store closes, which is told when it does.
    func ownerLeaves(_ owner: ObjectIdentifier) {
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
        for execution in left { execution.noteLeft(after: .owner) }
    }

    deinit {
        for entry in entries({ Array($0.values) }) {
            entry.execution.noteLeft(after: .store)
            entry.execution.stop()
        }
    }
}

extension QueryExecution {
    fileprivate func noteLeft(after ending: Finding.Ending) {
        guard let (query, types) = finding else { return }
        connection.diagnostics.record(.queryLeftRunning(query: query, types: types, after: ending))
    }
}
