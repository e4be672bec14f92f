/// The accumulator of the statistics of one bucket.
struct BucketTally<Arithmetic: BucketArithmetic> {
    private var arithmetic = Arithmetic()
    private var overlapCount = 0
    private var contributingCount = 0
    // The union of the time of all samples that touch the bucket: the length of the spans that are
    // complete, and the last span, which later samples can extend. Without a gap tolerance, this
    // is also the union of the time that contributes.
    private var closedSeconds = 0.0
    private var openStart = 0.0
    private var openEnd = 0.0
    private var recent = MergeEntry(start: 0, end: 0, value: 0, created: 0, source: 0)

    init() {}

    /// Records a sample that extends into the bucket, whether it contributes or not.
    @inline(__always)
    mutating func addOverlap(from: Double, to: Double) {
        let isDisjoint = overlapCount == 0 || from > openEnd
        closedSeconds += isDisjoint ? openEnd - openStart : 0
        openStart = isDisjoint ? from : openStart
        openEnd = isDisjoint ? to : max(openEnd, to)
        overlapCount += 1
    }

    /// Adds a part that contributes.
    @inline(__always)
    mutating func add(_ entry: MergeEntry, _ part: BucketPart, rules: StatisticsRules) {
        arithmetic.add(entry, part, rules: rules)
        if isMoreRecent(entry) { recent = entry }
        contributingCount += 1
    }

    /// Returns whether an entry replaces the most recent one. The later start decides, then the
    /// later end, then the later creation date, then the order in which entries are added, which is
    /// that of their keys.
    @inline(__always)
    private func isMoreRecent(_ entry: MergeEntry) -> Bool {
        contributingCount == 0 || entry.start > recent.start || entry.end > recent.end
            || (entry.end == recent.end && entry.created >= recent.created)
    }

    /// Adds whole samples from `first` up to the first one that is not inside the bucket. No two
    /// samples may have the same start.
    ///
    /// - Parameters:
    ///   - run: The samples.
    ///   - first: The index of the first sample to add, which must be inside the bucket.
    ///   - high: The end of the bucket (exclusive), in reference seconds.
    ///   - rules: Options for the calculation.
    /// - Returns: The index of the first sample that is not added.
    mutating func add(
        _ run: EntryRun, from first: Int, below high: Double, rules: StatisticsRules
    ) -> Int {
        // The compiler can keep a local copy in registers.
        var tally = self
        var index = first
        repeat {
            let entry = run[index]
            tally.addOverlap(from: entry.start, to: entry.end)
            let part = BucketPart(from: entry.start, to: entry.end, seconds: entry.duration)
            tally.arithmetic.add(entry, part, rules: rules)
            index += 1
            if entry.isInstant { index = tally.addInstants(run, from: index, before: high, rules) }
        } while index < run.count && run.start[index] < high && run.end[index] <= high
        if index - first > 1 || isMoreRecent(run[first]) { tally.recent = run[index - 1] }
        tally.contributingCount += index - first
        self = tally
        return index
    }

    /// Adds the kept parts of samples from `first` up to the first sample that is not inside the
    /// bucket. A sample of which nothing is kept only touches the bucket.
    ///
    /// - Parameters:
    ///   - entries: The samples.
    ///   - parts: The part of each sample that higher-priority sources do not cover.
    ///   - first: The index of the first sample to add, which must be inside the bucket.
    ///   - high: The end of the bucket (exclusive), in reference seconds.
    ///   - rules: Options for the calculation.
    /// - Returns: The index of the first sample that is not added.
    mutating func add(
        _ entries: [MergeEntry], _ parts: [BucketPart], from first: Int, below high: Double,
        rules: StatisticsRules
    ) -> Int {
        var tally = self
        var index = first
        entries.withUnsafeBufferPointer { entries in
            parts.withUnsafeBufferPointer { parts in
                repeat {
                    let entry = entries[index]
                    tally.addOverlap(from: entry.start, to: entry.end)
                    if !parts[index].isNothing { tally.add(entry, parts[index], rules: rules) }
                    index += 1
                } while index < entries.count && entries[index].end <= high
                    && entries[index].start < high
            }
        }
        self = tally
        return index
    }

    /// Adds the instants from `first` up to the first sample that is not an instant or not before
    /// `end`. The sample before them must be an instant.
    ///
    /// - Returns: The index of the first sample that is not added.
    @inline(__always)
    private mutating func addInstants(
        _ run: EntryRun, from first: Int, before end: Double, _ rules: StatisticsRules
    ) -> Int {
        // An instant inside a longer sample must not change the open span, so the caller adds it
        // like a sample with a duration.
        guard first < run.count, run.start[first] > openEnd else { return first }
        let index = arithmetic.addInstants(run, from: first, before: end, rules: rules)
        guard index > first else { return first }
        addOverlap(from: run.start[first], to: run.start[first])
        (openStart, openEnd) = (run.start[index - 1], run.start[index - 1])
        overlapCount += index - first - 1
        return index
    }

