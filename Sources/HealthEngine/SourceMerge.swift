/// A stretch of time, half-open.
struct Span: Hashable, Sendable {
    var start: Double
    var end: Double
}

/// What each sample keeps of its time once every higher-ranked source has taken its own
/// (healthkit-semantics §1.3 to §1.8).
///
/// ```
/// watch  ▕████████▏     ▕██████▏
/// phone      ▕████████████████▏      keeps  ▕█████▏ between the two
/// ```
///
/// Ranks are settled from the top down against the union of all higher ranks, so that a sample
/// meets only the spans it overlaps.
struct SourceMerge: Sendable {
    /// The part of a sample's time that counts: all of it, or a run of `pieces`.
    struct Won: Sendable {
        var first: Int32
        var count: Int32

        static let everything = Won(first: -1, count: 1)
        static let nothing = Won(first: 0, count: 0)
        var isEverything: Bool { first < 0 }
        var isNothing: Bool { count == 0 }
        /// Where its pieces stand; empty for everything.
        var range: Range<Int> { isEverything ? 0..<0 : Int(first)..<Int(first + count) }
    }

    /// In (start, key) order.
    let entries: [Entry]
    /// By index of `entries`.
    private(set) var won: [Won]
    /// In order of time within each sample.
    private(set) var pieces: [Span] = []

    /// How near samples of a source must be to cover the gap between them.
    let gapTolerance: Double

    /// - Complexity: O(n · ranks present + pieces).
    init(_ entries: [Entry], ranks: [Int32], gapTolerance: Double) {
        self.entries = entries
        self.gapTolerance = gapTolerance
        won = [Won](repeating: .everything, count: entries.count)
        let groups = RankGroups(entries, ranks: ranks)
        var higher = Coverage()
        for place in 0..<groups.count {
            if place > 0 { settle(groups[place], below: higher) }
            if place + 1 < groups.count {
                higher.add(groups[place], of: entries, gapTolerance: gapTolerance)
            }
        }
    }

    private mutating func settle(_ group: ArraySlice<Int32>, below higher: Coverage) {
        var (span, instant) = (0, 0)
        for index in group {
            let entry = entries[Int(index)]
            while span < higher.spans.count && higher.spans[span].end <= entry.start { span += 1 }
            let meetsSpan = span < higher.spans.count
            guard entry.isInstant else {
                if meetsSpan && higher.spans[span].start < entry.end {
                    won[Int(index)] = cut(entry, by: higher.spans, from: span)
                }
                continue
            }
            while instant < higher.instants.count && higher.instants[instant] < entry.start {
                instant += 1
            }
            let isCovered = meetsSpan && higher.spans[span].start <= entry.start
            let hasTwin = instant < higher.instants.count && higher.instants[instant] == entry.start
            if isCovered || hasTwin { won[Int(index)] = .nothing }
        }
    }

    private mutating func cut(_ entry: Entry, by spans: [Span], from first: Int) -> Won {
        let start = pieces.count
        var (cursor, span) = (entry.start, first)
        while span < spans.count && spans[span].start < entry.end {
            if cursor < spans[span].start {
                pieces.append(Span(start: cursor, end: spans[span].start))
            }
            cursor = spans[span].end
            span += 1
        }
        if cursor < entry.end { pieces.append(Span(start: cursor, end: entry.end)) }
        return Won(
            first: Int32(truncatingIfNeeded: start),
            count: Int32(truncatingIfNeeded: pieces.count - start))
    }
}

extension SourceMerge {
    /// Seconds that entry `index` keeps between two times; nil if it keeps nothing there.
    ///
    /// An instant that counts keeps 0 seconds.
    func seconds(of index: Int, from low: Double, to high: Double) -> Double? {
        let (entry, won) = (entries[index], won[index])
        if won.isNothing { return nil }
        if entry.isInstant { return low <= entry.start && entry.start < high ? 0 : nil }
        if won.isEverything {
            let seconds = min(entry.end, high) - max(entry.start, low)
            return seconds > 0 ? seconds : nil
        }
        var seconds = 0.0
        for piece in pieces[won.range] where piece.end > low && piece.start < high {
            seconds += min(piece.end, high) - max(piece.start, low)
        }
        return seconds > 0 ? seconds : nil
    }

