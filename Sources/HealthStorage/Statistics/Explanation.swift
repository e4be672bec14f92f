import GRDB
public import HealthEngine

/// How a sum comes about: what each source recorded in a range, and which part of it counted.
///
/// For each source, ``Part/contributed`` plus ``Part/duplicate`` is the recorded amount. Over the
/// included sources, the contributed amounts add up to ``merged``, and both together to ``naive``,
/// except for rounding.
public struct Explanation: Sendable {
    /// The part of one source.
    public struct Part: Sendable {
        /// The source.
        public var source: Source
        /// The rank from 1, which is the highest priority, among the included sources with samples
        /// in the range; 0 for an excluded source.
        public var rank: Int
        /// The amount that counted.
        public var contributed: Double
        /// The duplicate amount: the part recorded at times at which a source of higher priority
        /// counted. For an excluded source, its whole amount.
        public var duplicate: Double
        /// The number of usable samples that touch the range.
        public var samples: Int
        /// The reason of the exclusion, "day totals" or "chosen"; nil for an included source.
        public var exclusionReason: String?
    }

    /// A merged interval: a contiguous time in which one source counts.
    public struct Segment: Sendable {
        /// The start (inclusive), in seconds since the reference date.
        public var start: Double
        /// The end (exclusive), in seconds since the reference date. It equals the start for an
        /// instant.
        public var end: Double
        /// The source that counts.
        public var source: Source
        /// The amount or value, in the unit of the result.
        public var value: Double
    }

    /// The type.
    public var type: SampleType
    /// The unit of all amounts.
    public var unit: String
    /// The start of the range (inclusive), in seconds since the reference date.
    public var start: Double
    /// The end of the range (exclusive), in seconds since the reference date.
    public var end: Double
    /// The sum of all samples without a merge, excluded sources left out.
    public var naive: Double
    /// The merged sum.
    public var merged: Double
    /// The included sources with samples in the range, in order of rank.
    public var parts: [Part]
    /// The merged intervals, in order of start.
    public var segments: [Segment]
    /// The times in the range that each source recorded, whether they counted or not, by index in
    /// ``parts``. Overlapping and adjacent samples are joined. Times are in seconds since the
    /// reference date.
    public var recorded: [[(start: Double, end: Double)]]
    /// The excluded sources with samples in the range, and the amounts they recorded.
    public var excluded: [Part]
    /// Samples that could not be used.
    public var skipped: SkippedSamples
}

extension SampleStore {
    /// Explains the sum of a cumulative type over a time range.
    ///
    /// Without a proposal, ``Explanation/merged`` equals, bit by bit, the sum of
    /// ``statistics(_:over:unit:rules:)`` for the same range as one bucket.
    ///
    /// - Parameters:
    ///   - query: The type, the range, and optionally the sources and the visibility.
    ///   - unit: The unit of the amounts; nil for the type's display unit.
    ///   - rules: The rules of the merge.
    ///   - proposal: Changes to the source order to try without saving; nil for the current
    ///     order.
    /// - Returns: The amounts by source and the merged intervals.
    /// - Throws: ``StoreError`` if the type isn't cumulative, the unit doesn't fit it, or no source
    ///   or several have a name.
    /// - Complexity: O(n log n) for n samples in the range.
    public func explanation(
        of query: SampleQuery, unit: String? = nil,
        rules: StatisticsRules = StatisticsRules(), applying proposal: SourceOrderProposal? = nil
    ) throws -> Explanation {
        let type = query.type
        guard type.aggregation == .cumulative else {
            throw StoreError(.notSummed(type: type.name))
        }
        let (symbol, target) = try SampleStore.unit(unit, of: type)
        return try read { db in
            let table = try sourceTable(db)
            let settings = try SourceTable.settings(db, type: type.code)
            var order = table.order(settings)
            if let proposal { order = try table.order(order, applying: proposal) }
            let rules = rules.bounded(by: query.to)
            let batch = try query.batch(reach: rules.gapTolerance, table, db)
            let conversions = SampleStore.conversions(table.origins, to: target)
            var explanation = SampleStore.explanation(
                of: batch, query, unit: symbol, conversions, order, rules)
            let reasons = Dictionary(
                table.excluded(
                    settings, order, seenWith: query.visibility[type.code]
                ).filter { !$0.reason.isEmpty }.map { ($0.source, $0.reason) },
                uniquingKeysWith: { first, _ in first })
            for index in explanation.excluded.indices {
                explanation.excluded[index].exclusionReason =
                    reasons[explanation.excluded[index].source] ?? SampleStore.chosenReason
            }
            return explanation
        }
    }

