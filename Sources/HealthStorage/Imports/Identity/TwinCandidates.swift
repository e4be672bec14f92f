import HealthEngine

/// The records of one identity that members of correlations and workouts may repeat, each once.
///
/// Ordered by value, so that a member looks only at those that may equal it.
struct TwinCandidates {
    private struct Candidate {
        var value: Double
        var row: StoredRow
    }

    /// How many records of an equal value are compared with one member: only a file made for it has
    /// more that differ in something else.
    private static let mostCompared = 64

    private var candidates: [Candidate] = []
    /// For each candidate the first one from there on that may be free.
    private var free: [Int] = []

    init() {}

    init(_ rows: [StoredRow], _ facts: OriginFacts) throws {
        candidates = try rows.map { row in
            Candidate(
                value: try facts.canonical(row.value, origin: row.origin, type: row.type), row: row)
        }
        candidates.sort { a, b in
            let (first, second) = (TwinCandidates.place(a.value), TwinCandidates.place(b.value))
            return first != second ? first < second : a.row.sequence < b.row.sequence
        }
        free = Array(0...candidates.count)
    }

    /// A value as it is sorted: no value comes last.
    private static func place(_ value: Double) -> Double { value.isNaN ? .infinity : value }

    /// Takes a record with the same attributes, rather one with the same metadata too.
    ///
    /// - Returns: Its sequence; nil if there is none.
    /// - Complexity: O(log candidates).
    mutating func take(like row: StoredRow, _ facts: OriginFacts) throws -> Int64? {
        if candidates.isEmpty { return nil }
        let value = TwinCandidates.place(
            try facts.canonical(row.value, origin: row.origin, type: row.type))
        let reach = value.isFinite ? 2 * OriginFacts.tolerance * abs(value) : 0
        var index = firstFree(from: lowerBound(value - reach))
        var equal: Int?
        var compared = 0
        while index < candidates.count, compared < TwinCandidates.mostCompared,
            TwinCandidates.place(candidates[index].value) <= value + reach
        {
            let candidate = candidates[index].row
            var stripped = candidate
            stripped.metadata = row.metadata
            stripped.detail = row.detail
            if try facts.sameContent(stripped, row) {
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

    private func lowerBound(_ value: Double) -> Int {
        var (low, high) = (0, candidates.count)
        while low < high {
            let middle = (low + high) / 2
            if TwinCandidates.place(candidates[middle].value) < value {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// Follows what has been taken, and shortens the way for the next one.
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
