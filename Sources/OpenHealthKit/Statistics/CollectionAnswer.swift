import Foundation
import HealthEngine
import HealthStorage

/// The populated buckets of a collection query.
struct CollectionAnswer: Sendable {
    var collection: HKStatisticsCollection
    var buckets: [Statistics]
    /// The unit of the buckets' values; nil where there are none.
    var unit: String?

    /// Starts of the buckets that differ from another answer's, in order: with other values, new,
    /// or empty by now.
    ///
    /// - Complexity: O(buckets).
    func buckets(changedSince other: CollectionAnswer) -> [Double] {
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

extension CollectionAnswer {
    /// Seconds of samples of which a predicate's own times are left aside: a hundred years.
    private static let longestWhole = 100 * 366 * 86_400.0

    /// Borders of buckets over matching samples.
    ///
    /// Samples that reach beyond the times of a predicate get buckets there too, as in HealthKit;
    /// but where one lasts for centuries, only the times of the predicate get them. A sample from
    /// year 0 to year 9999 would cost 3.7 million days to answer about thirty.
    fileprivate static func edges(
        over extent: (first: Double, last: Double), within bounds: TimeBounds,
        every interval: DateComponents, anchoredAt anchor: Double, _ buckets: CalendarBuckets
    ) throws -> [Double] {
        // An instant on a border belongs to the bucket that begins there.
        var (from, to) = (extent.first, max(extent.first, extent.last).nextUp)
        if to - from > longestWhole {
            from = max(from, bounds.end.lower?.time ?? from)
            to = max(from.nextUp, min(to, bounds.start.upper?.time ?? to))
        }
        return try buckets.edges(from: from, to: to, every: interval, anchoredAt: anchor)
    }
}

extension QueryExecution {
    /// Statistics of matching samples, cut at the borders of buckets.
    ///
    /// - Parameter unit: Of the values; nil for the one they were recorded in. A query that goes on
    ///   keeps its first one, so that its buckets stay comparable.
    /// - Throws: ``HKError/errorInvalidArgument`` for options that don't suit the type and for an
    ///   interval that has no positive length.
    func collection(
        of type: HKQuantityType, matching predicate: NSPredicate?, _ options: HKStatisticsOptions,
        anchor: Date, every interval: DateComponents, in unit: String?
    ) throws -> CollectionAnswer {
        let question = try StatisticsQuestion(type, predicate, options, in: self)
        let calendar = interval.calendar ?? connection.options.calendar
        let start = anchor.timeIntervalSinceReferenceDate
        let buckets = CalendarBuckets(calendar: calendar)
        // Wrong intervals are told also where there are no samples to cut.
        _ = try buckets.edges(from: start, to: start.nextUp, every: interval, anchoredAt: start)
        let store = try connection.readableStore
        var statistics: [Statistics] = []
        var sources: [HKSource] = []
        var answered: String?
        if let extent = try store.extent(of: question.request, visibility: question.visibility) {
            let edges = try CollectionAnswer.edges(
                over: extent, within: question.request.filter.timeBounds, every: interval,
                anchoredAt: start, buckets)
            let answer = try store.statistics(
                question.request, over: edges, rules: question.rules,
                visibility: question.visibility, unit: unit)
            statistics = answer.buckets
            sources = question.sources(answer)
            answered = answer.unit
        }
        return CollectionAnswer(
            collection: HKStatisticsCollection(
                _type: type, buckets: statistics, options: options,
                unit: try answered.map { try HKUnit(parsing: $0) } ?? .null, sources: sources,
                anchor: anchor, interval: interval, calendar: calendar,
                emptyBuckets: connection.options.emptyBuckets),
            buckets: statistics, unit: answered)
    }
}
