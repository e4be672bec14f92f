import Foundation
import GRDB

extension Watcher {
    /// Compares the types of which HealthKit no longer shows what it did, or shows it again.
    ///
    /// Permission that is taken back or given leaves no trace in the changes. A lane that began from now
    /// on holds nothing that could be compared, and is left as it is.
    ///
    /// - Parameter outcomes: How reading ended; what wasn't read to its end says for itself why not.
    /// - Returns: What failed.
    func compareWhereReadingChanged(
        after outcomes: [PositionKey: DrainOutcome]
    ) async throws -> [PositionKey: any Error] {
        var failures: [PositionKey: any Error] = [:]
        for lane in lanes {
            let span = (lane.firstRun ?? firstRun).narrowed(.everything, at: now())
            guard let reconcile = lane.reconcile, let isOutOfStep = lane.isOutOfStep, let span
            else { continue }
            var seen: Set<HKSampleType> = []
            for type in types {
                guard case .caughtUp = outcomes[type.key(lane: lane.name)] else { continue }
                // One comparison is about all filters of a type.
                guard seen.insert(type.sampleType).inserted else { continue }
                do {
                    guard try await isOutOfStep(type, span.start(at: now())) else { continue }
                    try await reconcile([type], span)
                } catch let error where !(error is CancellationError) {
                    failures[type.key(lane: lane.name)] = error
                }
            }
        }
        return failures
    }
}

extension Mirror {
    /// Whether HealthKit no longer shows entries that it showed, or shows some that it didn't.
    ///
    /// Looks at the newest and the oldest entry of each app alone: permission is given for a type, from
    /// a day on, and an app sees its own samples in any case.
    ///
    /// - Complexity: O(entries of the type) in the mirror, and one query for a few samples.
    func isOutOfStep(
        _ type: HKSampleType, since: Date?, with store: HKHealthStore
    ) async throws -> Bool {
        let identifier = type.identifier
        let first = since?.timeIntervalSinceReferenceDate ?? -.greatestFiniteMagnitude
        let isShown = try await read { db in
            var isShown: [UUID: Bool] = [:]
            for end in ["max", "min"] {
                // With max() and min() SQLite gives the other columns of the row that has it.
                let rows = try Row.fetchAll(
                    db.cachedStatement(
                        sql: """
                            SELECT \(end)(start), uuid, state FROM entry
                                JOIN origin ON origin.id = entry.origin
                            WHERE type = (SELECT id FROM type WHERE identifier = ?) AND start >= ?
                            GROUP BY bundle, state
                            """), arguments: [identifier, first])
                for row in rows {
                    isShown[try row.value(1)] = try row.value(2) != Entry.State.notVisible.stored
                }
            }
            return isShown
        }
        guard !isShown.isEmpty else { return false }
        let query = HKSampleQueryDescriptor<HKSample>(
            predicates: [
                .sample(
                    type: type, predicate: HKQuery.predicateForObjects(with: Set(isShown.keys)))
            ], sortDescriptors: [])
        let found = Set(try await query.result(for: store).map(\.uuid))
        return isShown.contains { uuid, isShown in found.contains(uuid) != isShown }
    }
}
