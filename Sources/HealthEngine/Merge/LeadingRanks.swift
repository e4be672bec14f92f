/// The highest-priority rank at each time. A sample keeps the time in which its own rank leads.
///
/// Gives the same result as a ``Coverage`` for each rank, but in one sweep over time. Neither time
/// nor memory grows with the product of samples and ranks.
///
/// ```
/// rank 0   ▕█████▏        ▕████▏
/// rank 1       ▕█████████████▏
/// leading  ▕  0  ▕   1    ▕ 0  ▕
/// ```
struct LeadingRanks {
    /// An interval of time and its leading rank.
    private struct Stretch {
        var span: Span
        var rank: Int32
    }

    /// Maximal intervals with one leading rank, in order of time.
    private let stretches: [Stretch]
    /// The spans of `stretches` by rank, then by time. Those of a rank are at
    /// `bounds[rank]..<bounds[rank + 1]`.
    private let spans: [Span]
    private let bounds: [Int]
    /// The distinct times of instants, each with the highest-priority rank that has one there.
    private let instants: [Stretch]

    /// - Parameters:
    ///   - entries: Samples in (start, key) order.
    ///   - groups: The indices of the samples by rank.
    ///   - ranks: The rank of each source.
    ///   - gapTolerance: Gaps shorter than this between samples of one source count as covered, in
    ///     seconds.
    /// - Complexity: O(n log n).
    init(_ entries: [Entry], _ groups: RankGroups, ranks: [Int32], gapTolerance: Double) {
        var own: [Stretch] = []
        var moments: [Stretch] = []
        own.reserveCapacity(entries.count)
        for place in 0..<groups.count {
            guard let first = groups[place].first else { continue }
            let rank = ranks[Int(entries[Int(first)].source)]
            var coverage = Coverage()
            coverage.add(groups[place], of: entries, gapTolerance: gapTolerance)
            own += coverage.spans.map { Stretch(span: $0, rank: rank) }
            moments += coverage.instants.map {
                Stretch(span: Span(start: $0, end: $0), rank: rank)
            }
        }
        own.sort { ($0.span.start, $0.rank) < ($1.span.start, $1.rank) }
        moments.sort { ($0.span.start, $0.rank) < ($1.span.start, $1.rank) }
        instants = moments.enumerated().compactMap { index, moment in
            index > 0 && moments[index - 1].span.start == moment.span.start ? nil : moment
        }
        let stretches = LeadingRanks.leading(own)
        self.stretches = stretches
        var bounds = [Int](repeating: 0, count: ranks.count + 1)
        for stretch in stretches { bounds[Int(stretch.rank) + 1] += 1 }
        for rank in 0..<ranks.count { bounds[rank + 1] += bounds[rank] }
        var places = bounds
        var spans = [Span](repeating: Span(start: 0, end: 0), count: stretches.count)
        for stretch in stretches {
            spans[places[Int(stretch.rank)]] = stretch.span
            places[Int(stretch.rank)] += 1
        }
        self.bounds = bounds
        self.spans = spans
    }

    /// Returns the intervals with one leading rank.
    ///
    /// A sweep over the starts. Open spans are kept in a heap whose top is the highest-priority
    /// rank.
    private static func leading(_ own: [Stretch]) -> [Stretch] {
        var leading: [Stretch] = []
        var open = RankHeap()
        var next = 0
        var time = -Double.infinity
        while true {
            while let top = open.top, top.end <= time { open.removeTop() }
            if open.top == nil {
                guard next < own.count else { return leading }
                time = own[next].span.start
            }
            while next < own.count, own[next].span.start <= time {
                open.insert(.init(rank: own[next].rank, end: own[next].span.end))
                next += 1
            }
            guard let top = open.top else { continue }
            let end = next < own.count ? min(top.end, own[next].span.start) : top.end
            if let last = leading.last, last.rank == top.rank, last.span.end == time {
                leading[leading.count - 1].span.end = end
            } else {
                leading.append(Stretch(span: Span(start: time, end: end), rank: top.rank))
            }
            time = end
        }
    }

    /// Calls `body` with each interval that a sample keeps, in order. For an instant, this is the
    /// instant itself.
    ///
    /// - Complexity: O(log n + pieces).
    func forEachPiece(of entry: Entry, rank: Int32, _ body: (Span) -> Void) {
        if entry.isInstant {
            if !isTaken(entry.start, from: rank) {
                body(Span(start: entry.start, end: entry.end))
            }
            return
        }
        let end = bounds[Int(rank) + 1]
        var index = (bounds[Int(rank)]..<end).partitioningIndex { spans[$0].end > entry.start }
        while index < end, spans[index].start < entry.end {
            let piece = Span(
                start: max(entry.start, spans[index].start), end: min(entry.end, spans[index].end))
            if piece.start < piece.end { body(piece) }
            index += 1
        }
    }

    /// Returns whether a higher-priority rank covers a time or has an instant at it.
    private func isTaken(_ moment: Double, from rank: Int32) -> Bool {
        let index = stretches.partitioningIndex { $0.span.end > moment }
        if index < stretches.count, stretches[index].span.start <= moment,
            stretches[index].rank < rank
        {
            return true
        }
        let instant = instants.partitioningIndex { $0.span.start >= moment }
        return instant < instants.count && instants[instant].span.start == moment
            && instants[instant].rank < rank
    }
}

/// A binary heap of spans that have started, with the highest-priority rank at the top. Spans that
/// have ended are removed only when they reach the top.
private struct RankHeap {
    struct Element {
        var rank: Int32
        var end: Double
    }

    private var elements: [Element] = []

    var top: Element? { elements.first }

    mutating func insert(_ element: Element) {
        var index = elements.count
        elements.append(element)
        while index > 0, elements[(index - 1) / 2].rank > elements[index].rank {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeTop() {
        guard let last = elements.popLast(), !elements.isEmpty else { return }
        elements[0] = last
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < elements.count && elements[child].rank < elements[least].rank {
                least = child
            }
            if least == index { return }
            elements.swapAt(index, least)
            index = least
        }
    }
}

/// The indices of entries grouped by rank, highest priority first. Ranks without entries have no
/// group.
struct RankGroups {
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
