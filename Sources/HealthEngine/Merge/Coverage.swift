/// The union of the time covered by a set of source ranks, and the times of their instants.
struct Coverage {
    /// Disjoint covered intervals in ascending order.
    var spans: [Span] = []
    /// The times of instants in ascending order. A time can occur twice if two ranks have an
    /// instant there.
    var instants: [Double] = []

    /// Adds the samples of one rank.
    ///
    /// - Parameters:
    ///   - group: Indices into `entries`, in (start, key) order.
    ///   - gapTolerance: Gaps shorter than this between two of the samples count as covered, in
    ///     seconds.
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

    /// Returns the union of spans in order of start. Spans that overlap, touch or leave less than
    /// `gap` seconds between them are joined.
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

    /// Merges two sorted arrays. Equal elements of `a` come first.
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
