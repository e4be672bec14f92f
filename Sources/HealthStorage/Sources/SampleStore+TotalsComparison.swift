import GRDB
package import HealthCalendar
package import HealthEngine

extension SampleStore {
    /// Compares the merged sums of a type with Apple's totals, day by day.
    ///
    /// A day is compared if both numbers are complete. Apple's total is complete if its intervals
    /// fill the day and all of them arrived 24 hours after the day's end or later. Senders that leave
    /// out hours without data never fill a day; for these, a series that began on an earlier day is
    /// complete, because it sent the whole day again. The merged sum is complete as in
    /// ``totalsInPlace(_:over:rules:)``.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - calendar: The calendar of days.
    ///   - rules: The rules of the merge.
    /// - Returns: The comparison; nil without totals, and for types that aren't cumulative.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(n log n + k log k) for n samples and k intervals in the range of the totals.
    package func totalsComparison(
        of type: SampleType, in calendar: CalendarBuckets,
        rules: StatisticsRules = StatisticsRules()
    ) throws -> TotalsComparison? {
        guard let unit = type.displayUnit ?? type.canonicalUnit,
            let extent = try receivedTotalsExtent(of: type),
            let edges = try? calendar.edges(from: extent.start, to: extent.end, by: .day),
            let first = edges.first, let last = edges.last
        else { return nil }
        let (totals, complete) = try read { db in
            (
                try SettledDays.totals(
                    of: ExternalTotals(db).intervals(
                        of: type.code, from: first, to: last, in: unit), over: edges),
                try SampleCompleteness(type.code, db)
            )
        }
        let result = TotalsComparison(type: type, unit: unit, days: [], incompleteDays: 0)
        if totals.isEmpty { return result }
        let query = SampleQuery(type, from: first, to: last)
        var plain = rules
        plain.separation = .mergedOnly
        let sums = Dictionary(
            try statistics(query, over: edges, rules: plain).buckets.map {
                ($0.start, $0.merged.sum ?? 0)
            }, uniquingKeysWith: { $1 })
        return totals.reduce(into: result) { result, day in
            if complete.covers(day.start, day.end) {
                result.days.append(
                    .init(
                        start: day.start, end: day.end, apple: day.value,
                        own: sums[day.start] ?? 0))
            } else {
                result.incompleteDays += 1
            }
        }
    }
}

/// Finds the days for which Apple's totals are complete and won't change.
private enum SettledDays {
    struct Total {
        var start: Double
        var end: Double
        var value: Double
    }

    /// The intervals of one series on a day.
    private struct Part {
        var value = 0.0
        var length = 0.0
        var end = -Double.infinity
        var firstReceived = Double.infinity
        var lastReceived = -Double.infinity

        /// Adds an interval unless it overlaps an earlier one.
        mutating func add(_ interval: ExternalTotals.Interval) {
            if interval.start < end { return }
            end = interval.end
            value += interval.value
            length += interval.end - interval.start
            firstReceived = min(firstReceived, interval.receivedAt)
            lastReceived = max(lastReceived, interval.receivedAt)
        }
    }

    static func totals(
        of intervals: [ExternalTotals.Interval], over edges: [Double]
    ) -> [Total] {
        var totals: [Total] = []
        var begun: [ExternalTotals.Series: Double] = [:]
        var next = intervals.startIndex
        for (start, end) in zip(edges, edges.dropFirst()) {
            var parts: [ExternalTotals.Series: Part] = [:]
            while next < intervals.count, intervals[next].start < end {
                let interval = intervals[next]
                next += 1
                begun[interval.series] = min(begun[interval.series] ?? .infinity, interval.start)
                if interval.start < start || interval.end > end { continue }
                parts[interval.series, default: Part()].add(interval)
            }
            let complete = parts.filter { series, part in
                part.firstReceived >= end + ExternalTotals.settling
                    && (part.length >= end - start - 1 || (begun[series] ?? start) < start)
            }
            let best = complete.values.max {
                ($0.length, $0.lastReceived) < ($1.length, $1.lastReceived)
            }
            if let best { totals.append(Total(start: start, end: end, value: best.value)) }
        }
        return totals
    }
}
