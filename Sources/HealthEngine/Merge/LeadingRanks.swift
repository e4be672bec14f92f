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
    private let groups: RankGroups
    /// The rank of each source.
    private let ranks: [Int32]
    /// The leading rank at each time; empty if all samples have the same rank.
    private let leading: PrecedenceLayer
    /// The spans of `leading` by rank, then by time. Those of a rank are at
    /// `bounds[rank]..<bounds[rank + 1]`.
    private let spans: [Span]
    private let bounds: [Int]

    /// - Parameters:
    ///   - entries: Samples in (start, key) order.
    ///   - ranks: The rank of each source.
    ///   - gapTolerance: Gaps shorter than this between samples of one source count as covered, in
    ///     seconds.
    /// - Complexity: O(n log k + sources) for n samples of k ranks.
    init(_ entries: [Entry], ranks: [Int32], gapTolerance: Double) {
        self.ranks = ranks
        groups = RankGroups(entries, ranks: ranks)
        var layers: [PrecedenceLayer] = []
        if groups.count > 1 {
            for (place, rank) in groups.ranks.enumerated() {
                layers.append(
                    PrecedenceLayer(
                        groups[place], of: entries, rank: rank, bridging: gapTolerance))
            }
        }
        leading = PrecedenceLayer(overlaying: layers)
        (spans, bounds) = leading.spansByRank(ranks.count)
    }

    /// Returns the time that each entry keeps, as the ``BucketPart`` of a bucket that contains the
    /// whole entry. An entry that keeps no time has ``BucketPart/nothing``.
    ///
    /// Entries are processed rank by rank, because the spans of one rank are then read in order.
    ///
    /// - Parameter entries: The entries with which this value was created.
    func parts(of entries: [Entry]) -> [BucketPart] {
        var parts = [BucketPart](repeating: .nothing, count: entries.count)
        parts.withUnsafeMutableBufferPointer { parts in
            entries.withUnsafeBufferPointer { entries in
                for place in 0..<groups.count {
                    if place == 0 {
                        for index in groups[place] {
                            parts[Int(index)] = BucketPart(whole: entries[Int(index)])
                        }
                    } else {
                        writeParts(of: groups[place], groups.ranks[place], entries, into: parts)
                    }
                }
            }
        }
        return parts
    }

    /// Writes the parts of the samples of one rank, which is not the highest-priority one.
    private func writeParts(
        of group: ArraySlice<Int32>, _ rank: Int32, _ entries: UnsafeBufferPointer<Entry>,
        into parts: UnsafeMutableBufferPointer<BucketPart>
    ) {
        spans.withUnsafeBufferPointer { spans in
            var first = bounds[Int(rank)]
            let end = bounds[Int(rank) + 1]
            for index in group {
                let entry = entries[Int(index)]
                if entry.isInstant {
                    if !isTaken(entry.start, from: rank) {
                        parts[Int(index)] = BucketPart(whole: entry)
                    }
                    continue
                }
                while first < end && spans[first].end <= entry.start { first += 1 }
                var part = BucketPart(from: entry.start, to: entry.start, seconds: 0)
                var place = first
                while place < end && spans[place].start < entry.end {
                    let piece = spans[place].clamped(to: entry)
                    part.extend(from: piece.start, to: piece.end)
                    place += 1
                }
                if part.seconds > 0 { parts[Int(index)] = part }
            }
        }
    }

    /// Replaces `pieces` with the intervals that a sample keeps, in order of time. For an instant,
    /// this is one interval of length 0, or none.
    ///
    /// - Complexity: O(log n + pieces).
    func pieces(of entry: Entry, into pieces: inout [Span]) {
        pieces.removeAll(keepingCapacity: true)
        let rank = ranks[Int(entry.source)]
        if rank == groups.ranks.first || entry.isInstant {
            if !isTaken(entry.start, from: rank) {
                pieces.append(Span(start: entry.start, end: entry.end))
            }
            return
        }
        let end = bounds[Int(rank) + 1]
        var index = (bounds[Int(rank)]..<end).partitioningIndex { spans[$0].end > entry.start }
        while index < end, spans[index].start < entry.end {
            let piece = spans[index].clamped(to: entry)
            if piece.start < piece.end { pieces.append(piece) }
            index += 1
        }
    }

    /// Returns whether a rank of higher priority than `rank` covers a time or has an instant at it.
    private func isTaken(_ moment: Double, from rank: Int32) -> Bool {
        if rank == groups.ranks.first { return false }
        let intervals = leading.intervals
        let index = intervals.partitioningIndex { $0.span.end > moment }
        if index < intervals.count, intervals[index].span.start <= moment,
            intervals[index].rank < rank
        {
            return true
        }
        let instants = leading.instants
        let instant = instants.partitioningIndex { $0.span.start >= moment }
        return instant < instants.count && instants[instant].span.start == moment
            && instants[instant].rank < rank
    }
}

extension Span {
    /// Returns the part of this span inside a sample. If the two don't overlap, the result ends
    /// before it starts.
    @inline(__always)
    fileprivate func clamped(to entry: Entry) -> Span {
        Span(start: max(entry.start, start), end: min(entry.end, end))
    }
}

extension BucketPart {
    /// Creates the part for a sample that keeps all of its time.
    @inline(__always)
    fileprivate init(whole entry: Entry) {
        self.init(from: entry.start, to: entry.end, seconds: entry.end - entry.start)
    }
}
