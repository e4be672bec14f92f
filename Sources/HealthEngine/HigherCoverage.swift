/// The time that higher ranks have taken, seen from each source: it says what they leave to a sample
/// (Semantics §1.3 to §1.8).
///
/// ```
/// watch  ▕████████▏     ▕██████▏
/// phone      ▕████████████████▏      keeps  ▕█████▏ between the two
/// ```
///
/// Ranks are settled from the top down against the union of all higher ranks, so that a sample
/// meets only the spans it overlaps. Where there are many, ``LeadingRanks`` gives the same.
struct HigherCoverage {
    /// By source; empty where there are many ranks.
    private let above: [Coverage]
    private let leading: LeadingRanks?
    private let groups: RankGroups
    private let ranks: [Int32]

    /// Up to so many ranks, one union after the other is quicker.
    static let mostUnions = 16

    /// - Parameters:
    ///   - entries: In (start, key) order.
    ///   - gapTolerance: How near samples of a source must be to cover the gap between them.
    ///   - mostUnions: See ``mostUnions``; it changes no result.
    /// - Complexity: O(n log n).
    init(
        _ entries: [Entry], ranks: [Int32], gapTolerance: Double,
        mostUnions: Int = HigherCoverage.mostUnions
    ) {
        groups = RankGroups(entries, ranks: ranks)
        self.ranks = ranks
        if groups.count > mostUnions {
            above = []
            leading = LeadingRanks(entries, groups, ranks: ranks, gapTolerance: gapTolerance)
            return
        }
        leading = nil
        var above = [Coverage](repeating: Coverage(), count: ranks.count)
        var higher = Coverage()
        for place in 0..<groups.count {
            if let first = groups[place].first { above[Int(entries[Int(first)].source)] = higher }
            if place + 1 < groups.count {
                higher.add(groups[place], of: entries, gapTolerance: gapTolerance)
            }
        }
        self.above = above
    }

    /// What each of the entries keeps, as its part in a bucket that holds all of it;
    /// ``BucketPart/nothing`` where it keeps nothing.
    ///
    /// Source by source, since what comes next in one is easier to foresee than in all.
    ///
    /// - Parameter entries: Those it was made of.
    func parts(of entries: [Entry]) -> [BucketPart] {
        var parts = [BucketPart](repeating: .nothing, count: entries.count)
        if let leading {
            for (index, entry) in entries.enumerated() {
                parts[index] = leading.part(of: entry, rank: ranks[Int(entry.source)])
            }
            return parts
        }
        parts.withUnsafeMutableBufferPointer { parts in
            entries.withUnsafeBufferPointer { entries in
                for place in 0..<groups.count {
                    let group = groups[place]
                    guard let first = group.first else { continue }
                    above[Int(entries[Int(first)].source)].settle(group, entries, into: parts)
                }
            }
        }
        return parts
    }

    /// What a sample keeps, piece by piece; an instant keeps itself.
    ///
    /// - Complexity: O(log n + pieces).
    func pieces(of entry: Entry, into pieces: inout [Span]) {
        pieces.removeAll(keepingCapacity: true)
        if let leading {
            leading.forEachPiece(of: entry, rank: ranks[Int(entry.source)]) { pieces.append($0) }
            return
        }
        let coverage = above[Int(entry.source)]
        var span = coverage.firstSpan(endingAfter: entry.start)
        if entry.isInstant {
            if !coverage.takes(entry.start, span) {
                pieces.append(Span(start: entry.start, end: entry.end))
            }
            return
        }
        var cursor = entry.start
        while span < coverage.spans.count && coverage.spans[span].start < entry.end {
            if cursor < coverage.spans[span].start {
                pieces.append(Span(start: cursor, end: coverage.spans[span].start))
            }
            cursor = coverage.spans[span].end
            span += 1
        }
        if cursor < entry.end { pieces.append(Span(start: cursor, end: entry.end)) }
    }
}

extension LeadingRanks {
    /// What a sample keeps, as its part in a bucket that holds all of it.
    fileprivate func part(of entry: Entry, rank: Int32) -> BucketPart {
        var part = BucketPart(from: entry.start, to: entry.start, seconds: 0)
        var isKept = false
        forEachPiece(of: entry, rank: rank) { piece in
            isKept = true
            part.extend(from: piece.start, to: piece.end)
        }
        return isKept ? part : .nothing
    }
}

extension Coverage {
    /// Writes what a lower rank's samples keep.
    fileprivate func settle(
        _ group: ArraySlice<Int32>, _ entries: UnsafeBufferPointer<Entry>,
        into parts: UnsafeMutableBufferPointer<BucketPart>
    ) {
        spans.withUnsafeBufferPointer { spans in
            var first = 0
            for index in group {
                let entry = entries[Int(index)]
                while first < spans.count && spans[first].end <= entry.start { first += 1 }
                var part = BucketPart(from: entry.start, to: entry.start, seconds: 0)
                if entry.isInstant {
                    parts[Int(index)] = takes(entry.start, first) ? .nothing : part
                    continue
                }
                var (cursor, span) = (entry.start, first)
                while span < spans.count && spans[span].start < entry.end {
                    part.extend(from: cursor, to: spans[span].start)
                    cursor = spans[span].end
                    span += 1
                }
                part.extend(from: cursor, to: entry.end)
                parts[Int(index)] = part.seconds > 0 ? part : .nothing
            }
        }
    }

    fileprivate func firstSpan(endingAfter time: Double) -> Int {
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].end <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether a moment is covered, or has an instant of its own.
    ///
    /// - Parameter span: The first span that ends after it.
    fileprivate func takes(_ moment: Double, _ span: Int) -> Bool {
        if span < spans.count && spans[span].start <= moment { return true }
        var (low, high) = (0, instants.count)
        while low < high {
            let middle = (low + high) / 2
            if instants[middle] < moment { low = middle + 1 } else { high = middle }
        }
        return low < instants.count && instants[low] == moment
    }
}
