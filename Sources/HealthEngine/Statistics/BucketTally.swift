/// The accumulator of one bucket.
struct BucketTally<Arithmetic: BucketArithmetic> {
    private var arithmetic = Arithmetic()
    private var touching = 0
    private var contributing = 0
    // The union of contributing time so far: the length of closed spans, and the span that can
    // still grow.
    private var closedSeconds = 0.0
    private var openStart = 0.0
    private var openEnd = 0.0
    private var recent = Entry(start: 0, end: 0, value: 0, created: 0, source: 0)

    init() {}

    /// Records a sample that extends into the bucket, whether it contributes or not.
    @inline(__always)
    mutating func touch(from: Double, to: Double) {
        let isApart = touching == 0 || from > openEnd
        closedSeconds += isApart ? openEnd - openStart : 0
        openStart = isApart ? from : openStart
        openEnd = isApart ? to : max(openEnd, to)
        touching += 1
    }

    /// Adds a part that contributes.
    @inline(__always)
    mutating func add(_ entry: Entry, _ part: BucketPart, rules: StatisticsRules) {
        arithmetic.add(entry, part, rules: rules)
        if isMoreRecent(entry) { recent = entry }
        contributing += 1
    }

    /// Returns whether an entry replaces the most recent one. Entries are in (start, key) order, so
    /// only the end and the creation date are compared.
    @inline(__always)
    private func isMoreRecent(_ entry: Entry) -> Bool {
        contributing == 0 || entry.start > recent.start || entry.end > recent.end
            || (entry.end == recent.end && entry.created >= recent.created)
    }

    /// Adds whole samples from `first` on, as long as they are inside the bucket, which ends at
    /// `high`. No two of them may have the same start.
    ///
    /// - Returns: The index of the first sample that is not added. The sample at `first` must be
    ///   inside the bucket.
    mutating func add(
        _ run: EntryRun, from first: Int, below high: Double, rules: StatisticsRules
    ) -> Int {
        // A local copy can stay in registers.
        var tally = self
        var index = first
        repeat {
            let entry = run[index]
            tally.touch(from: entry.start, to: entry.end)
            let part = BucketPart(from: entry.start, to: entry.end, seconds: entry.duration)
            tally.arithmetic.add(entry, part, rules: rules)
            index += 1
            if entry.isInstant { index = tally.addInstants(run, from: index, before: high, rules) }
        } while index < run.count && run.start[index] < high && run.end[index] <= high
        if index - first > 1 || isMoreRecent(run[first]) { tally.recent = run[index - 1] }
        tally.contributing += index - first
        self = tally
        return index
    }

    /// Adds the parts of samples that higher-priority sources do not cover, from `first` on.
    ///
    /// Stops at the first sample that is not inside the bucket, which ends at `high`.
    ///
    /// - Returns: The index of the first sample that is not added. The sample at `first` must be
    ///   inside the bucket.
    mutating func add(
        _ entries: [Entry], _ parts: [BucketPart], from first: Int, below high: Double,
        rules: StatisticsRules
    ) -> Int {
        var tally = self
        var index = first
        entries.withUnsafeBufferPointer { entries in
            parts.withUnsafeBufferPointer { parts in
                repeat {
                    let entry = entries[index]
                    tally.touch(from: entry.start, to: entry.end)
                    if !parts[index].isNothing { tally.add(entry, parts[index], rules: rules) }
                    index += 1
                } while index < entries.count && entries[index].end <= high
                    && entries[index].start < high
            }
        }
        self = tally
        return index
    }

    /// Adds instants that follow an instant. Each touches the bucket and covers no time.
    @inline(__always)
    private mutating func addInstants(
        _ run: EntryRun, from first: Int, before end: Double, _ rules: StatisticsRules
    ) -> Int {
        // An instant inside a longer sample must not change the open span. It is added by the
        // general method.
        guard first < run.count, run.start[first] > openEnd else { return first }
        let index = arithmetic.addInstants(run, from: first, before: end, rules: rules)
        guard index > first else { return first }
        touch(from: run.start[first], to: run.start[first])
        (openStart, openEnd) = (run.start[index - 1], run.start[index - 1])
        touching += index - first - 1
        return index
    }

    /// Returns the results of the bucket.
    func values() -> Statistics.Values {
        var values = Statistics.Values(count: touching)
        values.duration = closedSeconds + (openEnd - openStart)
        guard contributing > 0 else {
            arithmetic.writeNothing(into: &values)
            return values
        }
        arithmetic.write(into: &values)
        values.mostRecent = recent.value
        values.mostRecentStart = recent.start
        values.mostRecentEnd = recent.recordedEnd
        return values
    }
}

/// The accumulators of the populated buckets.
///
/// Samples are added in order of start. Each touches adjacent buckets, and no earlier sample
/// started later. So the buckets from the current sample's first one on are stored without gaps.
struct PopulatedBuckets<Arithmetic: BucketArithmetic> {
    private(set) var buckets: [Int] = []
    private(set) var tallies: [BucketTally<Arithmetic>] = []
    /// The position of the current sample's first bucket in `buckets`, or where it will be
    /// inserted.
    private var place = 0

    init() {}

    /// Advances to the first bucket of the current sample. It is never before that of the previous
    /// sample.
    @inline(__always)
    private mutating func seek(_ first: Int) {
        while place < buckets.count && buckets[place] < first { place += 1 }
    }

    /// Returns the index in `tallies` of a bucket that the current sample touches, and creates the
    /// bucket if needed.
    @inline(__always)
    private mutating func place(of bucket: Int, _ first: Int) -> Int {
        let place = place + (bucket - first)
        if place == buckets.count {
            buckets.append(bucket)
            tallies.append(BucketTally())
        }
        return place
    }

    /// Calls `body` with the accumulator of the cursor's bucket.
    @inline(__always)
    mutating func withBucket<Value>(
        at cursor: BucketCursor, _ body: (inout BucketTally<Arithmetic>) -> Value
    ) -> Value {
        seek(cursor.first)
        let place = place(of: cursor.first, cursor.first)
        return body(&tallies[place])
    }

    /// Adds a sample that counts whole.
    @inline(__always)
    mutating func add(_ entry: Entry, at cursor: BucketCursor, _ rules: StatisticsRules) {
        seek(cursor.first)
        cursor.spread(entry) { bucket, low, high in
            let place = place(of: bucket, cursor.first)
            tallies[place].touch(from: low, to: high)
            let part = BucketPart(from: low, to: high, seconds: high - low)
            tallies[place].add(entry, part, rules: rules)
        }
    }

    /// Adds a sample that keeps only some pieces of its time, or none.
    mutating func add(
        _ entry: Entry, keeping pieces: UnsafeBufferPointer<Span>, at cursor: BucketCursor,
        _ rules: StatisticsRules
    ) {
        seek(cursor.first)
        var next = pieces.startIndex
        cursor.spread(entry) { bucket, low, high in
            let place = place(of: bucket, cursor.first)
            tallies[place].touch(from: low, to: high)
            var part = BucketPart(from: low, to: low, seconds: 0)
            while next < pieces.endIndex && pieces[next].start < high {
                part.extend(from: max(pieces[next].start, low), to: min(pieces[next].end, high))
                if pieces[next].end > high { break }
                next += 1
            }
            if part.seconds > 0 { tallies[place].add(entry, part, rules: rules) }
        }
    }
}
