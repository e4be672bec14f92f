/// The leading rank at each time, among a range of ranks: the one with the highest priority that
/// has a sample there. This type implements the precedence of sources.
///
/// Layers of neighbouring ranks are merged pair by pair until one layer is left. In each pair, the
/// layer with the higher priority hides the other one. Each interval is copied O(log k) times for k
/// ranks, instead of comparing each rank with all others.
struct PrecedenceLayer {
    /// An interval of time and its leading rank.
    struct LeadingInterval {
        var span: Span
        var rank: Int32
    }

    /// Disjoint intervals in order of time. Two intervals that touch have different ranks.
    private(set) var intervals: [LeadingInterval] = []
    /// The times of instants in ascending order without duplicates, each with the highest-priority
    /// rank that has an instant there.
    private(set) var instants: [LeadingInterval] = []

    /// Creates the layer of one rank.
    ///
    /// - Parameters:
    ///   - group: Indices into `entries`, in (start, key) order.
    ///   - gapTolerance: Gaps shorter than this between two of the samples count as covered, in
    ///     seconds.
    init(
        _ group: ArraySlice<Int32>, of entries: [MergeEntry], rank: Int32,
        bridging gapTolerance: Double
    ) {
        var union = SpanUnion(bridging: gapTolerance)
        intervals.reserveCapacity(group.count)
        for index in group {
            let entry = entries[Int(index)]
            if !entry.isInstant {
                if let span = union.add(from: entry.start, to: entry.end) {
                    intervals.append(LeadingInterval(span: span, rank: rank))
                }
            } else if instants.last?.span.start != entry.start {
                let moment = Span(start: entry.start, end: entry.end)
                instants.append(LeadingInterval(span: moment, rank: rank))
            }
        }
        if let span = union.last { intervals.append(LeadingInterval(span: span, rank: rank)) }
    }

    /// Merges layers into one.
    ///
    /// - Parameter layers: Layers of disjoint ranges of ranks, highest priority first.
    init(overlaying layers: [PrecedenceLayer]) {
        var layers = layers
        while layers.count > 1 {
            layers = stride(from: 0, to: layers.count, by: 2).map { place in
                place + 1 < layers.count
                    ? PrecedenceLayer(layers[place], over: layers[place + 1]) : layers[place]
            }
        }
        if let merged = layers.first { self = merged }
    }

    /// Merges two layers. Every rank of `higher` has precedence over every rank of `lower`.
    private init(_ higher: PrecedenceLayer, over lower: PrecedenceLayer) {
        intervals = Self.intervals(higher.intervals, over: lower.intervals)
        instants = Self.instants(higher.instants, over: lower.instants)
    }

    /// - Complexity: O(n).
    private static func intervals(_ higher: [LeadingInterval], over lower: [LeadingInterval])
        -> [LeadingInterval]
    {
        var intervals: [LeadingInterval] = []
        intervals.reserveCapacity(higher.count + lower.count)
        var next = 0
        for covered in lower {
            var start = covered.span.start
            while next < higher.count, higher[next].span.start < covered.span.end {
                let leading = higher[next]
                if start < leading.span.start {
                    let gap = Span(start: start, end: leading.span.start)
                    intervals.append(LeadingInterval(span: gap, rank: covered.rank))
                }
                start = max(start, leading.span.end)
                // An interval that extends to the end may also cover the next lower interval.
                if leading.span.end >= covered.span.end { break }
                intervals.append(leading)
                next += 1
            }
            if start < covered.span.end {
                let rest = Span(start: start, end: covered.span.end)
                intervals.append(LeadingInterval(span: rest, rank: covered.rank))
            }
        }
        intervals += higher[next...]
        return intervals
    }

    /// - Complexity: O(n).
    private static func instants(_ higher: [LeadingInterval], over lower: [LeadingInterval])
        -> [LeadingInterval]
    {
        if higher.isEmpty { return lower }
        if lower.isEmpty { return higher }
        var instants: [LeadingInterval] = []
        instants.reserveCapacity(higher.count + lower.count)
        var next = 0
        for instant in lower {
            while next < higher.count, higher[next].span.start <= instant.span.start {
                instants.append(higher[next])
                next += 1
            }
            if instants.last?.span.start != instant.span.start { instants.append(instant) }
        }
        instants += higher[next...]
        return instants
    }
}
