/// Carries samples, in (start, key) order, into the buckets between `edges`.
struct BucketSweep<Arithmetic: BucketArithmetic> {
    private(set) var merged = PopulatedBuckets<Arithmetic>()
    /// By source index; empty unless per-source values are wanted.
    private(set) var bySource: [PopulatedBuckets<Arithmetic>]
    private let edges: [Double]
    private let rules: StatisticsRules
    /// The bucket that holds the current sample's start, or the first one if it starts earlier.
    private var first = 0

    /// - Parameter edges: At least two, strictly ascending.
    init(edges: [Double], sources: Int, rules: StatisticsRules) {
        self.edges = edges
        self.rules = rules
        bySource = []
        if rules.separation == .bySource {
            bySource = [PopulatedBuckets<Arithmetic>](repeating: PopulatedBuckets(), count: sources)
        }
    }

    private var bucketCount: Int { edges.count - 1 }

    /// Adds a sample that counts whole.
    @inline(__always)
    mutating func add(_ entry: Entry) {
        guard turn(to: entry) else { return }
        merged.seek(first)
        BucketSweep.spread(entry, edges, from: first) { bucket, offset, low, high in
            let place = merged.place(of: bucket, offset: offset)
            merged.touch(place, from: low, to: high)
            let part = BucketPart(from: low, to: high, seconds: high - low)
            merged.add(entry, part, at: place, rules: rules)
        }
        if !bySource.isEmpty { addToSource(entry) }
    }

    /// Adds a sample that keeps only some pieces of its time, or none.
    mutating func add(_ entry: Entry, keeping pieces: UnsafeBufferPointer<Span>) {
        guard turn(to: entry) else { return }
        merged.seek(first)
        var next = pieces.startIndex
        BucketSweep.spread(entry, edges, from: first) { bucket, offset, low, high in
            let place = merged.place(of: bucket, offset: offset)
            merged.touch(place, from: low, to: high)
            var part = BucketPart(from: low, to: low, seconds: 0)
            while next < pieces.endIndex && pieces[next].start < high {
                let from = max(pieces[next].start, low)
                let to = min(pieces[next].end, high)
                if to > from {
                    if part.seconds == 0 { part.from = from }
                    part.to = to
                    part.seconds += to - from
                }
                if pieces[next].end > high { break }
                next += 1
            }
            if part.seconds > 0 { merged.add(entry, part, at: place, rules: rules) }
        }
        if !bySource.isEmpty { addToSource(entry) }
    }

    /// Adds neighbouring samples that count whole.
    mutating func add(_ run: EntryRun) {
        guard bySource.isEmpty, run.haveStartsOfTheirOwn else {
            for index in 0..<run.count { add(run[index]) }
            return
        }
        var index = 0
        while index < run.count {
            let entry = run[index]
            if turn(to: entry), entry.start >= edges[first], entry.end <= edges[first + 1] {
                merged.seek(first)
                let place = merged.place(of: first, offset: 0)
                index = merged.add(run, from: index, below: edges[first + 1], at: place, rules)
            } else {
                add(entry)
                index += 1
            }
        }
    }

    /// Adds what higher ranks leave of samples in (start, key) order.
    mutating func add(_ entries: [Entry], leftBy higher: HigherCoverage) {
        let parts = higher.parts(of: entries)
        var pieces: [Span] = []
        var index = 0
        while index < entries.count {
            let entry = entries[index]
            if bySource.isEmpty, turn(to: entry), entry.start >= edges[first],
                entry.end <= edges[first + 1]
            {
                merged.seek(first)
                let place = merged.place(of: first, offset: 0)
                index = merged.add(
                    entries, parts, from: index, below: edges[first + 1], at: place, rules)
                continue
            }
            higher.pieces(of: entry, into: &pieces)
            if pieces.count == 1, entry.isInstant {
                add(entry)
            } else {
                pieces.withUnsafeBufferPointer { add(entry, keeping: $0) }
            }
            index += 1
        }
    }

    private mutating func addToSource(_ entry: Entry) {
        let source = Int(entry.source)
        bySource[source].seek(first)
        BucketSweep.spread(entry, edges, from: first) { bucket, offset, low, high in
            let place = bySource[source].place(of: bucket, offset: offset)
            bySource[source].touch(place, from: low, to: high)
            let part = BucketPart(from: low, to: high, seconds: high - low)
            bySource[source].add(entry, part, at: place, rules: rules)
        }
    }

    /// Moves on to the bucket of the sample's start; false if it touches no bucket.
    @inline(__always)
    private mutating func turn(to entry: Entry) -> Bool {
        while first < bucketCount && edges[first + 1] <= entry.start { first += 1 }
        if first == bucketCount { return false }
        return entry.isInstant ? entry.start >= edges[0] : entry.end > edges[0]
    }

    /// Calls `body` with every bucket the sample touches and the clipped time.
    @inline(__always)
    private static func spread(
        _ entry: Entry, _ edges: [Double], from first: Int,
        _ body: (_ bucket: Int, _ offset: Int, _ low: Double, _ high: Double) -> Void
    ) {
        if entry.isInstant { return body(first, 0, entry.start, entry.start) }
        var bucket = first
        while bucket < edges.count - 1 && edges[bucket] < entry.end {
            body(
                bucket, bucket - first, max(entry.start, edges[bucket]),
                min(entry.end, edges[bucket + 1]))
            bucket += 1
        }
    }
}
