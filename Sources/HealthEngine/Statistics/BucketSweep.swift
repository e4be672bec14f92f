/// A position in a list of buckets, which only moves forward: samples are passed in order of start.
struct BucketCursor {
    /// The bucket boundaries: at least two, strictly ascending.
    let edges: [Double]
    /// The bucket that contains the current sample's start, or the first bucket if the sample
    /// starts earlier.
    private(set) var first = 0

    init(edges: [Double]) { self.edges = edges }

    private var bucketCount: Int { edges.count - 1 }

    /// The end of the current sample's first bucket (exclusive), in reference seconds.
    @inline(__always)
    var high: Double { edges[first + 1] }

    /// Advances to the bucket of a sample's start. Returns false if the sample touches no bucket.
    @inline(__always)
    mutating func advance(to entry: MergeEntry) -> Bool {
        while first < bucketCount && edges[first + 1] <= entry.start { first += 1 }
        if first == bucketCount { return false }
        return entry.isInstant ? entry.start >= edges[0] : entry.end > edges[0]
    }

    /// Returns whether the current sample lies inside its first bucket.
    @inline(__always)
    func contains(_ entry: MergeEntry) -> Bool { entry.start >= edges[first] && entry.end <= high }

    /// Calls `body` for every bucket that the current sample touches, in order of time, with the
    /// sample's start and end clipped to the bucket.
    @inline(__always)
    func forEachBucket(
        of entry: MergeEntry, _ body: (_ bucket: Int, _ low: Double, _ high: Double) -> Void
    ) {
        if entry.isInstant { return body(first, entry.start, entry.start) }
        var bucket = first
        while bucket < edges.count - 1 && edges[bucket] < entry.end {
            body(bucket, max(entry.start, edges[bucket]), min(entry.end, edges[bucket + 1]))
            bucket += 1
        }
    }
}

/// Adds samples in (start, key) order to the buckets between edges, and computes their statistics.
struct BucketSweep<Arithmetic: BucketArithmetic> {
    private var merged = PopulatedBuckets<Arithmetic>()
    /// The buckets of each source, by source index; empty unless values by source are requested.
    private var bySource: [PopulatedBuckets<Arithmetic>]
    private var cursor: BucketCursor
    private let rules: StatisticsRules

    /// Creates a sweep without samples.
    ///
    /// - Parameter edges: The bucket boundaries: at least two, strictly ascending.
    init(edges: [Double], sources: Int, rules: StatisticsRules) {
        cursor = BucketCursor(edges: edges)
        self.rules = rules
        bySource = []
        if rules.separation == .bySource {
            bySource = [PopulatedBuckets<Arithmetic>](repeating: PopulatedBuckets(), count: sources)
        }
    }

    /// Adds a sample that counts whole to all buckets that it touches.
    @inline(__always)
    mutating func add(_ entry: MergeEntry) {
        guard cursor.advance(to: entry) else { return }
        merged.add(entry, at: cursor, rules)
        if !bySource.isEmpty { bySource[Int(entry.source)].add(entry, at: cursor, rules) }
    }

    /// Adds a sample of which only some pieces of time count in merged values, or none. Values by
    /// source count it whole.
    private mutating func add(_ entry: MergeEntry, keeping pieces: UnsafeBufferPointer<Span>) {
        guard cursor.advance(to: entry) else { return }
        merged.add(entry, keeping: pieces, at: cursor, rules)
        if !bySource.isEmpty { bySource[Int(entry.source)].add(entry, at: cursor, rules) }
    }

    /// Adds adjacent samples that count whole to the buckets that they touch.
    mutating func add(_ run: EntryRun) {
        guard bySource.isEmpty, run.haveDistinctStarts else {
            for index in 0..<run.count { add(run[index]) }
            return
        }
        var index = 0
        while index < run.count {
            let entry = run[index]
            if cursor.advance(to: entry), cursor.contains(entry) {
                let (high, rules) = (cursor.high, rules)
                index = merged.withBucket(at: cursor) {
                    $0.add(run, from: index, below: high, rules: rules)
                }
            } else {
                add(entry)
                index += 1
            }
        }
    }

