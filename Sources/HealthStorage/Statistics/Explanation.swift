import GRDB
public import HealthEngine

/// Why a number is what it is: what each source recorded in a range, and what of it counted.
///
/// For each source contributed + set aside is what it recorded; over all sources the contributed
/// amounts add up to `merged`, and both together to `naive`.
public struct Explanation: Sendable {
    /// One source's part.
    public struct Part: Sendable {
        public var source: Source
        /// Among the sources with samples in the range, 1 wins over 2; 0 for an excluded source.
        public var rank: Int
        /// What of its samples counted.
        public var contributed: Double
        /// What of them higher sources had counted already; all of them for an excluded source.
        public var setAside: Double
        /// Samples that touch the range.
        public var samples: Int
        /// Why the source is excluded: "day totals", "chosen"; nil for one that takes part.
        public var exclusionReason: String?
    }

    /// One unbroken time in which one source counted.
    public struct Segment: Sendable {
        /// `[start, end)` in reference seconds; equal for an instant.
        public var start: Double
        public var end: Double
        public var source: Source
        public var value: Double
    }

    public var type: SampleType
    /// The unit of all amounts.
    public var unit: String
    /// The range, `[start, end)` in reference seconds.
    public var start: Double
    public var end: Double
    /// What adding every sample up gives, excluded sources left out.
    public var naive: Double
    /// What counts once.
    public var merged: Double
    /// In order of rank.
    public var parts: [Part]
    public var segments: [Segment]
    /// When each source recorded, counted or not: its samples' times joined, by part, in reference
    /// seconds. An instant is as long as nothing.
    public var recorded: [[(start: Double, end: Double)]]
    /// Excluded sources with samples in the range, and what they recorded.
    public var excluded: [Part]
    public var skipped: SkippedSamples
}

extension SampleStore {
    /// Explains the sum of a cumulative type over a range of time.
    ///
    /// `merged` is, to the bit, what ``statistics(_:over:unit:rules:)`` gives for the same range as one
    /// bucket.
    ///
    /// - Parameters:
    ///   - unit: The unit of the answer; nil for the type's display unit.
    ///   - arrangement: Another order of the sources to try; nil for the one in force.
    /// - Throws: ``StoreError`` if the type isn't cumulative (only sums are merged), the unit doesn't
    ///   fit it, or a source's name fits none or several.
    /// - Complexity: O(samples in the range × log).
    public func explanation(
        of question: SampleQuestion, unit: String? = nil,
        rules: StatisticsRules = StatisticsRules(), arranged arrangement: SourceArrangement? = nil
    ) throws -> Explanation {
        let type = question.type
        guard type.aggregation == .cumulative else {
            throw StoreError(
                .invalidArgument,
                "\(type.name) is not summed, so there is nothing to explain; see its samples with: "
                    + "openhealth samples \(type.name)")
        }
        let (symbol, target) = try SampleStore.unit(unit, of: type)
        return try read { db in
            let table = try sourceTable(db)
            let settings = try SourceTable.settings(db, type: type.code)
            var order = table.order(settings)
            if let arrangement { order = try table.order(order, arranged: arrangement) }
            let rules = rules.bounded(by: question.to)
            let batch = try question.batch(reach: rules.gapTolerance, table, db)
            let conversions = SampleStore.conversions(table.origins, to: target)
            var explanation = SampleStore.explanation(
                of: batch, question, unit: symbol, conversions, order, rules)
            let reasons = Dictionary(
                table.excluded(
                    settings, order, seenWith: question.visibility[type.code]
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
        of batch: SampleBatch, _ question: SampleQuestion, unit: String,
        _ conversions: [UnitConversion?], _ order: SourceOrder, _ rules: StatisticsRules
    ) -> Explanation {
        let timeline = Timeline(batch, conversions: conversions, order: order, rules: rules)
        let amounts = timeline.amounts(from: question.from, to: question.to)
        var everyone = order
        everyone.excluded = []
        let all = Timeline(batch, conversions: conversions, order: everyone, rules: rules)
            .amounts(from: question.from, to: question.to)
        func part(_ source: Int32, _ share: Timeline.Amounts.Share) -> Explanation.Part {
            Explanation.Part(
                source: batch.sources[Int(source)], rank: 0, contributed: share.contributed,
                setAside: share.setAside, samples: share.count)
        }
        var parts: [Explanation.Part] = []
        var recorded: [[(start: Double, end: Double)]] = []
        let times = times(in: batch, from: question.from, to: question.to)
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
            part.setAside += part.contributed
            part.contributed = 0
            return part
        }
        return Explanation(
            type: question.type, unit: unit, start: question.from, end: question.to,
            naive: amounts.naive, merged: amounts.merged, parts: parts,
            segments: timeline.mergedRuns(from: question.from, to: question.to).map {
                .init(
                    start: $0.start, end: $0.end, source: batch.sources[Int($0.source)],
                    value: $0.value)
            },
            recorded: recorded, excluded: excluded, skipped: timeline.skipped)
    }

    /// The times of each source's samples, clipped to a range and joined where they touch.
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

    /// The stretches that count, each with its winning source: a type's samples without the doubles.
    ///
    /// Amounts are divided by time; readings and category values stay as they are.
    ///
    /// - Parameter unit: The unit of the answer; nil for the type's display unit.
    /// - Throws: ``StoreError`` if the type has no values, or none in that unit.
    /// - Complexity: O(samples in the range × log).
    public func mergedStretches(
        _ question: SampleQuestion, unit: String? = nil, rules: StatisticsRules = StatisticsRules()
    ) throws -> [Explanation.Segment] {
        guard question.type.kind == .quantity || question.type.kind == .category else {
            throw StoreError(
                .invalidArgument,
                "\(question.type.name) has no values to merge; leave --merged out to see them.")
        }
        let target =
            question.type.kind == .quantity
            ? try SampleStore.unit(unit, of: question.type).1 : .null
        return try read { db in
            let table = try sourceTable(db)
            let order = table.order(try SourceTable.settings(db, type: question.type.code))
            let rules = rules.bounded(by: question.to)
            let batch = try question.batch(reach: rules.gapTolerance, table, db)
            let timeline =
                question.type.kind == .quantity
                ? Timeline(
                    batch, conversions: SampleStore.conversions(table.origins, to: target),
                    order: order, rules: rules,
                    values: question.type.aggregation == .cumulative ? .amounts : .readings)
                : Timeline(categories: batch, order: order, rules: rules)
            return timeline.stretches(from: question.from, to: question.to).map {
                .init(
                    start: $0.start, end: $0.end, source: batch.sources[Int($0.source)],
                    value: $0.value)
            }
        }
    }
}
