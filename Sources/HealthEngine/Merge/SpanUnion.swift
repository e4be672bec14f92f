/// A half-open interval of time, in reference seconds.
struct Span: Hashable, Sendable {
    var start: Double
    var end: Double
}

/// The union of intervals that are added in order of their start. Intervals that overlap, touch or
/// leave less than a tolerated gap between them are joined.
///
/// ```swift
/// var union = SpanUnion(bridging: 1)
/// union.add(from: 0, to: 4)    // nil
/// union.add(from: 4.5, to: 6)  // nil: the gap of 0.5 seconds is bridged
/// union.add(from: 9, to: 10)   // 0..<6
/// union.last                   // 9..<10
/// ```
struct SpanUnion {
    private let gap: Double
    private var open = Span(start: -.infinity, end: -.infinity)

    /// - Parameter gap: Intervals with a gap shorter than this between them are joined, in seconds.
    init(bridging gap: Double) {
        self.gap = gap
    }

    /// Adds an interval.
    ///
    /// - Parameters:
    ///   - start: The start, at or after that of the interval added before.
    ///   - end: The end (exclusive).
    /// - Returns: The preceding interval of the union, if the added interval is not joined to it;
    ///   nil if it is joined or is the first one.
    @inline(__always)
    mutating func add(from start: Double, to end: Double) -> Span? {
        if start <= open.end || start - open.end < gap {
            if end > open.end { open.end = end }
            return nil
        }
        let preceding = last
        open = Span(start: start, end: end)
        return preceding
    }

    /// The last interval of the union; nil if nothing was added.
    var last: Span? { open.start > -.infinity ? open : nil }
}
