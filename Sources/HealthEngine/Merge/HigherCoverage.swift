/// The time covered by higher-priority sources, for each source. It determines which part of a
/// sample counts (Semantics §1.3 to §1.8).
///
/// ```
/// watch  ▕████████▏     ▕██████▏
/// phone      ▕████████████████▏      keeps  ▕█████▏ between the two
/// ```
///
/// Ranks are processed from the highest priority down, against the union of all higher ranks. A
/// sample is compared only with the spans that it overlaps. With many ranks, ``LeadingRanks``
/// computes the same result faster.
struct HigherCoverage {
    /// Two implementations with the same result.
    private enum Form {
        /// The union of all higher ranks, by source.
        case unions([Coverage])
        case leading(LeadingRanks)
    }

    private let form: Form
    private let groups: RankGroups
    private let ranks: [Int32]

    /// The largest number of ranks for which successive unions are used. With more ranks,
    /// ``LeadingRanks`` is faster.
    static let mostUnions = 16

    /// - Parameters:
    ///   - entries: Samples in (start, key) order.
    ///   - ranks: The rank of each source.
    ///   - gapTolerance: Gaps shorter than this between samples of one source count as covered, in
    ///     seconds.
    ///   - mostUnions: See ``mostUnions``. It does not change the result.
    /// - Complexity: O(n log n).
    init(
        _ entries: [Entry], ranks: [Int32], gapTolerance: Double,
        mostUnions: Int = HigherCoverage.mostUnions
    ) {
        groups = RankGroups(entries, ranks: ranks)
        self.ranks = ranks
        if groups.count > mostUnions {
            form = .leading(
                LeadingRanks(entries, groups, ranks: ranks, gapTolerance: gapTolerance))
            return
        }
        var above = [Coverage](repeating: Coverage(), count: ranks.count)
        var higher = Coverage()
        for place in 0..<groups.count {
            if let first = groups[place].first { above[Int(entries[Int(first)].source)] = higher }
            if place + 1 < groups.count {
                higher.add(groups[place], of: entries, gapTolerance: gapTolerance)
            }
        }
        form = .unions(above)
    }

    /// Returns the time that each entry keeps, as its part of a bucket that contains all of it;
    /// ``BucketPart/nothing`` if it keeps none.
    ///
    /// Entries are processed source by source, because branch prediction works better within one
    /// source.
    ///
    /// - Parameter entries: The entries that this was created with.
    func parts(of entries: [Entry]) -> [BucketPart] {
        switch form {
        case .leading(let leading):
            return entries.map { entry in
                BucketPart(of: entry) { extend in
                    leading.forEachPiece(of: entry, rank: ranks[Int(entry.source)]) {
                        extend($0.start, $0.end)
                    }
                }
            }
        case .unions(let above):
            var parts = [BucketPart](repeating: .nothing, count: entries.count)
            parts.withUnsafeMutableBufferPointer { parts in
                entries.withUnsafeBufferPointer { entries in
                    for place in 0..<groups.count {
                        let group = groups[place]
                        guard let first = group.first else { continue }
                        let source = Int(entries[Int(first)].source)
                        above[source].settle(group, entries, into: parts)
                    }
                }
            }
            return parts
        }
    }

    /// Replaces `pieces` with the intervals that a sample keeps. An instant keeps itself or
    /// nothing.
    ///
    /// - Complexity: O(log n + pieces).
    func pieces(of entry: Entry, into pieces: inout [Span]) {
        pieces.removeAll(keepingCapacity: true)
        switch form {
        case .leading(let leading):
            leading.forEachPiece(of: entry, rank: ranks[Int(entry.source)]) { pieces.append($0) }
        case .unions(let above):
            let coverage = above[Int(entry.source)]
            coverage.spans.withUnsafeBufferPointer { spans in
                let first = spans.partitioningIndex { $0.end > entry.start }
                coverage.forEachPiece(of: entry, spans, from: first) { low, high in
                    if low < high || entry.isInstant { pieces.append(Span(start: low, end: high)) }
                }
            }
        }
    }
}

extension BucketPart {
    /// Creates the kept part of a sample from pieces in order. It is ``nothing`` if no piece has a
    /// duration and the sample is not a kept instant.
    @inline(__always)
    fileprivate init(of entry: Entry, pieces: ((_ low: Double, _ high: Double) -> Void) -> Void) {
        var part = BucketPart(from: entry.start, to: entry.start, seconds: 0)
        var isKept = false
        pieces { low, high in
            isKept = true
            part.extend(from: low, to: high)
        }
        self = part.seconds > 0 || (isKept && entry.isInstant) ? part : .nothing
    }
}

extension Coverage {
    /// Writes the kept parts of the samples of a lower rank.
    fileprivate func settle(
        _ group: ArraySlice<Int32>, _ entries: UnsafeBufferPointer<Entry>,
        into parts: UnsafeMutableBufferPointer<BucketPart>
    ) {
        spans.withUnsafeBufferPointer { spans in
            var first = 0
            for index in group {
                let entry = entries[Int(index)]
                while first < spans.count && spans[first].end <= entry.start { first += 1 }
                parts[Int(index)] = BucketPart(of: entry) { extend in
                    forEachPiece(of: entry, spans, from: first, extend)
                }
            }
        }
    }

    /// Calls `body` with each uncovered piece of a lower-priority sample, in order. An instant is
    /// passed itself, unless it is covered or there is another instant at its time.
    ///
    /// This implements source precedence. A piece between spans may be empty or end before it
    /// starts; callers must ignore such pieces.
    ///
    /// - Parameter first: The index of the first span that ends after the sample's start.
    @inline(__always)
    fileprivate func forEachPiece(
        of entry: Entry, _ spans: UnsafeBufferPointer<Span>, from first: Int,
        _ body: (_ low: Double, _ high: Double) -> Void
    ) {
        if entry.isInstant {
            if !takes(entry.start, spans, first) { body(entry.start, entry.end) }
            return
        }
        var (cursor, span) = (entry.start, first)
        while span < spans.count && spans[span].start < entry.end {
            body(cursor, spans[span].start)
            cursor = spans[span].end
            span += 1
        }
        body(cursor, entry.end)
    }

    /// Returns whether a time is covered, or has an instant of a higher-priority source.
    private func takes(_ moment: Double, _ spans: UnsafeBufferPointer<Span>, _ first: Int) -> Bool {
        if first < spans.count && spans[first].start <= moment { return true }
        let place = instants.partitioningIndex { $0 >= moment }
        return place < instants.count && instants[place] == moment
    }
}
