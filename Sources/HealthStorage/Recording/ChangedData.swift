import GRDB
import HealthEngine

/// What a change has written and deleted, for a log of accesses: types and times, without values.
package struct ChangedData: Hashable, Sendable {
    /// The short names of the samples' types, sorted.
    package var types: [String] = []
    /// From the earliest start to the latest end, in reference seconds; nil without samples.
    package var times: ClosedRange<Double>?
}

extension SampleStore {
    /// Returns what was written and deleted after a sequence number. Within a transaction it
    /// includes what that has done.
    ///
    /// - Parameter sequence: ``SampleStore/lastSequence`` before the change.
    /// - Throws: ``StoreError`` if the store can't be read.
    /// - Complexity: O(samples after the number).
    package func changedData(after sequence: Int64) throws -> ChangedData {
        try read { db in
            var data = ChangedData()
            let rows = try CheckedRow.readAll(
                db,
                sql: """
                    SELECT type.identifier, min(start_time) AS start_time, \
                    max(end_time) AS end_time FROM (
                        SELECT type, start_time, end_time FROM sample WHERE sequence > ?
                        UNION ALL
                        SELECT type, start_time, end_time FROM tombstone WHERE sequence > ?
                    ) AS changed JOIN type ON type.code = changed.type GROUP BY type.identifier
                    """, arguments: [sequence, sequence])
            for row in rows {
                let name: String = try row["identifier"]
                let (first, last): (Double, Double) = (
                    try row["start_time"], try row["end_time"]
                )
                data.types.append(Catalogue.type(identifier: name)?.name ?? name)
                let earliest = min(data.times?.lowerBound ?? first, first)
                data.times = earliest...max(data.times?.upperBound ?? last, last, earliest)
            }
            data.types.sort()
            return data
        }
    }
}