    /// All kept time as disjoint spans in order.
    func keptSpans() -> [Span] {
        var spans: [Span] = []
        spans.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() where !entry.isInstant {
            if won[index].isEverything {
                spans.append(Span(start: entry.start, end: entry.end))
            } else {
                spans.append(contentsOf: pieces[won[index].range])
            }
        }
        spans.sort { $0.start < $1.start }
        return Coverage.union(of: spans, bridging: 0)
    }
}

/// The indices of entries by rank, the winners first; of ranks that occur alone.
private struct RankGroups {
    private let indices: [Int32]
    private let bounds: [Int]

    var count: Int { bounds.count - 1 }
    subscript(group: Int) -> ArraySlice<Int32> { indices[bounds[group]..<bounds[group + 1]] }

    init(_ entries: [Entry], ranks: [Int32]) {
        var counts = [Int](repeating: 0, count: ranks.count + 1)
        for entry in entries { counts[Int(ranks[Int(entry.source)])] += 1 }
        var places: [Int] = []
        var bounds = [0]
        for count in counts {
            places.append(bounds[bounds.count - 1])
            if count > 0 { bounds.append(bounds[bounds.count - 1] + count) }
        }
        var indices = [Int32](repeating: 0, count: entries.count)
        for (index, entry) in entries.enumerated() {
            let rank = Int(ranks[Int(entry.source)])
            indices[places[rank]] = Int32(truncatingIfNeeded: index)
            places[rank] += 1
        }
        self.indices = indices
        self.bounds = bounds
    }
}

/// The time that some ranks have taken, and the moments they have instants at.
private struct Coverage {
    /// Disjoint and in order.
    var spans: [Span] = []
    /// In order, none twice.
    var instants: [Double] = []

    mutating func add(_ group: ArraySlice<Int32>, of entries: [Entry], gapTolerance: Double) {
        var own: [Span] = []
        var moments: [Double] = []
        own.reserveCapacity(group.count)
        var open = Span(start: -.infinity, end: -.infinity)
        for index in group {
            let entry = entries[Int(index)]
            if entry.isInstant {
                if moments.last != entry.start { moments.append(entry.start) }
            } else if entry.start <= open.end || entry.start - open.end < gapTolerance {
                if entry.end > open.end { open.end = entry.end }
            } else {
                if open.start > -.infinity { own.append(open) }
                open = Span(start: entry.start, end: entry.end)
            }
        }
        if open.start > -.infinity { own.append(open) }
        if spans.isEmpty {
            spans = own
        } else {
            let all = Coverage.merged(spans, own) { $0.start < $1.start }
            spans = Coverage.union(of: all, bridging: 0)
        }
        instants = Coverage.merged(instants, moments, by: <)
    }

    /// Joins spans in order of start that overlap, touch, or leave less than `gap` between them.
    static func union(of spans: [Span], bridging gap: Double) -> [Span] {
        var joined: [Span] = []
        joined.reserveCapacity(spans.count)
        guard var open = spans.first else { return [] }
        for span in spans.dropFirst() {
            if span.start <= open.end || span.start - open.end < gap {
                if span.end > open.end { open.end = span.end }
            } else {
                joined.append(open)
                open = span
            }
        }
        joined.append(open)
        return joined
    }

    private static func merged<T>(_ a: [T], _ b: [T], by precedes: (T, T) -> Bool) -> [T] {
        if a.isEmpty { return b }
        if b.isEmpty { return a }
        var merged: [T] = []
        merged.reserveCapacity(a.count + b.count)
        var (i, j) = (0, 0)
        while i < a.count && j < b.count {
            if precedes(b[j], a[i]) {
                merged.append(b[j])
                j += 1
            } else {
                merged.append(a[i])
                i += 1
            }
        }
        merged.append(contentsOf: a[i...])
        merged.append(contentsOf: b[j...])
        return merged
    }
}
