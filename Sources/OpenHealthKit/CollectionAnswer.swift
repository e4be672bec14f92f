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
            // An instant on a border belongs to the bucket that begins there.
            let edges = try buckets.edges(
                from: extent.first, to: max(extent.first, extent.last).nextUp, every: interval,
                anchoredAt: start)
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
                anchor: anchor, interval: interval, calendar: calendar),
            buckets: statistics, unit: answered)
    }
}
