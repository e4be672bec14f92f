/// A calculation of the merged statistics of a few buckets.
protocol WindowMerge {
    /// Returns the statistics of the populated buckets between adjacent edges, in order of time.
    ///
    /// - Parameters:
    ///   - columns: All samples that can affect the buckets, in (start, key) order.
    ///   - edges: The bucket boundaries: at least two, strictly ascending.
    static func statistics(
        of columns: MergeColumns, over edges: [Double], _ context: SweepContext
    ) -> [Statistics]
}

/// A merge of any arithmetic and any rules.
enum EntryMerge<Arithmetic: BucketArithmetic>: WindowMerge {
    static func statistics(
        of columns: MergeColumns, over edges: [Double], _ context: SweepContext
    ) -> [Statistics] {
        context.sweep(Arithmetic.self, over: edges)
            .merging(columns.entries, ranks: context.eligibility.ranks)
    }
}

/// A merge of sums. It is faster than ``EntryMerge`` if the rules only request merged values without
/// tolerated gaps.
enum SumMerge: WindowMerge {
    static func statistics(
        of columns: MergeColumns, over edges: [Double], _ context: SweepContext
    ) -> [Statistics] {
        guard context.rules.separation == .mergedOnly, context.rules.gapTolerance <= 0,
            let kept = KeptTime(columns, ranks: context.eligibility.ranks)
        else { return EntryMerge<ProRataSum>.statistics(of: columns, over: edges, context) }
        return context.sweep(ProRataSum.self, over: edges).adding(columns, keptBy: kept)
    }
}

/// A strategy that merges sources, a few buckets at a time.
///
/// A bucket depends only on the samples that touch it and, with a gap tolerance, on the samples
/// that are no farther from it than the tolerance. A sample that extends into later buckets is kept
/// until they are complete.
struct MergingAccumulator<Merge: WindowMerge>: SweepAccumulator {
    private let context: SweepContext
    private var columns = MergeColumns()
    /// The number of samples that were kept when buckets were last completed.
    private var carriedOverCount = 0
    /// The first bucket that is not complete.
    private var first = 0
    private var statistics: [Statistics] = []

    init(_ context: SweepContext) {
        self.context = context
        columns.reserveCapacity(context.window + 1)
    }

    @inline(__always)
    mutating func add(_ entry: MergeEntry) {
        if columns.count - carriedOverCount >= context.window {
            completeBuckets(before: entry.start)
        }
        columns.append(entry)
    }

    mutating func add(_ run: EntryRun) {
        var index = 0
        while index < run.count {
            if columns.count - carriedOverCount >= context.window {
                completeBuckets(before: run.start[index])
            }
            // If no bucket could be completed, as many samples again are added before the next
            // attempt.
            let room = context.window - (columns.count - carriedOverCount)
            let end = min(run.count, index + (room > 0 ? room : max(1, context.window)))
            columns.append(run, index..<end)
            index = end
        }
    }

    mutating func finish() -> [Statistics] {
        if columns.count > 0 { completeBuckets(through: context.edges.count - 1) }
        defer { statistics = [] }
        return statistics
    }

    /// Computes the buckets that no sample with a start of `start` or later can affect, and
    /// discards the samples that later buckets do not need.
    private mutating func completeBuckets(before start: Double) {
        let tolerance = context.rules.gapTolerance
        let end = context.edges.lastBoundary(atOrBefore: start - tolerance, from: first)
        guard end > first else { return }
        completeBuckets(through: end)
        // An instant on the boundary belongs to the bucket that starts there.
        columns.removeAll(before: context.edges[end] - tolerance)
        carriedOverCount = columns.count
        first = end
    }

    /// Computes the buckets from ``first`` up to the edge with index `end`.
    private mutating func completeBuckets(through end: Int) {
        statistics += Merge.statistics(
            of: columns, over: Array(context.edges[first...end]), context)
    }
}
