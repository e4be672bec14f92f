/// Computes the statistics of a quantity type in one sweep over samples in (start, key) order.
///
/// Samples can be added one by one or in columns, in groups of any size. Every bucket is
/// bit-identical to that of ``SampleBatch/statistics(of:over:conversions:order:rules:)`` over all
/// samples. Memory is O(populated buckets). If sources are merged, about `window` samples are also
/// held, or more if a bucket has more.
///
/// - Complexity: O(samples + buckets). A merge adds O(samples · log samples).
package struct StatisticsSweep: ~Copyable {
    private let eligibility: SampleEligibility
    private var accumulator: AnySweepAccumulator?
    private var skipped = SkippedSamples()
    /// A reused buffer for the samples of columns that are used, for columns in which some samples
    /// are not used or values need conversion.
    private var scratch = SampleColumns()

    /// Creates a sweep. If the edges are not strictly ascending, the result has no buckets.
    ///
    /// - Parameters:
    ///   - aggregation: The aggregation style of the type.
    ///   - edges: Bucket boundaries in reference seconds, strictly ascending.
    ///   - origins: The origins that samples refer to.
    ///   - sources: The number of sources.
    ///   - conversions: Conversions to the canonical unit by origin index; nil where there is none.
    ///   - order: The source order and the excluded sources.
    ///   - shownOrigins: Whether the samples of each origin take part; nil if all do. Others are
    ///     left out like those of an excluded source.
    ///   - rules: Options for the calculation.
    ///   - window: The number of samples after which a merge computes complete buckets and discards
    ///     their samples. It does not change the result.
    package init(
        of aggregation: SampleType.Aggregation, over edges: [Double], origins: [Origin],
        sources: Int, conversions: [UnitConversion?], order: SourceOrder,
        shownOrigins: [Bool]? = nil, rules: StatisticsRules, window: Int = 4096
    ) {
        eligibility = SampleEligibility(
            origins: origins, sources: sources, reading: .quantities(conversions), order: order,
            shownOrigins: shownOrigins, rules: rules)
        guard edges.areBucketBoundaries else { return }
        let context = SweepContext(
            edges: edges, sources: sources, eligibility: eligibility, rules: rules, window: window)
        accumulator =
            switch aggregation {
            case .cumulative: context.merging(SumMerge.self)
            case .discreteArithmetic: context.accumulator(ArithmeticMean.self)
            case .discreteTemporallyWeighted: context.accumulator(TimeWeightedMean.self)
            case .discreteEquivalentContinuousLevel: context.accumulator(EquivalentLevel.self)
            }
    }

    /// Adds a sample. Its (start, key) must not be less than that of the sample added before.
    package mutating func add(_ sample: Sample) {
        guard case .eligible(let entry) = eligibility.evaluate(sample, at: 0) else {
            return eligibility.count(sample, into: &skipped)
        }
        accumulator?.add(entry)
    }

    /// Adds the samples of a batch that are used. Skipped samples are not counted.
    ///
    /// - Returns: False if the samples are not in (start, key) order. The sweep must then be
    ///   discarded, because part of the samples were added.
    mutating func add(_ batch: SampleBatch) -> Bool {
        batch.samples.withUnsafeBufferPointer { accumulator?.addSamples($0) } ?? true
    }

    /// Adds the samples of a batch that are used, sorted by (start, key). Skipped samples are not
    /// counted.
    mutating func addSorted(_ batch: SampleBatch) {
        for entry in batch.entries(eligibility).entries { accumulator?.add(entry) }
    }

    /// Adds the samples of a range of columns. The first one must not have a lower (start, key)
    /// than the sample added before.
    package mutating func add(_ columns: SampleColumns, _ range: Range<Int>) {
        if !columns.isWellFormed { return addOneByOne(columns, range) }
        let decisions = columns.origins.map(eligibility.decision(forOrigin:))
        var sources = [Int32](repeating: -1, count: decisions.count)
        var needNoConversion = true
        for (index, decision) in decisions.enumerated() {
            if case .eligible(let source, let conversion) = decision {
                sources[index] = source
                needNoConversion = needNoConversion && conversion.isIdentity
            } else {
                needNoConversion = false
            }
        }
        if needNoConversion {
            return columns.withRun(range, sources: sources) { accumulator?.addRun($0) }
        }
        guard let skippedCounts = scratch.fill(from: columns, range, decisions) else {
            return addOneByOne(columns, range)
        }
        for (index, count) in skippedCounts.enumerated() where count > 0 {
            if case .unconvertible = decisions[index] {
                skipped.unconvertible[columns.origins[index], default: 0] += count
            }
        }
        scratch.withRun(0..<scratch.count, sources: sources) { accumulator?.addRun($0) }
    }

    /// Adds the samples of a range of columns one by one. For columns that are not
    /// ``SampleColumns/isWellFormed``, or in which a converted value is not finite.
    private mutating func addOneByOne(_ columns: SampleColumns, _ range: Range<Int>) {
        for index in range { add(columns.sample(index, type: 0)) }
    }

    /// Returns the populated buckets in order of time, and the counts of skipped samples.
    package mutating func finish() -> (statistics: [Statistics], skipped: SkippedSamples) {
        return (accumulator?.finish() ?? [], skipped)
    }
}

