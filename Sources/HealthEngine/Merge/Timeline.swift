/// The merged timeline of the samples of one type: which sample counts in which interval.
///
/// At each time, only the highest-priority source with a covering sample counts. Amounts of
/// lower-priority sources count in proportion to the time that no higher-priority source covers.
/// All samples of one source count, also where they overlap (Semantics §1.3, §1.4).
///
/// For example, a Watch has priority over a phone. The Watch has 100 steps from 10:00 to 10:10, the
/// phone 100 from 10:05 to 10:15. The result is:
///
/// ```
/// [10:00, 10:10) Watch 100
/// [10:10, 10:15) phone  50
/// ```
public struct Timeline: Sendable {
    /// A merged interval: a part of one sample, without gaps, that counts. An instant has
    /// `start == end`.
    public struct MergedInterval: Hashable, Sendable {
        /// The start (inclusive), in reference seconds.
        public var start: Double
        /// The end (exclusive), in reference seconds.
        public var end: Double
        /// The index of the source in the batch.
        public var source: Int32
        /// The index of the sample in the batch.
        public var sample: Int
        /// The contribution of the interval. Its meaning depends on ``Timeline/values``.
        public var value: Double

        package init(start: Double, end: Double, source: Int32, sample: Int, value: Double) {
            self.start = start
            self.end = end
            self.source = source
            self.sample = sample
            self.value = value
        }
    }

    /// How ``Timeline/MergedInterval/value`` is derived from the sample's value.
    public enum Values: Hashable, Sendable {
        /// The part of the sample's amount that is in proportion to the interval's length, in the
        /// canonical unit. For steps or energy.
        case amounts
        /// The sample's value, in the canonical unit for quantities. For values that cannot be
        /// divided: a heart rate, a category's raw value.
        case readings
    }

    /// The merged intervals in order of start, then rank, then sample.
    ///
    /// Intervals of different sources do not overlap, except that an instant can lie inside an
    /// interval of a lower-priority source. Intervals of one source can overlap.
    public let mergedIntervals: [MergedInterval]
    /// How the values of ``mergedIntervals`` are derived from the values of samples.
    public let values: Values
    /// The number of samples that were skipped, by reason.
    public let skipped: SkippedSamples
    /// The rank of each source of the batch, 0 being the highest priority; -1 for an excluded one.
    package let ranks: [Int32]
    let merge: SourceMerge

    /// Merges the samples of a quantity type.
    ///
    /// The batch can be in any order. Samples without a conversion, with invalid times or with a
    /// value that is not finite are skipped and counted in ``skipped``.
    ///
    /// - Parameters:
    ///   - batch: Samples of one type.
    ///   - conversions: Conversions to the canonical unit by origin index; nil where there is none.
    ///   - order: The source order. Excluded sources take no part (Semantics §1.10).
    ///   - rules: The rules; only `gapTolerance` is used here.
    ///   - values: Whether values are divided in proportion to time (`amounts`) or kept.
    /// - Complexity: O(n log n + m log m) for n samples and m merged intervals.
    public init(
        _ batch: SampleBatch, conversions: [UnitConversion?], order: SourceOrder,
        rules: StatisticsRules = .init(), values: Values = .amounts
    ) {
        self.init(
            batch, reading: .quantities(conversions), order: order, rules: rules, values: values)
    }

    /// Merges the samples of a category type. The value of a merged interval is the raw value.
    ///
    /// The batch can be in any order. Samples with invalid times or a value that is not a whole
    /// number are skipped and counted in ``skipped``, as are samples of undetermined duration that
    /// start at the horizon or later.
    ///
    /// - Parameters:
    ///   - batch: Samples of one type.
    ///   - order: The source order. Excluded sources take no part (Semantics §1.10).
    ///   - rules: The rules; only `gapTolerance` and `horizon` are used here.
    /// - Complexity: O(n log n + m log m) for n samples and m merged intervals.
    public init(
        categories batch: SampleBatch, order: SourceOrder, rules: StatisticsRules = .init()
    ) {
        self.init(batch, reading: .categories, order: order, rules: rules, values: .readings)
    }

