extension SampleBatch {
    /// The statistics of a quantity type in the buckets between neighbouring edges.
    ///
    /// ```
    /// edges  [13:00, 14:00, 15:00], one sample of 100 steps 13:57–14:02
    ///        → [13:00, 14:00) sum 60    [14:00, 15:00) sum 40
    /// ```
    ///
    /// Buckets are half-open; only populated ones come back, in order. A bucket is populated if a
    /// sample of an included source touches it: overlaps it by more than zero time, or is an instant
    /// in it. Sums add in (start, key) order within the bucket and depend on nothing outside it.
    ///
    /// - `sum` (cumulative) counts every moment for one source only (Semantics §1) and
    ///   divides samples over borders by time (§2.4). With edges `[-.infinity, .infinity]` every
    ///   sample enters whole, as in a query without buckets (§2.3).
    /// - `average` by style (§3.2 to §3.4), `minimum` and `maximum` are over all included sources,
    ///   or over what is left by source order (``StatisticsRules/DiscreteMerge/bySourceOrder``).
    /// - `mostRecent` is the contributing sample that starts last; ties: ends later, saved later,
    ///   larger key (§3.5). Its value is never divided.
    /// - `duration` is the length of the union of contributing time in the bucket (§3.7), 0 if only
    ///   instants are in it.
    /// - `count` is the number of samples of included sources that touch the bucket, also of those
    ///   that lost all their time to a higher source.
    /// - `bySource` is over each source's own samples, unreduced (§4).
    ///
    /// Samples that cannot take part are passed over; ``skippedSamples(conversions:order:rules:)``
    /// counts them.
    ///
    /// - Parameters:
    ///   - aggregation: The type's style.
    ///   - edges: Bucket borders in reference seconds, strictly ascending; n + 1 for n buckets. May
    ///     begin and end at infinity. Any other list gives no bucket.
    ///   - conversions: To the canonical unit, by origin index; nil where there is none.
    ///   - order: Which source wins, and which are excluded.
    ///   - rules: Where the rules leave a choice.
    /// - Complexity: O(n + edges + touched buckets) for a batch in order; cumulative types and
    ///   `.bySourceOrder` add O(n · sources + won pieces).
    public func statistics(
        of aggregation: SampleType.Aggregation, over edges: [Double],
        conversions: [UnitConversion?], order: SourceOrder, rules: StatisticsRules = .init()
    ) -> [Statistics] {
        guard edges.areBucketBorders else { return [] }
        let admission = Admission(
            self, reading: .quantities(conversions), order: order, rules: rules)
        switch aggregation {
        case .cumulative:
            return sweep(AmountSum.self, .bySourceOrder, edges, admission, rules)
        case .discreteArithmetic:
            return sweep(PlainMean.self, rules.discreteMerge, edges, admission, rules)
        case .discreteTemporallyWeighted:
            return sweep(TimeWeightedMean.self, rules.discreteMerge, edges, admission, rules)
        case .discreteEquivalentContinuousLevel:
            return sweep(EquivalentLevel.self, rules.discreteMerge, edges, admission, rules)
        }
    }

    private func sweep<Arithmetic: BucketArithmetic>(
        _ arithmetic: Arithmetic.Type, _ merging: StatisticsRules.DiscreteMerge, _ edges: [Double],
        _ admission: Admission, _ rules: StatisticsRules
    ) -> [Statistics] {
        switch merging {
        case .allSources:
            return sweepAll(arithmetic, edges, admission, rules).statistics(edges)
        case .bySourceOrder:
            let sweep = BucketSweep<Arithmetic>(edges: edges, sources: sources.count, rules: rules)
            return sweep.merging(
                entries(admission).entries, ranks: admission.ranks, edges, rules)
        }
    }

    /// One pass over the samples as they stand; a second, over sorted entries, if out of order.
    private func sweepAll<Arithmetic: BucketArithmetic>(
        _ arithmetic: Arithmetic.Type, _ edges: [Double], _ admission: Admission,
        _ rules: StatisticsRules
    ) -> BucketSweep<Arithmetic> {
        let fresh = BucketSweep<Arithmetic>(edges: edges, sources: sources.count, rules: rules)
        var sweep = fresh
        var (lastStart, lastKey) = (-Double.infinity, Int64.min)
        var isOrdered = true
        for index in samples.indices {
            let sample = samples[index]
            guard case .takesPart(let entry) = admission.judge(sample, at: index) else { continue }
            if sample.start <= lastStart {
                if sample.start < lastStart || sample.key < lastKey {
                    isOrdered = false
                    break
                }
            }
            (lastStart, lastKey) = (sample.start, sample.key)
            sweep.add(entry)
        }
        if isOrdered { return sweep }
        sweep = fresh
        for entry in entries(admission).entries { sweep.add(entry) }
        return sweep
    }
}

extension [Double] {
    /// Whether these are the borders of at least one bucket.
    var areBucketBorders: Bool {
        count > 1 && indices.dropFirst().allSatisfy { self[$0 - 1] < self[$0] }
    }
}

extension BucketSweep {
    /// The statistics of what is left of every sample once sources are merged.
    ///
    /// - Parameter entries: In (start, key) order.
    consuming func merging(
        _ entries: [Entry], ranks: [Int32], _ edges: [Double], _ rules: StatisticsRules
    ) -> [Statistics] {
        add(
            entries,
            leftBy: HigherCoverage(entries, ranks: ranks, gapTolerance: rules.gapTolerance))
        var statistics = statistics(edges)
        if rules.gapTolerance > 0 {
            // Bridged gaps set aside time that nobody else covers.
            SourceMerge(entries, ranks: ranks, gapTolerance: rules.gapTolerance)
                .writeDurations(into: &statistics)
        }
        return statistics
    }

    func statistics(_ edges: [Double]) -> [Statistics] {
        var statistics: [Statistics] = []
        statistics.reserveCapacity(merged.buckets.count)
        for (bucket, tally) in zip(merged.buckets, merged.tallies) {
            statistics.append(
                Statistics(
                    start: edges[bucket], end: edges[bucket + 1],
                    merged: tally.values(), bySource: bySource.isEmpty ? nil : [:]))
        }
        for (source, own) in bySource.enumerated() {
            var place = 0
            for (bucket, tally) in zip(own.buckets, own.tallies) {
                while merged.buckets[place] < bucket { place += 1 }
                statistics[place].bySource?[Int32(truncatingIfNeeded: source)] =
                    tally.values()
            }
        }
        return statistics
    }
}

extension SourceMerge {
    /// Replaces merged durations by the length of kept time alone.
    func writeDurations(into statistics: inout [Statistics]) {
        let spans = keptSpans()
        var first = 0
        for index in statistics.indices {
            let (low, high) = (statistics[index].start, statistics[index].end)
            while first < spans.count && spans[first].end <= low { first += 1 }
            var (seconds, next) = (0.0, first)
            while next < spans.count && spans[next].start < high {
                seconds += min(spans[next].end, high) - max(spans[next].start, low)
                next += 1
            }
            statistics[index].merged.duration = seconds
        }
    }
}
