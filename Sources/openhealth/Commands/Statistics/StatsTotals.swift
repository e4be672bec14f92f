import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

/// Apple's totals that answer hours or days of `stats`, because they are larger than the sums of the
/// stored samples (Semantics §15.7).
struct StatsTotals {
    private let totals: [TotalInPlace]
    private let type: SampleType

    /// Reads the totals. There are none for answers that depend on sources.
    ///
    /// - Throws: `StoreError` if the store can't be read.
    init(
        _ store: SampleStore, _ query: SampleQuery, by step: Step, _ rules: StatisticsRules,
        _ calendar: CalendarBuckets
    ) throws {
        type = query.type
        guard rules.separation == .mergedOnly, query.sources.isEmpty,
            query.visibility == .everything,
            let extent = try store.receivedTotalsExtent(of: query.type),
            max(query.from, extent.start) < min(query.to, extent.end),
            let edges = try? calendar.edges(
                from: max(query.from, extent.start), to: min(query.to, extent.end),
                by: step == .each(.hour) ? .hour : .day, within: (query.from, query.to))
        else {
            totals = []
            return
        }
        var query = query
        query.from = edges.first ?? query.from
        query.to = edges.last ?? query.to
        totals = try store.totalsInPlace(query, over: edges, rules: rules)
    }

    /// The range of the totals: the start of the first and the end of the last one.
    var range: (start: Double, end: Double)? {
        guard let first = totals.first, let last = totals.last else { return nil }
        return (first.total.start, last.total.end)
    }

    /// Returns the totals in a unit, with their times.
    ///
    /// - Throws: `HealthUnitError` if the unit doesn't fit the type.
    func totals(in unit: String) throws -> [(start: Double, end: Double, total: AppleTotal)] {
        try totals.map {
            ($0.total.start, $0.total.end, try AppleTotal($0, of: type, in: unit))
        }
    }
}

extension StatsResult {
    /// Puts Apple's totals in the place of smaller sums. An hour or a day gets Apple's total; a
    /// longer bucket grows by the differences of its days.
    mutating func add(_ totals: StatsTotals) throws {
        let found = try totals.totals(in: unit)
        if found.isEmpty { return }
        var places = Dictionary(
            buckets.indices.map { (buckets[$0].start, $0) }, uniquingKeysWith: { $1 })
        var bucket = 0
        for (start, end, total) in found {
            while bucket + 2 < edges.count, edges[bucket + 1] <= start { bucket += 1 }
            guard bucket + 1 < edges.count, edges[bucket] <= start, start < edges[bucket + 1] else {
                continue
            }
            let place = places[edges[bucket]] ?? buckets.count
            if place == buckets.count {
                places[edges[bucket]] = place
                buckets.append(
                    Bucket(
                        start: edges[bucket], end: edges[bucket + 1],
                        values: .sum(Statistics.Values())))
            }
            buckets[place].add(total, from: start, to: end)
        }
        buckets.sort { $0.start < $1.start }
    }
}

extension StatsResult.Bucket {
    fileprivate mutating func add(_ total: AppleTotal, from start: Double, to end: Double) {
        guard case .sum(var values) = values else { return }
        values.sum =
            start == self.start && end == self.end
            ? total.value : (values.sum ?? 0) + total.excess
        self.values = .sum(values)
        if appleTotal == nil { appleTotal = total } else { appleTotal?.add(total) }
    }
}

/// The notes on Apple's totals in the text output of `stats`.
enum StatsTotalsText {
    /// Returns the note below the table: "* Apple's total from iPhone, larger than the recorded 100
    /// steps; provisional."; nil if no bucket has a total.
    static func note(_ result: StatsResult, _ unit: ReadableUnit) -> String? {
        let found = result.buckets.compactMap(\.appleTotal)
        guard var all = found.first else { return nil }
        for total in found.dropFirst() { all.add(total) }
        let provisional = found.filter(\.isProvisional).count
        let isSingle = found.count == 1
        let isShort = result.step == .each(.hour) || result.step == .each(.day)
        var text = isShort ? "* Apple's total" : "* With Apple's totals"
        text += " from \(all.device.printable)"
        if isSingle {
            let own = TypeText.amount(unit.text(all.own), unit.symbol, of: result.type)
            text +=
                all.own == 0
                ? "; nothing was recorded"
                : ", larger than the recorded \(own)" + (isShort ? "" : " of these days")
        } else {
            text += ", larger than what was recorded"
        }
        if provisional > 0 {
            text +=
                isSingle || provisional == found.count
                ? "; provisional" : "; \(provisional) of \(found.count) provisional"
        }
        return text + "."
    }
}
