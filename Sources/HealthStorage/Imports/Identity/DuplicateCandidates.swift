import HealthEngine

/// The top-level records of one identity. A member of a correlation or workout repeats one of them,
/// its duplicate, and each can be the duplicate of one member only.
///
/// The records are sorted by value, so that a member is compared only with records of nearly equal
/// value.
struct DuplicateCandidates {
    private struct Candidate {
        var value: Double
        var row: StoredRow
    }

    /// The maximum number of comparisons for one member. Only a file crafted for it has more
    /// records of one identity with equal values that differ otherwise.
    private static let maximumComparisons = 64

    private var candidates: [Candidate] = []
    /// For each index, itself if the candidate is free, else a later index from which to look for a
    /// free one (union-find). The last entry stands for the end.
    private var free: [Int] = []

    init() {}

    init(_ rows: [StoredRow], _ originCache: OriginCache) throws {
        candidates = try rows.map { row in
            Candidate(
                value: try originCache.canonical(row.value, origin: row.origin, type: row.type),
                row: row)
        }
        candidates.sort { a, b in
            let (first, second) = (
                DuplicateCandidates.sortKey(a.value), DuplicateCandidates.sortKey(b.value)
            )
            return first != second ? first < second : a.row.sequence < b.row.sequence
        }
        free = Array(0...candidates.count)
    }

    /// Returns the value as a sort key; NaN sorts last.
    private static func sortKey(_ value: Double) -> Double { value.isNaN ? .infinity : value }

    /// Removes a free record with equal content except for metadata and details, preferably one
    /// with equal metadata.
    ///
    /// - Returns: Its sequence number; nil if there is none.
    /// - Complexity: Amortized O(log candidates), with at most 64 comparisons.
    mutating func removeMatch(for row: StoredRow, _ originCache: OriginCache) throws -> Int64? {
        if candidates.isEmpty { return nil }
        let value = DuplicateCandidates.sortKey(
            try originCache.canonical(row.value, origin: row.origin, type: row.type))
        let reach = value.isFinite ? 2 * OriginCache.tolerance * abs(value) : 0
        let lowerBound = value - reach
        var index = firstFree(
            from: candidates.partitioningIndex {
                !(DuplicateCandidates.sortKey($0.value) < lowerBound)
            })
        var equal: Int?
        var compared = 0
        while index < candidates.count, compared < DuplicateCandidates.maximumComparisons,
            DuplicateCandidates.sortKey(candidates[index].value) <= value + reach
        {
            let candidate = candidates[index].row
            var stripped = candidate
            stripped.metadata = row.metadata
            stripped.detail = row.detail
            if try originCache.sameContent(stripped, row) {
                equal = equal ?? index
                if candidate.metadata == row.metadata {
                    equal = index
                    break
                }
            }
            compared += 1
            index = firstFree(from: index + 1)
        }
        guard let equal else { return nil }
        free[equal] = equal + 1
        return candidates[equal].row.sequence
    }

    /// Returns the first free candidate from an index on, and compresses the path.
    private mutating func firstFree(from index: Int) -> Int {
        var end = index
        while free[end] != end { end = free[end] }
        var step = index
        while free[step] != end, step != end {
            let next = free[step]
            free[step] = end
            step = next
        }
        return end
    }
}
