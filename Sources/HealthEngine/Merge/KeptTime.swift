/// The part that each sample keeps where no higher-priority source has a sample, for merges of
/// amounts without tolerated gaps (Semantics §1.3 to §1.7).
///
/// ``LeadingRanks`` computes the same for all merges. This type is faster for a few ranks, because
/// its loops have almost no branches: processors cannot predict which source a sample has, nor
/// where it is covered.
struct KeptTime {
    /// The largest number of ranks. The time for each sample grows with the number of ranks.
    private static let maximumRanks = 6

    /// The kept seconds of each sample; negative if nothing is kept. An instant keeps 0 or nothing.
    private(set) var seconds: [Double]
    /// The part of each sample's value in proportion to ``seconds``, bit-identical to that of
    /// ``MergeEntry/share(_:)``; 0 if nothing is kept.
    private(set) var amounts: [Double] = []
    /// The rank of each sample.
    private let ranks: [Double]
    /// The time that higher ranks cover, by rank; nil for the highest-priority rank.
    private var covers: [Double: CoveredTime] = [:]

    /// Computes the kept parts; nil if there are too many ranks, or both instants and equal starts.
    ///
    /// - Parameters:
    ///   - columns: Samples in (start, key) order.
    ///   - ranks: The rank of each source.
    /// - Complexity: O(samples · ranks + sources + overlaps), where an overlap is a sample of a
    ///   higher rank that starts in the time of a sample.
    init?(_ columns: MergeColumns, ranks: [Int32]) {
        let (used, distinct) = columns.ranks(ranks)
        guard distinct.count <= KeptTime.maximumRanks, !columns.mayHaveEqualInstants else {
            return nil
        }
        self.ranks = used
        seconds = columns.durations
        for rank in distinct.dropFirst() {
            let (covered, own) = CoveredTime.above(rank, columns, used)
            covered.reduce(&seconds, of: own, columns)
            covers[rank] = covered
        }
        amounts = columns.amounts(keeping: seconds)
    }

    /// Replaces `pieces` with the intervals that a sample with a duration keeps.
    func pieces(of index: Int, in columns: MergeColumns, into pieces: inout [Span]) {
        pieces.removeAll(keepingCapacity: true)
        let span = Span(start: columns.start[index], end: columns.end[index])
        guard let cover = covers[ranks[index]] else { return pieces.append(span) }
        cover.forEachGap(in: span) { pieces.append($0) }
    }
}

/// The time that samples with a duration cover.
private struct CoveredTime {
    /// The number of sentinels after the last sample.
    private static let sentinels = 4

    /// The starts in ascending order, between sentinels of `-infinity` and `infinity`.
    private var start: [Double] = []
    /// The latest end of a sample so far, for each start. Each is later than its start.
    private var end: [Double] = []

    /// A sample, and the number of elements of ``start`` that come before it.
    struct Place {
        var sample: Int32
        var next: Int32
    }

    /// Returns the time that samples of higher ranks cover, and the places of a rank's samples.
    static func above(
        _ rank: Double, _ columns: MergeColumns, _ ranks: [Double]
    ) -> (CoveredTime, [Place]) {
        let count = columns.count
        var covered = CoveredTime()
        var own: [Place] = []
        covered.start = [Double](unsafeUninitializedCapacity: count + 1 + sentinels) { a, aCount in
            covered.end = [Double](unsafeUninitializedCapacity: count + 1 + sentinels) {
                b, bCount in
                own = [Place](unsafeUninitializedCapacity: count + 1) { places, ownCount in
                    aCount = fill(a, b, places, &ownCount, rank, columns, ranks)
                    bCount = aCount
                }
            }
        }
        return (covered, own)
    }

    /// Writes every sample to all lists, in which it remains only if the list's count then
    /// increases. So there is no branch.
    ///
    /// - Returns: The number of starts and ends, with sentinels.
    private static func fill(
        _ starts: UnsafeMutableBufferPointer<Double>, _ ends: UnsafeMutableBufferPointer<Double>,
        _ own: UnsafeMutableBufferPointer<Place>, _ ownCount: inout Int, _ rank: Double,
        _ columns: MergeColumns, _ ranks: [Double]
    ) -> Int {
        var (count, latest) = (1, -Double.infinity)
        (starts[0], ends[0]) = (latest, latest)
        var found = 0
        columns.withAmounts { start, end, _ in
            ranks.withUnsafeBufferPointer { ranks in
                for index in 0..<start.count {
                    let (low, high) = (start[index], end[index])
                    // An instant is not counted. As the latest end it changes nothing, because no
                    // later sample ends before it.
                    let reached = ranks[index] < rank ? high : -.infinity
                    latest = reached > latest ? reached : latest
                    (starts[count], ends[count]) = (low, latest)
                    count &+= reached > low ? 1 : 0
                    own[found] = Place(
                        sample: Int32(truncatingIfNeeded: index),
                        next: Int32(truncatingIfNeeded: count))
                    found &+= (ranks[index] <= rank ? 1 : 0) &- (ranks[index] < rank ? 1 : 0)
                }
            }
        }
        for sentinel in count..<count + sentinels {
            (starts[sentinel], ends[sentinel]) = (.infinity, .greatestFiniteMagnitude)
        }
        ownCount = found
        return count + sentinels
    }