    /// Returns the statistics of the bucket.
    func values() -> Statistics.Values {
        var values = Statistics.Values(count: overlapCount)
        values.duration = closedSeconds + (openEnd - openStart)
        guard contributingCount > 0 else {
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

extension BucketTally<ProRataSum> {
    /// Adds the kept parts of samples from `first` up to the first sample that is not inside the
    /// bucket. A sample of which nothing is kept only touches the bucket.
    ///
    /// - Parameters:
    ///   - columns: The samples.
    ///   - kept: The part of each sample that higher-priority sources do not cover.
    ///   - first: The index of the first sample to add, which must be inside the bucket.
    ///   - high: The end of the bucket (exclusive), in reference seconds.
    /// - Returns: The index of the first sample that is not added.
    mutating func add(
        _ columns: MergeColumns, keptBy kept: KeptTime, from first: Int, below high: Double
    ) -> Int {
        var tally = self
        tally.addOverlap(from: columns.start[first], to: columns.end[first])
        tally.arithmetic.add(kept.amounts[first])
        var index = first + 1
        columns.withAmounts { start, end, _ in
            kept.amounts.withUnsafeBufferPointer { amounts in
                while index < start.count && end[index] <= high && start[index] < high {
                    tally.extendOverlap(from: start[index], to: end[index])
                    tally.arithmetic.add(amounts[index])
                    index &+= 1
                }
            }
        }
        tally.overlapCount += index - first - 1
        self = tally
        addRecent(of: columns, kept.seconds, first..<index)
        return index
    }

    /// Does the same as ``addOverlap(from:to:)`` after the first sample, except for the count.
    ///
    /// Without branches, because processors cannot predict them here. The compiler needs a
    /// comparison of its own for each choice.
    @inline(__always)
    private mutating func extendOverlap(from: Double, to: Double) {
        let start = from > openEnd ? from : openStart
        closedSeconds += (start > openStart ? openEnd : openStart) - openStart
        openStart = start
        openEnd = openEnd > to ? openEnd : to
    }

    /// Updates the most recent sample with those of a range that contribute.
    private mutating func addRecent(
        of columns: MergeColumns, _ seconds: [Double], _ range: Range<Int>
    ) {
        guard let last = range.last(where: { seconds[$0] >= 0 }) else { return }
        // A later start decides, so that only the samples with the last start are compared.
        var first = last
        while first > range.lowerBound, columns.start[first - 1] == columns.start[last] {
            first -= 1
        }
        for index in first...last where seconds[index] >= 0 {
            let entry = columns[index]
            if isMoreRecent(entry) { recent = entry }
            contributingCount += 1
        }
    }
}

/// The accumulators of the populated buckets.
///
/// Samples are added in order of start, and each sample touches adjacent buckets. So the stored
/// buckets from the first bucket of the current sample on are adjacent too.
struct PopulatedBuckets<Arithmetic: BucketArithmetic> {
    private(set) var buckets: [Int] = []
    private(set) var tallies: [BucketTally<Arithmetic>] = []
    /// The position of the current sample's first bucket in `buckets`, or where it will be
    /// inserted.
    private var position = 0

    init() {}

    /// Advances `position` to the first bucket of the current sample, which is never before that of
    /// the previous sample.
    @inline(__always)
    private mutating func seek(_ first: Int) {
        while position < buckets.count && buckets[position] < first { position += 1 }
    }

    /// Returns the index in `tallies` of a bucket that the current sample touches, and creates the
    /// bucket if needed.
    @inline(__always)
    private mutating func position(of bucket: Int, _ first: Int) -> Int {
        let position = position + (bucket - first)
        if position == buckets.count {
            buckets.append(bucket)
            tallies.append(BucketTally())
        }
        return position
    }

    /// Calls `body` with the accumulator of the current sample's first bucket.
    @inline(__always)
    mutating func withBucket<Value>(
        at cursor: BucketCursor, _ body: (inout BucketTally<Arithmetic>) -> Value
    ) -> Value {
        seek(cursor.first)
        let position = position(of: cursor.first, cursor.first)
        return body(&tallies[position])
    }

    /// Adds a sample that counts whole to all buckets that it touches.
    @inline(__always)
    mutating func add(_ entry: MergeEntry, at cursor: BucketCursor, _ rules: StatisticsRules) {
        seek(cursor.first)
        cursor.forEachBucket(of: entry) { bucket, low, high in
            let position = position(of: bucket, cursor.first)
            tallies[position].addOverlap(from: low, to: high)
            let part = BucketPart(from: low, to: high, seconds: high - low)
            tallies[position].add(entry, part, rules: rules)
        }
    }

    /// Adds a sample of which only some pieces of time count, or none, to all buckets that it
    /// touches.
    mutating func add(
        _ entry: MergeEntry, keeping pieces: UnsafeBufferPointer<Span>, at cursor: BucketCursor,
        _ rules: StatisticsRules
    ) {
        seek(cursor.first)
        var next = pieces.startIndex
        cursor.forEachBucket(of: entry) { bucket, low, high in
            let position = position(of: bucket, cursor.first)
            tallies[position].addOverlap(from: low, to: high)
            var part = BucketPart(from: low, to: low, seconds: 0)
            while next < pieces.endIndex && pieces[next].start < high {
                part.extend(from: max(pieces[next].start, low), to: min(pieces[next].end, high))
                if pieces[next].end > high { break }
                next += 1
            }
            if part.seconds > 0 { tallies[position].add(entry, part, rules: rules) }
        }
    }
}
