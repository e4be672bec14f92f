/// The time that each sample keeps where no higher-priority source has a sample, computed by
/// ``LeadingRanks`` and stored for all samples.
struct SourceMerge: Sendable {
    /// The part of a sample's time that counts: all of it, or a range of ``pieces``, which is empty
    /// if nothing counts.
    struct CountedPart: Sendable {
        var first: Int32
        var count: Int32

        static let everything = CountedPart(first: -1, count: 1)
        var isEverything: Bool { first < 0 }
        var isNothing: Bool { count == 0 }
        /// The indices of the sample's pieces; empty if the whole sample counts, or nothing of it.
        var range: Range<Int> { isEverything ? 0..<0 : Int(first)..<Int(first + count) }
    }

    /// The samples in (start, key) order.
    let entries: [MergeEntry]
    /// The kept part of each sample, by index of `entries`.
    let countedParts: [CountedPart]
    /// The kept intervals of samples that count in part, sorted by time within each sample.
    let pieces: [Span]

    /// Merges samples.
    ///
    /// - Parameters:
    ///   - entries: Samples in (start, key) order.
    ///   - ranks: The rank of each source.
    ///   - gapTolerance: Gaps shorter than this between samples of one source count as covered, in
    ///     seconds.
    /// - Complexity: O(n log n + overlaps), see ``LeadingRanks``.
    init(_ entries: [MergeEntry], ranks: [Int32], gapTolerance: Double) {
        self.entries = entries
        var countedParts: [CountedPart] = []
        countedParts.reserveCapacity(entries.count)
        var all: [Span] = []
        var pieces: [Span] = []
        let leading = LeadingRanks(entries, ranks: ranks, gapTolerance: gapTolerance)
        for entry in entries {
            leading.pieces(of: entry, into: &pieces)
            if pieces.count == 1, pieces[0] == Span(start: entry.start, end: entry.end) {
                countedParts.append(.everything)
                continue
            }
            countedParts.append(
                CountedPart(
                    first: Int32(truncatingIfNeeded: all.count),
                    count: Int32(truncatingIfNeeded: pieces.count)))
            all += pieces
        }
        self.countedParts = countedParts
        self.pieces = all
    }
}

extension SourceMerge {
    /// Returns the seconds that an entry keeps in `[low, high)`, or nil if it keeps nothing there.
    ///
    /// An instant that counts keeps 0 seconds.
    func seconds(of index: Int, from low: Double, to high: Double) -> Double? {
        let (entry, countedParts) = (entries[index], countedParts[index])
        if countedParts.isNothing { return nil }
        if entry.isInstant { return low <= entry.start && entry.start < high ? 0 : nil }
        if countedParts.isEverything {
            let seconds = min(entry.end, high) - max(entry.start, low)
            return seconds > 0 ? seconds : nil
        }
        var seconds = 0.0
        for piece in pieces[countedParts.range] where piece.end > low && piece.start < high {
            seconds += min(piece.end, high) - max(piece.start, low)
        }
        return seconds > 0 ? seconds : nil
    }

    /// Returns all kept time as disjoint spans in order of time.
    func countedSpans() -> [Span] {
        var spans: [Span] = []
        spans.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() where !entry.isInstant {
            if countedParts[index].isEverything {
                spans.append(Span(start: entry.start, end: entry.end))
            } else {
                spans.append(contentsOf: pieces[countedParts[index].range])
            }
        }
        spans.sort { $0.start < $1.start }
        var union = SpanUnion(bridging: 0)
        var joined = spans.compactMap { union.add(from: $0.start, to: $0.end) }
        if let last = union.last { joined.append(last) }
        return joined
    }
}