    /// Replaces the seconds of samples by those that are not covered; -1 if there are none.
    func reduce(_ seconds: inout [Double], of own: [Place], _ columns: MergeColumns) {
        seconds.withUnsafeMutableBufferPointer { seconds in
            columns.withAmounts { low, high, _ in
                withTimes { starts, ends in
                    for place in own {
                        let sample = Int(place.sample)
                        seconds[sample] = CoveredTime.gaps(
                            from: low[sample], to: high[sample], Int(place.next), starts, ends)
                    }
                }
            }
        }
    }

    @inline(__always)
    private func withTimes(
        _ body: (UnsafeBufferPointer<Double>, UnsafeBufferPointer<Double>) -> Void
    ) {
        start.withUnsafeBufferPointer { start in
            end.withUnsafeBufferPointer { end in body(start, end) }
        }
    }

    /// Returns the seconds between two times that are not covered; -1 if there are none.
    ///
    /// - Parameter next: The number of starts at or before `low`, or fewer if starts are equal.
    @inline(__always)
    private static func gaps(
        from low: Double, to high: Double, _ next: Int, _ starts: UnsafeBufferPointer<Double>,
        _ ends: UnsafeBufferPointer<Double>
    ) -> Double {
        let reached = ends[next &- 1] > low ? ends[next &- 1] : low
        if low == high { return reached > low || starts[next] <= low ? -1 : 0 }
        // Few samples overlap more than two others, so that the gaps before and after two are
        // added without branches. A gap that begins at or after `high` has no seconds.
        var seconds = gap(from: reached, to: starts[next], before: high)
        seconds += gap(from: ends[next], to: starts[next &+ 1], before: high)
        seconds += gap(from: ends[next &+ 1], to: starts[next &+ 2], before: high)
        var last = next &+ 2
        while starts[last] < high {
            seconds += gap(from: ends[last], to: starts[last &+ 1], before: high)
            last &+= 1
        }
        return seconds > 0 ? seconds : -1
    }

    @inline(__always)
    private static func gap(from low: Double, to start: Double, before limit: Double) -> Double {
        let high = start < limit ? start : limit
        return (high > low ? high : low) - low
    }

    /// Calls `body` with the intervals of a span that are not covered, in order.
    func forEachGap(in span: Span, _ body: (Span) -> Void) {
        var next = start.partitioningIndex { $0 > span.start }
        var low = max(span.start, end[next - 1])
        while low < span.end {
            let high = min(start[next], span.end)
            if low < high { body(Span(start: low, end: high)) }
            if start[next] >= span.end { return }
            low = end[next]
            next += 1
        }
    }
}

extension MergeColumns {
    /// Whether there are both instants and equal starts.
    fileprivate var mayHaveEqualInstants: Bool {
        var (instants, equalStarts, last) = (0, 0, -Double.infinity)
        withAmounts { start, end, _ in
            for index in 0..<start.count {
                instants |= start[index] == end[index] ? 1 : 0
                equalStarts |= start[index] == last ? 1 : 0
                last = start[index]
            }
        }
        return instants & equalStarts != 0
    }

    fileprivate var durations: [Double] {
        [Double](unsafeUninitializedCapacity: count) { durations, count in
            withAmounts { start, end, _ in
                for index in 0..<start.count { durations[index] = end[index] - start[index] }
                count = start.count
            }
        }
    }

    /// Returns the part of each value in proportion to the kept seconds.
    fileprivate func amounts(keeping seconds: [Double]) -> [Double] {
        [Double](unsafeUninitializedCapacity: count) { amounts, count in
            withAmounts { start, end, value in
                seconds.withUnsafeBufferPointer { seconds in
                    count = start.count
                    for index in stride(from: 0, to: count - 1, by: 2) {
                        let share = KeptTime.share(
                            seconds.pair(index), of: end.pair(index) - start.pair(index),
                            value.pair(index))
                        (amounts[index], amounts[index + 1]) = (share.x, share.y)
                    }
                    if count % 2 == 0 { return }
                    let last = count - 1
                    amounts[last] =
                        KeptTime.share(
                            SIMD2(repeating: seconds[last]),
                            of: SIMD2(repeating: end[last] - start[last]),
                            SIMD2(repeating: value[last])
                        ).x
                }
            }
        }
    }
}

extension KeptTime {
    /// Returns the parts of values in proportion to time; 0 where `seconds` is negative.
    ///
    /// As vectors, because a choice between scalars is compiled to a branch. A factor and a divisor
    /// of 1 do not change a value.
    @inline(__always)
    fileprivate static func share(
        _ seconds: SIMD2<Double>, of duration: SIMD2<Double>, _ value: SIMD2<Double>
    ) -> SIMD2<Double> {
        let isWhole = seconds .== duration
        let factor = seconds.choosing(SIMD2(1, 1), where: isWhole)
        let divisor = duration.choosing(SIMD2(1, 1), where: isWhole)
        return (value * factor / divisor).choosing(SIMD2(0, 0), where: seconds .< SIMD2(0, 0))
    }
}
