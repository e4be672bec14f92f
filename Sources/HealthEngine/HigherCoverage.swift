/// The time that higher ranks have taken, seen from each source: it says of one sample after another
/// what they leave to it (healthkit-semantics §1.3 to §1.8).
///
/// ```
/// watch  ▕████████▏     ▕██████▏
/// phone      ▕████████████████▏      keeps  ▕█████▏ between the two
/// ```
///
/// Ranks are settled from the top down against the union of all higher ranks, so that a sample
/// meets only the spans it overlaps.
struct HigherCoverage {
    /// Those of each rank one after another, disjoint and in order inside each.
    private let spans: [Span]
    private let instants: [Double]
    /// Where the spans and instants above each source stand.
    private let views: [View]

    fileprivate struct View {
        var nextSpan = 0
        var spansEnd = 0
        var nextInstant = 0
        var instantsEnd = 0
    }

    /// - Parameter gapTolerance: How near samples of a source must be to cover the gap between them.
    /// - Complexity: O(n · ranks present).
    init(_ entries: [Entry], ranks: [Int32], gapTolerance: Double) {
        let groups = RankGroups(entries, ranks: ranks)
        var spans: [Span] = []
        var instants: [Double] = []
        var views = [View](repeating: View(), count: ranks.count)
        var higher = Coverage()
        for place in 0..<groups.count {
            let view = View(
                nextSpan: spans.count, spansEnd: spans.count + higher.spans.count,
                nextInstant: instants.count, instantsEnd: instants.count + higher.instants.count)
            spans += higher.spans
            instants += higher.instants
            if let first = groups[place].first { views[Int(entries[Int(first)].source)] = view }
            if place + 1 < groups.count {
                higher.add(groups[place], of: entries, gapTolerance: gapTolerance)
            }
        }
        (self.spans, self.instants, self.views) = (spans, instants, views)
    }

    /// Calls `body` with something that says what each of the entries, asked for in their order, keeps.
    func withCursor(_ body: (inout Cursor) -> Void) {
        var views = views
        spans.withUnsafeBufferPointer { spans in
            instants.withUnsafeBufferPointer { instants in
                views.withUnsafeMutableBufferPointer { views in
                    var cursor = Cursor(spans: spans, instants: instants, views: views)
                    body(&cursor)
                }
            }
        }
    }

    struct Cursor {
        private let spans: UnsafeBufferPointer<Span>
        private let instants: UnsafeBufferPointer<Double>
        private let views: UnsafeMutableBufferPointer<View>

        fileprivate init(
            spans: UnsafeBufferPointer<Span>, instants: UnsafeBufferPointer<Double>,
            views: UnsafeMutableBufferPointer<View>
        ) {
            self.spans = spans
            self.instants = instants
            self.views = views
        }

        /// What a sample keeps, as its part in a bucket that holds all of it; nil if it keeps nothing.
        @inline(__always)
        mutating func part(of entry: Entry) -> BucketPart? {
            let source = Int(entry.source)
            var span = advance(source, to: entry)
            let end = views[source].spansEnd
            var part = BucketPart(from: entry.start, to: entry.start, seconds: 0)
            if entry.isInstant { return isTaken(entry, source, span) ? nil : part }
            var cursor = entry.start
            while span < end && spans[span].start < entry.end {
                part.extend(from: cursor, to: spans[span].start)
                cursor = spans[span].end
                span += 1
            }
            part.extend(from: cursor, to: entry.end)
            return part.seconds > 0 ? part : nil
        }

        /// What a sample keeps, piece by piece; an instant keeps itself.
        mutating func pieces(of entry: Entry, into pieces: inout [Span]) {
            pieces.removeAll(keepingCapacity: true)
            let source = Int(entry.source)
            var span = advance(source, to: entry)
            if entry.isInstant {
                if !isTaken(entry, source, span) {
                    pieces.append(Span(start: entry.start, end: entry.end))
                }
                return
            }
            var cursor = entry.start
            while span < views[source].spansEnd && spans[span].start < entry.end {
                if cursor < spans[span].start {
                    pieces.append(Span(start: cursor, end: spans[span].start))
                }
                cursor = spans[span].end
                span += 1
            }
            if cursor < entry.end { pieces.append(Span(start: cursor, end: entry.end)) }
        }

        /// The first span that ends after the sample's start.
        @inline(__always)
        private mutating func advance(_ source: Int, to entry: Entry) -> Int {
            var span = views[source].nextSpan
            while span < views[source].spansEnd && spans[span].end <= entry.start { span += 1 }
            views[source].nextSpan = span
            return span
        }

        /// Whether a higher rank covers an instant, or has one at the same moment.
        private mutating func isTaken(_ entry: Entry, _ source: Int, _ span: Int) -> Bool {
            var instant = views[source].nextInstant
            let end = views[source].instantsEnd
            while instant < end && instants[instant] < entry.start { instant += 1 }
            views[source].nextInstant = instant
            if instant < end && instants[instant] == entry.start { return true }
            return span < views[source].spansEnd && spans[span].start <= entry.start
        }
    }
}
