import GRDB
package import HealthEngine

/// The total of a day, or of another bucket, that Apple's framework computed on a phone
/// (Semantics §15.7).
package struct ReceivedTotal: Hashable, Sendable {
    /// The start of the bucket, in reference seconds.
    package var start: Double
    /// The end of the bucket (exclusive), in reference seconds.
    package var end: Double
    /// The sum of the sender's intervals in the bucket, in the type's display unit.
    package var value: Double
    /// The name of the device that sent it.
    package var device: String
    /// When its last part arrived, in reference seconds.
    package var receivedAt: Double
    /// Whether it may still grow: its last part arrived less than 24 hours after its end.
    package var isProvisional: Bool
}

/// A bucket for which Apple's total is the answer, because it is larger than the sum of the stored
/// samples, which are not known to be complete.
package struct TotalInPlace: Hashable, Sendable {
    package var total: ReceivedTotal
    /// The merged sum of the stored samples, in the same unit; 0 for none.
    package var own: Double
    /// By how much Apple's total is larger.
    package var excess: Double { total.value - own }
}

extension SampleStore {
    /// Returns Apple's totals of a cumulative type over all sources, for buckets that the sender's
    /// intervals fill at least in part.
    ///
    /// Several series of one device, such as two automations, are never added: the one that covers
    /// most of the bucket counts, of equal ones the one that arrived last. Totals never enter
    /// queries for samples.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - edges: The boundaries of the buckets, ascending, in reference seconds.
    /// - Returns: The totals, in order; empty for types that aren't cumulative.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(log n + k log k) for k stored intervals in the range.
    package func receivedTotals(
        of type: SampleType, over edges: [Double]
    ) throws -> [ReceivedTotal] {
        guard type.aggregation == .cumulative, let first = edges.first, let last = edges.last,
            let unit = type.displayUnit ?? type.canonicalUnit
        else { return [] }
        return try read { db in
            let intervals = try ExternalTotals(db).intervals(
                of: type.code, from: first, to: last, in: unit)
            return ExternalTotals.totals(of: intervals, over: edges)
        }
    }

    /// Returns the buckets that Apple's totals answer (Semantics §15.7): those that no route
    /// completely covers with samples, and in which Apple's total is larger than the merged sum.
    ///
    /// - Parameters:
    ///   - query: The type and range. With selected sources or a limited visibility there are none,
    ///     because Apple's totals cover all sources.
    ///   - edges: The boundaries of buckets of at most a day, ascending.
    ///   - rules: The rules of the merge.
    /// - Returns: The buckets, in order.
    /// - Throws: ``StoreError`` if the file can't be read.
    package func totalsInPlace(
        _ query: SampleQuery, over edges: [Double], rules: StatisticsRules = StatisticsRules()
    ) throws -> [TotalInPlace] {
        guard query.sources.isEmpty, query.visibility == .everything else { return [] }
        let totals = try receivedTotals(of: query.type, over: edges)
        if totals.isEmpty { return [] }
        let complete = try completeness(of: query.type)
        var plain = rules
        plain.separation = .mergedOnly
        let own = try statistics(query, over: edges, rules: plain)
        let sums = Dictionary(
            own.buckets.map { ($0.start, $0.merged.sum ?? 0) }, uniquingKeysWith: { $1 })
        return totals.compactMap { total in
            if complete.covers(total.start, total.end) { return nil }
            let sum = sums[total.start] ?? 0
            return total.value > sum ? TotalInPlace(total: total, own: sum) : nil
        }
    }

    private func completeness(of type: SampleType) throws -> SampleCompleteness {
        try read { db in try SampleCompleteness(type.code, db) }
    }
}

/// Until when the store has all samples of a type.
struct SampleCompleteness {
    /// The date of the newest complete export, in reference seconds.
    private var exported = -Double.infinity
    /// For each route that sends every change of the type in order: the start of its first sample,
    /// and its last contact. Other formats can leave out days, and don't say so.
    private var routes: [(from: Double, to: Double)] = []

    init(_ type: Int32, _ db: Database) throws {
        exported =
            try Double.readOne(
                db, sql: "SELECT max(export_date) FROM import WHERE kind <> 'partial'")
            ?? exported
        let rows = try CheckedRow.readAll(
            db,
            sql: """
                SELECT min(sample.start_time) AS first,
                    (SELECT max(received_at) FROM receipt WHERE receipt.route = origin.route)
                        AS last
                FROM sample JOIN origin ON origin.id = sample.origin
                JOIN intake_route ON intake_route.id = origin.route
                WHERE sample.type = ? AND dialect = 'changes'
                GROUP BY origin.route
                """, arguments: [type])
        for row in rows {
            let (first, last): (Double?, Double?) = (try row["first"], try row["last"])
            if let first, let last { routes.append((first, last)) }
        }
    }

    /// Whether all samples of an interval have arrived.
    func covers(_ start: Double, _ end: Double) -> Bool {
        exported >= end || routes.contains { $0.from <= start && end <= $0.to }
    }
}