/// The arguments of a sweep, for the creation of a `SweepAccumulator`.
struct SweepContext {
    let edges: [Double]
    let sources: Int
    let eligibility: SampleEligibility
    let rules: StatisticsRules
    let window: Int

    func accumulator<Arithmetic: BucketArithmetic>(_ arithmetic: Arithmetic.Type)
        -> AnySweepAccumulator
    {
        switch rules.discreteMerge {
        case .allSources: AnySweepAccumulator(DirectAccumulator<Arithmetic>(self), eligibility)
        case .bySourceOrder: merging(EntryMerge<Arithmetic>.self)
        }
    }

    func merging<Merge: WindowMerge>(_: Merge.Type) -> AnySweepAccumulator {
        AnySweepAccumulator(MergingAccumulator<Merge>(self), eligibility)
    }

    func sweep<Arithmetic: BucketArithmetic>(
        _: Arithmetic.Type, over edges: [Double]
    ) -> BucketSweep<Arithmetic> {
        BucketSweep(edges: edges, sources: sources, rules: rules)
    }
}

/// A strategy of a sweep: it takes samples in (start, key) order and computes the statistics of
/// buckets.
protocol SweepAccumulator {
    mutating func add(_ entry: MergeEntry)
    mutating func add(_ run: EntryRun)
    mutating func finish() -> [Statistics]
}

/// A type-erased ``SweepAccumulator``.
///
/// It stores closures instead of an existential, so that the compiler specializes the loops for the
/// type of the arithmetic.
struct AnySweepAccumulator {
    let add: (MergeEntry) -> Void
    /// Adds the samples that are used. Returns false at the first one that is out of (start, key)
    /// order.
    let addSamples: (UnsafeBufferPointer<Sample>) -> Bool
    let addRun: (EntryRun) -> Void
    let finish: () -> [Statistics]

    @inline(__always)
    init(_ start: some SweepAccumulator, _ eligibility: SampleEligibility) {
        var accumulator = start
        add = { accumulator.add($0) }
        addSamples = { samples in
            var (lastStart, lastKey) = (-Double.infinity, Int64.min)
            for sample in samples {
                guard case .eligible(let entry) = eligibility.evaluate(sample, at: 0) else {
                    continue
                }
                if sample.start <= lastStart {
                    if sample.start < lastStart || sample.key < lastKey { return false }
                }
                (lastStart, lastKey) = (sample.start, sample.key)
                accumulator.add(entry)
            }
            return true
        }
        addRun = { accumulator.add($0) }
        finish = { accumulator.finish() }
    }
}

/// A strategy without a merge: all sources count, and every sample is added to its buckets
/// immediately.
struct DirectAccumulator<Arithmetic: BucketArithmetic>: SweepAccumulator {
    private var sweep: BucketSweep<Arithmetic>

    init(_ context: SweepContext) { sweep = context.sweep(Arithmetic.self, over: context.edges) }

    @inline(__always)
    mutating func add(_ entry: MergeEntry) { sweep.add(entry) }
    mutating func add(_ run: EntryRun) { sweep.add(run) }
    mutating func finish() -> [Statistics] { sweep.statistics() }
}
