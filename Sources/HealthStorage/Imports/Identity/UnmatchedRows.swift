import HealthEngine

/// The stored rows of one identity that no record of the imported file has been matched with yet,
/// found by content.
///
/// Rows are hashed by their metadata and their truncated canonical value. The steps of truncated
/// values are wider than the tolerance of equality, so two lookups find every row of equal value.
/// So a record isn't compared with each of thousands of rows.
struct UnmatchedRows {
    private struct Bucket: Hashable {
        var metadata: Int64
        var value: UInt64
    }

    private let rows: [StoredRow]
    private let originCache: OriginCache
    private var isFree: [Bool]
    private var first = 0
    /// Indices of `rows`, in ascending order.
    private var buckets: [Bucket: [Int]] = [:]

    init(_ rows: [StoredRow], _ originCache: OriginCache) throws {
        self.rows = rows
        self.originCache = originCache
        isFree = Array(repeating: true, count: rows.count)
        for (index, row) in rows.enumerated() {
            let value = try originCache.canonical(row.value, origin: row.origin, type: row.type)
            let bucket = Bucket(metadata: row.metadata, value: UnmatchedRows.rounded(value))
            buckets[bucket, default: []].append(index)
        }
    }

    /// Removes the first free row, in the order of `rows`, with the content of a record; nil if
    /// there is none.
    mutating func removeMatch(for record: StoredRow) throws -> StoredRow? {
        let value = try originCache.canonical(
            record.value, origin: record.origin, type: record.type)
        let margin = abs(value) * OriginCache.tolerance * 2
        let places: Set = [
            UnmatchedRows.rounded(value - margin), UnmatchedRows.rounded(value + margin),
        ]
        var found: (bucket: Bucket, place: Int, row: Int)?
        for place in places {
            let bucket = Bucket(metadata: record.metadata, value: place)
            let indices = buckets[bucket] ?? []
            let match = try indices.firstIndex { index in
                try isFree[index] && originCache.sameContent(rows[index], record)
            }
            if let match, indices[match] < found?.row ?? .max {
                found = (bucket, match, indices[match])
            }
        }
        guard let found else { return nil }
        buckets[found.bucket]?.remove(at: found.place)
        isFree[found.row] = false
        return rows[found.row]
    }

    /// Removes the first free row; nil if there is none.
    mutating func popFirst() -> StoredRow? {
        while first < rows.count, !isFree[first] { first += 1 }
        guard first < rows.count else { return nil }
        isFree[first] = false
        return rows[first]
    }

    /// Returns the bit pattern of a double with the significand truncated to 26 bits: relative
    /// steps of about 1e-8. -0 counts as 0.
    private static func rounded(_ value: Double) -> UInt64 {
        if value.isNaN { return .max }
        return (value == 0 ? 0 : value).bitPattern >> 26
    }
}