    private init(
        _ batch: SampleBatch, reading: SampleEligibility.Reading, order: SourceOrder,
        rules: StatisticsRules, values: Values
    ) {
        let eligibility = SampleEligibility(batch, reading: reading, order: order, rules: rules)
        let (entries, skipped) = batch.entries(eligibility)
        merge = SourceMerge(entries, ranks: eligibility.ranks, gapTolerance: rules.gapTolerance)
        ranks = eligibility.ranks
        self.skipped = skipped
        self.values = values
        mergedIntervals = merge.mergedIntervals(values, ranks: eligibility.ranks)
    }
}

extension SourceMerge {
    /// Returns the merged intervals of all samples in order of start, then rank, then sample.
    func mergedIntervals(_ values: Timeline.Values, ranks: [Int32]) -> [Timeline.MergedInterval] {
        var mergedIntervals: [Timeline.MergedInterval] = []
        mergedIntervals.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            var mergedInterval = Timeline.MergedInterval(
                start: entry.start, end: entry.end, source: entry.source,
                sample: Int(entry.sample), value: entry.value)
            if countedParts[index].isEverything {
                mergedIntervals.append(mergedInterval)
                continue
            }
            for piece in pieces[countedParts[index].range] {
                (mergedInterval.start, mergedInterval.end) = (piece.start, piece.end)
                if values == .amounts {
                    mergedInterval.value = entry.share(piece.end - piece.start)
                }
                mergedIntervals.append(mergedInterval)
            }
        }
        mergedIntervals.sort { a, b in
            if a.start != b.start { return a.start < b.start }
            let (left, right) = (ranks[Int(a.source)], ranks[Int(b.source)])
            return left != right ? left < right : a.sample < b.sample
        }
        return mergedIntervals
    }
}

extension MergeEntry {
    /// Returns the part of the value for `seconds` of the duration, in proportion to time. For the
    /// whole duration, the result is bit-identical to the value.
    @inline(__always)
    func share(_ seconds: Double) -> Double {
        seconds == duration ? value : value * seconds / duration
    }
}

extension Timeline {
    /// Adjacent or overlapping intervals of one source, joined.
    package struct Run: Hashable, Sendable {
        /// The start (inclusive), in reference seconds.
        package var start: Double
        /// The end (exclusive), in reference seconds; equal to `start` for an instant.
        package var end: Double
        /// The index of the source in the batch.
        package var source: Int32
        /// The sum of the joined amounts, or the reading, which is the same in all joined
        /// intervals.
        package var value: Double

        package init(start: Double, end: Double, source: Int32, value: Double) {
            self.start = start
            self.end = end
            self.source = source
            self.value = value
        }
    }

    /// Returns the timeline with touching and overlapping intervals of one source joined.
    ///
    /// Amounts are added. Readings are joined only if they are equal, so that overlapping
    /// categories stay separate.
    ///
    /// - Returns: The joined intervals in order of start.
    /// - Complexity: O(merged intervals).
    package func mergedRuns() -> [Run] { runs(of: mergedIntervals) }

    /// Returns the joined intervals in `[start, end)`, clipped to that range.
    ///
    /// - Parameters:
    ///   - start: The start of the range (inclusive), in reference seconds.
    ///   - end: The end of the range (exclusive), in reference seconds.
    /// - Returns: The joined intervals in order of start.
    /// - Complexity: O(merged intervals).
    package func mergedRuns(from start: Double, to end: Double) -> [Run] {
        runs(of: mergedIntervals(from: start, to: end))
    }

    /// The key by which intervals are joined: only intervals of equal keys are.
    private struct JoinKey: Hashable {
        var source: Int32
        var reading: Double?
    }

    private func runs(of mergedIntervals: [MergedInterval]) -> [Run] {
        var runs: [Run] = []
        var open: [JoinKey: Int] = [:]
        for mergedInterval in mergedIntervals {
            let key = JoinKey(
                source: mergedInterval.source,
                reading: values == .readings ? mergedInterval.value : nil)
            if let index = open[key], mergedInterval.start <= runs[index].end {
                runs[index].end = max(runs[index].end, mergedInterval.end)
                if values == .amounts { runs[index].value += mergedInterval.value }
                continue
            }
            open[key] = runs.count
            runs.append(
                Run(
                    start: mergedInterval.start, end: mergedInterval.end,
                    source: mergedInterval.source,
                    value: mergedInterval.value))
        }
        return runs
    }
}

