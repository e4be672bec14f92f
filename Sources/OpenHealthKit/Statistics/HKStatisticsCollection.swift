public import Foundation
import HealthCalendar
public import HealthEngine
import HealthStorage

/// Statistics of consecutive buckets of time, such as days or hours.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKStatisticsCollection: NSObject, @unchecked Sendable {
    private let type: HKQuantityType
    private let options: HKStatisticsOptions
    private let anchor: Double
    private let interval: DateComponents
    private let buckets: CalendarBuckets
    private let emptyBuckets: HealthStoreConfiguration.EmptyBuckets
    /// The populated buckets in chronological order.
    private let populated: [HKStatistics]
    private let starts: [Double]

    /// Creates a collection from populated buckets of the engine. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _type: The quantity type.
    ///   - buckets: The populated buckets in chronological order, with the boundaries that `anchor`
    ///     and `interval` give in `calendar` (Semantics §5.5).
    ///   - options: The requested values.
    ///   - unit: The unit of the values.
    ///   - sources: The sources that the keys of each bucket's `bySource` index.
    ///   - anchor: A date at which a bucket begins.
    ///   - interval: The length of a bucket in calendar components.
    ///   - calendar: The calendar whose time zone determines the boundaries.
    ///   - emptyBuckets: How a bucket without samples is returned.
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

    /// Returns the statistics of the bucket that contains a date. The start of a bucket is
    /// inclusive, its end exclusive.
    ///
    /// By default, all quantities of a bucket without data are nil. The store's configuration can
    /// select a sum of zero, or nil in place of the bucket
    /// (``HealthStoreConfiguration/EmptyBuckets``).
    ///
    /// - Parameter date: The date.
    /// - Returns: The statistics of the bucket. Nil if the calendar cannot compute the bucket, or
    ///   if it has no data and such buckets are omitted (Semantics §5.7).
    /// - Complexity: O(log n) for a populated bucket, otherwise one calendar computation.
    open func statistics(for date: Date) -> HKStatistics? {
        let time = date.timeIntervalSinceReferenceDate
        if let known = populated(at: time) { return known }
        guard let edges = edges(from: time, to: time), edges.count > 1 else { return nil }
        return empty(edges[0], edges[1])
    }

    /// Calls a closure for every bucket between two dates in chronological order, populated or not.
    ///
    /// By default, all quantities of an empty bucket are nil, not zero. The store's configuration
    /// can select a sum of zero, or omit such buckets (``HealthStoreConfiguration/EmptyBuckets``).
    /// There is no call if `endDate` is before `startDate`.
    ///
    /// - Parameters:
    ///   - startDate: A date in the first bucket.
    ///   - endDate: A date in the last bucket. If a bucket begins exactly at this date, it is
    ///     included (Semantics §5.8).
    ///   - block: Receives the bucket and a pointer; setting its `pointee` to true ends the
    ///     enumeration.
    /// - Complexity: O(n) in the number of buckets.
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
        // An invalid interval is ignored here, because the query has reported it.
        try? buckets.forEachEdge(
            from: from, to: to.nextUp, every: interval, anchoredAt: anchor
        ) { end in
            defer { start = end }
            guard let start else {
                next = starts.partitioningIndex { $0 >= end }
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

    /// Returns the populated buckets in chronological order, without empty ones (Semantics §5.6).
    ///
    /// - Returns: The buckets.
    open func statistics() -> [HKStatistics] { populated }

    /// Returns the union of the buckets' sources (Semantics §4.4).
    ///
    /// - Returns: The sources; empty without `.separateBySource`.
    /// - Complexity: O(n) in the number of populated buckets.
    open func sources() -> Set<HKSource> {
        populated.reduce(into: []) { $0.formUnion($1.sources ?? []) }
    }

    /// Returns the boundaries of all buckets from the one that contains `from` to the one that
    /// contains `to`; nil for an invalid interval or too many buckets.
    private func edges(from: Double, to: Double) -> [Double]? {
        try? buckets.edges(from: from, to: to.nextUp, every: interval, anchoredAt: anchor)
    }

    private func populated(at time: Double) -> HKStatistics? {
        let index = starts.partitioningIndex { !($0 <= time) } - 1
        guard index >= 0 else { return nil }
        let candidate = populated[index]
        return time < candidate.endDate.timeIntervalSinceReferenceDate ? candidate : nil
    }

    /// Creates a bucket without samples; nil if such buckets are omitted.
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
    /// The null unit: the unit of a number without a unit.
    static let null = HKUnit(_unit: .null)
}
