import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage

/// The result of a statistics collection query.
struct CollectionResult: Sendable {
    var collection: HKStatisticsCollection
    var buckets: [Statistics]
    /// The unit of the buckets' values; nil if no sample matched.
    var unit: String?

    /// Returns the starts of the buckets that differ from an earlier result, in chronological
    /// order: changed, new or now empty.
    ///
    /// - Complexity: O(n) in the number of buckets.
    func buckets(changedSince other: CollectionResult) -> [Double] {
        var changed: [Double] = []
        var (new, old) = (buckets[...], other.buckets[...])
        while let start = [new.first?.start, old.first?.start].compactMap({ $0 }).min() {
            let after = new.first?.start == start ? new.popFirst() : nil
            let before = old.first?.start == start ? old.popFirst() : nil
            if after != before { changed.append(start) }
        }
        return changed
    }
}

extension CollectionResult {
    /// The maximum extent of the matching samples, in seconds, for which buckets outside the
    /// predicate's interval are computed: 100 years of 366 days.
    private static let maximumUnclippedExtent = 100 * 366 * 86_400.0

    /// Returns the boundaries of the buckets that cover the matching samples.
    ///
    /// Samples that extend beyond the predicate's interval get buckets there too, as in HealthKit.
    /// If the extent of all matching samples exceeds ``maximumUnclippedExtent``, it is clipped to
    /// the predicate's interval, on each side that the predicate bounds. Without the limit, a
    /// sample from year 0 to year 9999 would require 3.7 million day buckets in any query it
    /// matches.
    ///
    /// - Throws: `CalendarError` for an invalid interval or too many buckets.
    fileprivate static func edges(
        over extent: (first: Double, last: Double), within bounds: TimeBounds,
        every interval: DateComponents, anchoredAt anchor: Double, _ buckets: CalendarBuckets
    ) throws -> [Double] {
        // The range is half-open. It ends just after the last date, because a sample without
        // duration at a boundary belongs to the bucket that begins there.
        var (from, to) = (extent.first, max(extent.first, extent.last).nextUp)
        if to - from > maximumUnclippedExtent {
            from = max(from, bounds.end.lower?.time ?? from)
            to = max(from.nextUp, min(to, bounds.start.upper?.time ?? to))
        }
        return try buckets.edges(from: from, to: to, every: interval, anchoredAt: anchor)
    }
}

extension QueryExecution {
    /// Computes the statistics of matching samples for each bucket.
    ///
    /// - Parameter unit: The unit of the values; nil for the unit of the matching sample that
    ///   starts last, or the canonical unit if that one does not suit the type. A long-running
    ///   query passes the unit of its previous result, so that buckets stay comparable.
    /// - Throws: The errors of ``StatisticsQueryParameters``. `CalendarError` for an interval
    ///   shorter than a second or with unsupported or negative components, and for too many
    ///   buckets; the query reports it as ``HKError/errorInvalidArgument``.
    func collection(
        of type: HKQuantityType, matching predicate: NSPredicate?, _ options: HKStatisticsOptions,
        anchor: Date, every interval: DateComponents, in unit: String?
    ) throws -> CollectionResult {
        let parameters = try StatisticsQueryParameters(type, predicate, options, in: self)
        let calendar = interval.calendar ?? connection.options.calendar
        let start = anchor.timeIntervalSinceReferenceDate
        let buckets = CalendarBuckets(calendar: calendar)
        // Reports an invalid interval even if there are no samples.
        _ = try buckets.edges(from: start, to: start.nextUp, every: interval, anchoredAt: start)
        let store = try connection.readableStore
        var statistics: [Statistics] = []
        var sources: [HKSource] = []
        var resultUnit: String?
        if let extent = try store.extent(of: parameters.request, visibility: parameters.visibility)
        {
            let edges = try CollectionResult.edges(
                over: extent, within: parameters.request.filter.timeBounds, every: interval,
                anchoredAt: start, buckets)
            let result = try store.statistics(
                parameters.request, over: edges, rules: parameters.rules,
                visibility: parameters.visibility, unit: unit)
            statistics = result.buckets
            sources = parameters.sources(result)
            resultUnit = result.unit
        }
        return CollectionResult(
            collection: HKStatisticsCollection(
                _type: type, buckets: statistics, options: options,
                unit: try resultUnit.map { try HKUnit(parsing: $0) } ?? .null, sources: sources,
                anchor: anchor, interval: interval, calendar: calendar,
                emptyBuckets: connection.options.emptyBuckets),
            buckets: statistics, unit: resultUnit)
    }
}