extension Timeline {
    /// The composition of a merged amount: counted and duplicate parts, by source.
    public struct Amounts: Hashable, Sendable {
        /// The amounts of one source.
        public struct Share: Hashable, Sendable {
            /// The amount that is counted in the merged amount.
            public var contributed = 0.0
            /// The duplicate amount: the part that is not counted, because a higher-priority source
            /// is. `contributed` plus this amount is the source's own total, apart from rounding.
            public var duplicate = 0.0
            /// The number of the source's samples that overlap the range or are instants in it.
            public var count = 0

            /// Creates a share of zero.
            package init() {}
        }

        /// The sum of all samples without a merge, clipped to the range. Duplicates are included.
        public var naive = 0.0
        /// The merged amount, without double counting.
        public var merged = 0.0
        /// The amounts of each source with a sample that touches the range, by source index of the
        /// batch.
        public var bySource: [Int32: Share] = [:]

        /// Creates amounts of zero.
        package init() {}
    }

    /// Returns the counted and duplicate amounts of each source in `[start, end)`. Samples are
    /// clipped to the range.
    ///
    /// `merged` is bit-identical to the sum that
    /// ``SampleBatch/statistics(of:over:conversions:order:rules:)`` gives for a cumulative type and
    /// the same range. If no sample touches the range, `merged` is 0 and there are no statistics.
    /// The result is meaningless for a timeline of ``Values-swift.enum/readings``.
    ///
    /// - Parameters:
    ///   - start: The start of the range (inclusive), in reference seconds.
    ///   - end: The end of the range (exclusive), in reference seconds.
    /// - Returns: The amounts in the canonical unit.
    /// - Complexity: O(samples + merged intervals).
    public func amounts(from start: Double, to end: Double) -> Amounts {
        var amounts = Amounts()
        for (index, entry) in merge.entries.enumerated() {
            if entry.start >= end { break }
            if entry.isInstant ? entry.start < start : entry.end <= start { continue }
            let own = entry.share(min(entry.end, end) - max(entry.start, start))
            let counted = merge.seconds(of: index, from: start, to: end).map(entry.share)
            amounts.naive += own
            amounts.bySource[entry.source, default: .init()].count += 1
            if let counted {
                amounts.merged += counted
                amounts.bySource[entry.source, default: .init()].contributed += counted
            }
            if counted != own {
                amounts.bySource[entry.source, default: .init()].duplicate += own - (counted ?? 0)
            }
        }
        return amounts
    }

    /// Returns the merged intervals in `[start, end)`, clipped to that range.
    ///
    /// - Parameters:
    ///   - start: The start of the range (inclusive), in reference seconds.
    ///   - end: The end of the range (exclusive), in reference seconds.
    /// - Returns: The intervals in the order of ``mergedIntervals``. Amounts are reduced in
    ///   proportion to time.
    /// - Complexity: O(merged intervals).
    public func mergedIntervals(from start: Double, to end: Double) -> [MergedInterval] {
        mergedIntervals.compactMap { mergedInterval in
            if mergedInterval.start == mergedInterval.end {
                return start <= mergedInterval.start && mergedInterval.start < end
                    ? mergedInterval : nil
            }
            guard mergedInterval.end > start && mergedInterval.start < end else { return nil }
            if mergedInterval.start >= start && mergedInterval.end <= end { return mergedInterval }
            var clipped = mergedInterval
            (clipped.start, clipped.end) = (
                max(mergedInterval.start, start), min(mergedInterval.end, end)
            )
            if values == .amounts {
                let seconds = clipped.end - clipped.start
                clipped.value =
                    mergedInterval.value * seconds / (mergedInterval.end - mergedInterval.start)
            }
            return clipped
        }
    }
}
