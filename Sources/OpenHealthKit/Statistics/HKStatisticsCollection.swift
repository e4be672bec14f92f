public import Foundation
public import HealthEngine
import HealthStorage

/// Statistics over neighbouring stretches of time: a day each, an hour each.
// Immutable.
open class HKStatisticsCollection: NSObject, @unchecked Sendable {
    private let type: HKQuantityType
    private let options: HKStatisticsOptions
    private let anchor: Double
    private let interval: DateComponents
    private let buckets: CalendarBuckets
    private let emptyBuckets: HealthStoreConfiguration.EmptyBuckets
    /// In order of time.
    private let populated: [HKStatistics]
    private let starts: [Double]

    /// Populated buckets of the engine's; not Apple's.
    ///
    /// - Parameters:
    ///   - buckets: In order of time, cut at the borders that `anchor` and `interval` give in
    ///     `calendar` (Semantics §5.5).
    ///   - unit: The unit of their values.
    ///   - sources: What the indices in `bySource` mean.
    ///   - emptyBuckets: What a bucket without samples has.
    public init(
        _type: HKQuantityType, buckets: [Statistics], options: HKStatisticsOptions, unit: HKUnit,
        sources: [HKSource], anchor: Date, interval: DateComponents, calendar: Calendar,
        emptyBuckets: HealthStoreConfiguration.EmptyBuckets = .withoutQuantity
    ) {
        type = _type
        self.emptyBuckets = emptyBuckets
        self.options = options
        self.anchor = anchor.timeIntervalSinceReferenceDate
        self.interval = interval
        self.buckets = CalendarBuckets(calendar: calendar)
        populated = buckets.map {
            HKStatistics(
                _type: _type, statistics: $0, options: options, unit: unit, sources: sources)
        }
        starts = buckets.map(\.start)
    }

    /// The bucket that holds a moment, with nil quantities if it has no data; nil only if the
    /// calendar knows no such bucket (Semantics §5.7). The store's configuration can have
    /// a zero or nothing instead (``HealthStoreConfiguration/EmptyBuckets``).
    ///
    /// - Complexity: O(log n) for a populated bucket, else a step of the calendar.
    open func statistics(for date: Date) -> HKStatistics? {
        let time = date.timeIntervalSinceReferenceDate
        if let known = populated(at: time) { return known }
        guard let edges = edges(from: time, to: time), edges.count > 1 else { return nil }
        return empty(edges[0], edges[1])
    }

    /// Every bucket in order, populated or not: from the one that holds `startDate` to the one that
    /// holds `endDate`, which is included also where it only begins there
    /// (Semantics §5.8).
    ///
    /// Empty buckets have nil quantities, not zero, unless the store's configuration says otherwise
    /// (``HealthStoreConfiguration/EmptyBuckets``). Setting the second argument's `pointee` to true
    /// ends it. Nothing is called if `endDate` is before `startDate`.
    ///
    /// - Complexity: O(buckets).
    open func enumerateStatistics(
        from startDate: Date, to endDate: Date,
        with block: @escaping (HKStatistics, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        let from = startDate.timeIntervalSinceReferenceDate
        let to = endDate.timeIntervalSinceReferenceDate
        guard from <= to else { return }
        var next = 0
        var start: Double?
        var stop = ObjCBool(false)
        // A wrong interval has been reported by the query.
        try? buckets.forEachEdge(
            from: from, to: to.nextUp, every: interval, anchoredAt: anchor
        ) { end in
            defer { start = end }
            guard let start else {
                next = firstIndex(startingAtOrAfter: end)
                return true
            }
            while next < starts.count && starts[next] < start { next += 1 }
            let isPopulated = next < starts.count && starts[next] < end
            guard let bucket = isPopulated ? populated[next] : empty(start, end) else {
                return true
            }
            withUnsafeMutablePointer(to: &stop) { block(bucket, $0) }
            return !stop.boolValue
        }
    }

    /// Populated buckets in order, gaps left out (Semantics §5.6).
    open func statistics() -> [HKStatistics] { populated }

    /// Who took part in any bucket; empty without `.separateBySource` (Semantics §4.4).
    open func sources() -> Set<HKSource> {
        populated.reduce(into: []) { $0.formUnion($1.sources ?? []) }
    }

    /// Borders of all buckets from the one that holds `from` to the one that holds `to`.
    private func edges(from: Double, to: Double) -> [Double]? {
        try? buckets.edges(from: from, to: to.nextUp, every: interval, anchoredAt: anchor)
    }

    private func populated(at time: Double) -> HKStatistics? {
        let index = firstIndex(startingAtOrAfter: time.nextUp) - 1
        guard index >= 0 else { return nil }
        let candidate = populated[index]
        return time < candidate.endDate.timeIntervalSinceReferenceDate ? candidate : nil
    }

    private func firstIndex(startingAtOrAfter time: Double) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// A bucket without samples; nil if such buckets are left out.
    private func empty(_ start: Double, _ end: Double) -> HKStatistics? {
        if emptyBuckets == .omitted { return nil }
        var values = Statistics.Values()
        var unit = HKUnit.null
        if emptyBuckets == .zeroSum, type.aggregationStyle == .cumulative {
            values.sum = 0
            unit = type.canonicalUnit.map { HKUnit(_unit: $0) } ?? unit
        }
        return HKStatistics(
            _type: type,
            statistics: Statistics(
                start: start, end: end, merged: values,
                bySource: options.contains(.separateBySource) ? [:] : nil),
            options: options, unit: unit, sources: [])
    }

    open override var description: String {
        "HKStatisticsCollection of \(populated.count) populated buckets"
    }
}

extension HKUnit {
    /// The unit of a bare number.
    static let null = HKUnit(_unit: .null)
}
