import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthFormats
import HealthStorage

extension ExportJob {
    /// The span of days whose totals are computed at a time, in seconds.
    private static let longestRun = 400 * 86_400.0

    /// Passes the totals of an amount's days to a closure, in order: the numbers of
    /// `stats --by day`, with what each source contributed.
    ///
    /// Runs of days are computed separately, so that one sample with a wrong date doesn't make a
    /// million days.
    func forEachDayTotal(
        of type: SampleType, now: Double, _ body: (FHIRDayTotal) throws -> Void
    ) throws {
        let query = SampleQuery(type, from: selection.from, to: selection.to)
        var rules = StatisticsRules()
        rules.horizon = now
        var shares: [Double: [(source: Source, value: Double)]] = [:]
        var days: [Double: Double] = [:]
        try store.forEachMergedDay(query, in: calendar, rules: rules) { day in
            try check()
            shares[day.start] = ExportJob.shares(day.intervals)
            days[day.start] = day.end
        }
        let apple = try StatsTotals(store, query, by: .each(.day), rules, calendar)
        for total in try apple.totals(in: type.resultUnit ?? "") { days[total.start] = total.end }
        for (start, end) in ExportJob.runs(days) {
            try check()
            let edges = try calendar.edges(
                from: start, to: end, by: .day, within: (query.from, query.to))
            var result = try StatsResult(
                store, query, over: edges, unit: nil, rules: rules, calendar: calendar)
            try result.add(apple)
            for bucket in result.buckets {
                guard case .sum(let values) = bucket.values, let sum = values.sum else { continue }
                var total = FHIRDayTotal(
                    type: type, start: bucket.start, end: bucket.end, value: sum,
                    shares: shares[bucket.start] ?? [])
                total.isProvisional =
                    bucket.end > now || bucket.appleTotal?.isProvisional == true
                total.appleTotal = bucket.appleTotal.map {
                    .init(device: $0.device, recorded: $0.own)
                }
                try body(total)
            }
        }
    }

    /// Returns what each source contributed to the intervals of a day, the largest first.
    private static func shares(
        _ intervals: [Explanation.Segment]
    ) -> [(source: Source, value: Double)] {
        var sums: [Source: Double] = [:]
        for interval in intervals { sums[interval.source, default: 0] += interval.value }
        return sums.map { (source: $0.key, value: $0.value) }.sorted {
            ($1.value, $0.source.bundleIdentifier) < ($0.value, $1.source.bundleIdentifier)
        }
    }

    /// Returns ranges that contain all days, each no longer than ``longestRun`` and a day.
    private static func runs(_ days: [Double: Double]) -> [(start: Double, end: Double)] {
        var runs: [(start: Double, end: Double)] = []
        for (start, end) in days.sorted(by: { $0.key < $1.key }) {
            if let last = runs.last, end - last.start <= longestRun {
                runs[runs.count - 1].end = max(last.end, end)
            } else {
                runs.append((start, end))
            }
        }
        return runs
    }
}
