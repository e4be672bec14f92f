/// The leading rank at each time: the highest-priority rank that has a sample there. A sample keeps
/// the time in which its own rank leads, and only this time counts (Semantics §1.3 to §1.8).
///
/// ```
/// rank 0   ▕█████▏        ▕████▏
/// rank 1       ▕█████████████▏
/// leading  ▕  0  ▕   1    ▕ 0  ▕    a sample of rank 1 keeps the time between the two
/// ```
///
/// Rank 0 has the highest priority. Samples of the highest-priority rank keep all of their time.
struct LeadingRanks {
    /// The rank of each source.
    private let ranks: [Int32]
    /// The highest-priority rank that has a sample; 0 without samples.
    private let top: Int32
    /// The leading rank at each time, without the lowest-priority rank: it covers no other rank.
    private let leading: PrecedenceLayer

    /// - Parameters:
    ///   - entries: Samples in (start, key) order.
    ///   - ranks: The rank of each source.
    ///   - gapTolerance: Gaps shorter than this between samples of one source count as covered, in
    ///     seconds.
    /// - Complexity: O(n log k + sources) for n samples of k ranks.
    init(_ entries: [MergeEntry], ranks: [Int32], gapTolerance: Double) {
        self.ranks = ranks
        let groups = RankGroups(entries, ranks: ranks)
        top = groups.ranks.first ?? 0
        let layers = groups.ranks.dropLast().enumerated().map { place, rank in
            PrecedenceLayer(groups[place], of: entries, rank: rank, bridging: gapTolerance)
        }
        leading = PrecedenceLayer(overlaying: layers)
    }

    /// Returns the time that each entry keeps, as the ``BucketPart`` of a bucket that contains the
    /// whole entry. An entry that keeps no time has ``BucketPart/nothing``.
    ///
    /// - Parameter entries: The entries with which this value was created.
    /// - Complexity: O(n log n + overlaps), where an overlap is a sample above which a higher rank
    ///   leads for an interval.
    func parts(of entries: [MergeEntry]) -> [BucketPart] {
        var parts: [BucketPart] = []
        parts.reserveCapacity(entries.count)
        leading.intervals.withUnsafeBufferPointer { intervals in
            var first = 0
            for entry in entries {
                let rank = ranks[Int(entry.source)]
                if rank == top {
                    parts.append(BucketPart(all: entry))
                    continue
                }
                while first < intervals.count && intervals[first].span.end <= entry.start {
                    first += 1
                }
                var part = BucketPart(from: entry.start, to: entry.start, seconds: 0)
                var hasPiece = false
                forEachPiece(of: entry, rank, intervals, from: first) { low, high in
                    hasPiece = true
                    part.extend(from: low, to: high)
                }
                parts.append(part.seconds > 0 || hasPiece && entry.isInstant ? part : .nothing)
            }
        }
        return parts
    }

    /// Replaces `pieces` with the intervals that a sample keeps. An instant keeps itself or
    /// nothing.
    ///
    /// - Complexity: O(log n + overlaps) for the sample's overlaps with intervals of higher ranks.
    func pieces(of entry: MergeEntry, into pieces: inout [Span]) {
        pieces.removeAll(keepingCapacity: true)
        let rank = ranks[Int(entry.source)]
        if rank == top {
            pieces.append(Span(start: entry.start, end: entry.end))
            return
        }
        leading.intervals.withUnsafeBufferPointer { intervals in
            let first = intervals.partitioningIndex { $0.span.end > entry.start }
            forEachPiece(of: entry, rank, intervals, from: first) { low, high in
                if low < high || entry.isInstant { pieces.append(Span(start: low, end: high)) }
            }
        }
    }

    /// Calls `body` with each piece that no higher rank covers, in order. An instant is passed
    /// itself, unless a higher rank covers it or has an instant at its time.
    ///
    /// A piece may be empty or end before it starts; callers must ignore such pieces. This is
    /// faster than testing them here, because the branch is unpredictable.
    ///
    /// - Parameter first: The index of the first interval that ends after the sample's start.
    @inline(__always)
    private func forEachPiece(
        of entry: MergeEntry, _ rank: Int32,
        _ intervals: UnsafeBufferPointer<PrecedenceLayer.LeadingInterval>, from first: Int,
        _ body: (_ low: Double, _ high: Double) -> Void
    ) {
        if entry.isInstant {
            let isCovered =
                first < intervals.count && intervals[first].span.start <= entry.start
                && intervals[first].rank < rank
            if !isCovered && !hasHigherInstant(at: entry.start, rank) {
                body(entry.start, entry.end)
            }
            return
        }
        var (cursor, index) = (entry.start, first)
        while index < intervals.count && intervals[index].span.start < entry.end {
            if intervals[index].rank < rank {
                body(cursor, intervals[index].span.start)
                cursor = intervals[index].span.end
            }
            index += 1
        }
        body(cursor, entry.end)
    }

    /// Returns whether a higher rank has an instant at a time.
    private func hasHigherInstant(at time: Double, _ rank: Int32) -> Bool {
        let instants = leading.instants
        let index = instants.partitioningIndex { $0.span.start >= time }
        return index < instants.count && instants[index].span.start == time
            && instants[index].rank < rank
    }
}

extension BucketPart {
    /// Creates the part for a sample that keeps all of its time.
    @inline(__always)
    fileprivate init(all entry: MergeEntry) {
        self.init(from: entry.start, to: entry.end, seconds: entry.end - entry.start)
    }
}