    /// Adds samples in (start, key) order. In merged values, only the time in which a sample's rank
    /// leads counts.
    private mutating func add(_ entries: [MergeEntry], keptBy leading: LeadingRanks) {
        let parts = leading.parts(of: entries)
        var pieces: [Span] = []
        var index = 0
        while index < entries.count {
            let entry = entries[index]
            if bySource.isEmpty, cursor.advance(to: entry), cursor.contains(entry) {
                let (high, rules) = (cursor.high, rules)
                index = merged.withBucket(at: cursor) {
                    $0.add(entries, parts, from: index, below: high, rules: rules)
                }
                continue
            }
            leading.pieces(of: entry, into: &pieces)
            if pieces.count == 1, entry.isInstant {
                add(entry)
            } else {
                pieces.withUnsafeBufferPointer { add(entry, keeping: $0) }
            }
            index += 1
        }
    }
}

extension BucketSweep {
    /// Merges the sources of samples and returns the statistics.
    ///
    /// - Parameters:
    ///   - entries: The samples in (start, key) order.
    ///   - ranks: The rank of each source.
    /// - Returns: The statistics of the populated buckets, in order of time.
    consuming func merging(_ entries: [MergeEntry], ranks: [Int32]) -> [Statistics] {
        add(
            entries,
            keptBy: LeadingRanks(entries, ranks: ranks, gapTolerance: rules.gapTolerance))
        var statistics = statistics()
        if rules.gapTolerance > 0 {
            // Tolerated gaps are not covered, but exclude the time of lower-priority sources. So
            // the time covered by all samples is too long.
            SourceMerge(entries, ranks: ranks, gapTolerance: rules.gapTolerance)
                .writeDurations(into: &statistics)
        }
        return statistics
    }

    /// Returns the statistics of the populated buckets, in order of time.
    func statistics() -> [Statistics] {
        var statistics: [Statistics] = []
        statistics.reserveCapacity(merged.buckets.count)
        for (bucket, tally) in zip(merged.buckets, merged.tallies) {
            statistics.append(
                Statistics(
                    start: cursor.edges[bucket], end: cursor.edges[bucket + 1],
                    merged: tally.values(), bySource: bySource.isEmpty ? nil : [:]))
        }
        for (source, own) in bySource.enumerated() {
            var position = 0
            for (bucket, tally) in zip(own.buckets, own.tallies) {
                while merged.buckets[position] < bucket { position += 1 }
                statistics[position].bySource?[Int32(truncatingIfNeeded: source)] = tally.values()
            }
        }
        return statistics
    }
}

extension BucketSweep<ProRataSum> {
    /// Adds samples in (start, key) order, of which only the kept time counts, and returns the
    /// statistics of the populated buckets, in order of time. There must be no values by source.
    consuming func adding(_ columns: MergeColumns, keptBy kept: KeptTime) -> [Statistics] {
        var pieces: [Span] = []
        var index = 0
        while index < columns.count {
            let entry = columns[index]
            if cursor.advance(to: entry) {
                if cursor.contains(entry) {
                    let high = cursor.high
                    index = merged.withBucket(at: cursor) {
                        $0.add(columns, keptBy: kept, from: index, below: high)
                    }
                    continue
                }
                kept.pieces(of: index, in: columns, into: &pieces)
                pieces.withUnsafeBufferPointer { merged.add(entry, keeping: $0, at: cursor, rules) }
            }
            index += 1
        }
        return statistics()
    }
}

extension SourceMerge {
    /// Replaces the merged duration of each bucket by the length of the kept time in it.
    fileprivate func writeDurations(into statistics: inout [Statistics]) {
        let spans = countedSpans()
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
