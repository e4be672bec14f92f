import GRDB
import HealthEngine

/// Reads the totals that Apple's framework computed on a phone.
struct ExternalTotals {
    /// One interval of a series.
    struct Interval {
        /// Identifies the series: its route, name and the length of its intervals.
        var series: Series
        var start: Double
        var end: Double
        var value: Double
        var device: String
        var receivedAt: Double
    }

    struct Series: Hashable {
        var route: Int64
        var name: String
        /// Hours and days of one automation are two series: the sender changed its setting.
        var hours: Int
    }

    private let db: Database

    init(_ db: Database) { self.db = db }

    /// Returns the sums over all sources of a type that lie in a range, in a unit. Totals whose unit
    /// doesn't fit are left out.
    func intervals(
        of type: Int32, from: Double, to: Double, in unit: String
    ) throws -> [Interval] {
        let rows = try CheckedRow.readAll(
            db,
            sql: """
                SELECT route, series, start_time, end_time, value, unit.symbol AS symbol,
                    intake_route.device AS sender, received_at
                FROM external_total JOIN unit ON unit.id = external_total.unit
                JOIN intake_route ON intake_route.id = route
                WHERE type = ? AND start_time >= ? AND start_time < ? AND statistic = 'sum'
                    AND source = ''
                ORDER BY start_time, end_time
                """, arguments: [type, from, to])
        return try rows.compactMap { row in
            let (start, end): (Double, Double) = (try row["start_time"], try row["end_time"])
            guard
                let value = SampleFilter.Value.convert(
                    try row["value"], from: try row["symbol"], to: unit)
            else { return nil }
            let hours = ((end - start) / 3600).rounded()
            return Interval(
                series: Series(
                    route: try row["route"], name: try row["series"],
                    hours: Int(exactly: hours) ?? .max),
                start: start, end: end, value: value, device: try row["sender"],
                receivedAt: try row["received_at"])
        }
    }

    /// The time after the end of an interval in which the phone may still get samples of it.
    static let settling: Double = 86_400

    /// Returns the total of each bucket that has intervals.
    ///
    /// - Parameters:
    ///   - intervals: Intervals of all series, in order of start.
    ///   - edges: The boundaries of the buckets, ascending.
    static func totals(of intervals: [Interval], over edges: [Double]) -> [ReceivedTotal] {
        var totals: [ReceivedTotal] = []
        var next = 0
        for (start, end) in zip(edges, edges.dropFirst()) {
            while next < intervals.count, intervals[next].start < start { next += 1 }
            var parts: [Series: Part] = [:]
            var index = next
            while index < intervals.count, intervals[index].start < end {
                if intervals[index].end <= end {
                    parts[intervals[index].series, default: Part()].add(intervals[index])
                }
                index += 1
            }
            let best = parts.values.max { ($0.length, $0.receivedAt) < ($1.length, $1.receivedAt) }
            guard let best else { continue }
            totals.append(
                ReceivedTotal(
                    start: start, end: end, value: best.value, device: best.device,
                    receivedAt: best.receivedAt,
                    isProvisional: best.receivedAt < end + settling))
        }
        return totals
    }

    /// The intervals of one series in a bucket.
    private struct Part {
        var value = 0.0
        var length = 0.0
        var receivedAt = -Double.infinity
        var device = ""
        private var end = -Double.infinity

        init() {}

        /// Adds an interval unless it overlaps an earlier one.
        mutating func add(_ interval: Interval) {
            if interval.start < end { return }
            end = interval.end
            value += interval.value
            length += interval.end - interval.start
            receivedAt = max(receivedAt, interval.receivedAt)
            device = interval.device
        }
    }
}