    private static func explanation(
        of batch: SampleBatch, _ query: SampleQuery, unit: String,
        _ conversions: [UnitConversion?], _ order: SourceOrder, _ rules: StatisticsRules
    ) -> Explanation {
        let timeline = Timeline(batch, conversions: conversions, order: order, rules: rules)
        let amounts = timeline.amounts(from: query.from, to: query.to)
        var withoutExclusions = order
        withoutExclusions.excluded = []
        let all = Timeline(batch, conversions: conversions, order: withoutExclusions, rules: rules)
            .amounts(from: query.from, to: query.to)
        func part(_ source: Int32, _ share: Timeline.Amounts.Share) -> Explanation.Part {
            Explanation.Part(
                source: batch.sources[Int(source)], rank: 0, contributed: share.contributed,
                duplicate: share.duplicate, samples: share.count)
        }
        var parts: [Explanation.Part] = []
        var recorded: [[(start: Double, end: Double)]] = []
        let times = times(in: batch, from: query.from, to: query.to)
        for source in order.ranking {
            guard let share = amounts.bySource[source], share.count > 0 else { continue }
            parts.append(part(source, share))
            parts[parts.count - 1].rank = parts.count
            recorded.append(times[source] ?? [])
        }
        let excluded = order.ranking.filter(order.excluded.contains).compactMap {
            source -> Explanation.Part? in
            guard let share = all.bySource[source], share.count > 0 else { return nil }
            var part = part(source, share)
            part.duplicate += part.contributed
            part.contributed = 0
            return part
        }
        return Explanation(
            type: query.type, unit: unit, start: query.from, end: query.to,
            naive: amounts.naive, merged: amounts.merged, parts: parts,
            segments: timeline.mergedRuns(from: query.from, to: query.to).map {
                .init(
                    start: $0.start, end: $0.end, source: batch.sources[Int($0.source)],
                    value: $0.value)
            },
            recorded: recorded, excluded: excluded, skipped: timeline.skipped)
    }

    /// Returns the times of each source's samples, clipped to a range, with overlapping and
    /// adjacent ones joined.
    private static func times(
        in batch: SampleBatch, from: Double, to: Double
    ) -> [Int32: [(start: Double, end: Double)]] {
        var times: [Int32: [(start: Double, end: Double)]] = [:]
        for sample in batch.samples
        where sample.origin >= 0 && sample.start < to
            && (sample.end > from || sample.start >= from)
        {
            let source = batch.origins[Int(sample.origin)].source
            let (start, end) = (max(sample.start, from), min(sample.end, to))
            let own = times[source]?.count ?? 0
            if let last = times[source]?.last, start <= last.end {
                times[source]?[own - 1].end = max(last.end, end)
            } else {
                times[source, default: []].append((start, end))
            }
        }
        return times
    }

    /// Returns the merged intervals of a type in a range, each with the source that counts: the
    /// samples, or the parts of samples, that count. Intervals of different sources don't overlap,
    /// but an instant can lie inside an interval of a source with lower priority. Samples of one
    /// source that overlap all count.
    ///
    /// Cumulative values are divided in proportion to time. Discrete values and category values
    /// don't change.
    ///
    /// - Parameters:
    ///   - query: The type, the range, and optionally the sources and the visibility.
    ///   - unit: The unit of the values; nil for the type's display unit. Category types have none.
    ///   - rules: The rules of the merge.
    /// - Returns: The merged intervals, in order of start.
    /// - Throws: ``StoreError`` if the type isn't a quantity or category type, the unit doesn't fit
    ///   it, or no source or several have a name.
    /// - Complexity: O(n log n) for n samples in the range.
    public func mergedIntervals(
        _ query: SampleQuery, unit: String? = nil, rules: StatisticsRules = StatisticsRules()
    ) throws -> [Explanation.Segment] {
        guard query.type.kind == .quantity || query.type.kind == .category else {
            throw StoreError(.nothingToMerge(type: query.type.name))
        }
        let target =
            query.type.kind == .quantity
            ? try SampleStore.unit(unit, of: query.type).1 : .null
        return try read { db in
            let table = try sourceTable(db)
            let order = table.order(try SourceTable.settings(db, type: query.type.code))
            let rules = rules.bounded(by: query.to)
            let batch = try query.batch(reach: rules.gapTolerance, table, db)
            let timeline =
                query.type.kind == .quantity
                ? Timeline(
                    batch, conversions: SampleStore.conversions(table.origins, to: target),
                    order: order, rules: rules,
                    values: query.type.aggregation == .cumulative ? .amounts : .readings)
                : Timeline(categories: batch, order: order, rules: rules)
            return timeline.mergedIntervals(from: query.from, to: query.to).map {
                .init(
                    start: $0.start, end: $0.end, source: batch.sources[Int($0.source)],
                    value: $0.value)
            }
        }
    }
}
