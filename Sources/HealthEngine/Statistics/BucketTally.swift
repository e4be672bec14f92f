/// The running numbers of one bucket.
struct BucketTally<Arithmetic: BucketArithmetic> {
    private var arithmetic = Arithmetic()
    private var touching = 0
    private var contributing = 0
    // The union of time so far: closed spans, and the one that may still grow.
    private var closedSeconds = 0.0
    private var openStart = 0.0
    private var openEnd = 0.0
    private var recent = Entry(start: 0, end: 0, value: 0, created: 0, source: 0)

    init() {}

    /// Notes a sample that reaches into the bucket, whether it counts there or not.
    @inline(__always)
    mutating func touch(from: Double, to: Double) {
        let isApart = touching == 0 || from > openEnd
        closedSeconds += isApart ? openEnd - openStart : 0
        openStart = isApart ? from : openStart
        openEnd = isApart ? to : max(openEnd, to)
        touching += 1
    }

    /// Adds a part that counts.
    @inline(__always)
    mutating func add(_ entry: Entry, _ part: BucketPart, rules: StatisticsRules) {
        arithmetic.add(entry, part, rules: rules)
        if isMoreRecent(entry) { recent = entry }
        contributing += 1
    }

    /// Entries come by start and key, so only end and time of saving are left to compare.
    @inline(__always)
    private func isMoreRecent(_ entry: Entry) -> Bool {
        contributing == 0 || entry.start > recent.start || entry.end > recent.end
            || (entry.end == recent.end && entry.created >= recent.created)
    }

    /// Adds whole samples from `first` on, none of which begins with another, as long as they lie
    /// inside the bucket, which ends at `high`.
    ///
    /// - Returns: The index of the first sample that doesn't; the one at `first` must.
    mutating func add(
        _ run: EntryRun, from first: Int, below high: Double, rules: StatisticsRules
    ) -> Int {
        // A copy that nobody else can see stays in registers.
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

    /// Adds what higher ranks leave of samples from `first` on, as long as they lie inside the bucket,
    /// which ends at `high`.
    ///
    /// - Returns: The index of the first sample that doesn't; the one at `first` must.
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

    /// Adds instants that follow an instant: each touches the bucket and covers no time.
    @inline(__always)
    private mutating func addInstants(
        _ run: EntryRun, from first: Int, before end: Double, _ rules: StatisticsRules
    ) -> Int {
        // One under a longer sample's time covers none of it either; the long way knows.
        guard first < run.count, run.start[first] > openEnd else { return first }
        let index = arithmetic.addInstants(run, from: first, before: end, rules: rules)
        guard index > first else { return first }
        touch(from: run.start[first], to: run.start[first])
        (openStart, openEnd) = (run.start[index - 1], run.start[index - 1])
        touching += index - first - 1
        return index
    }

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

/// The tallies of the buckets that samples touch, and of no other.
///
/// Samples come in order of start. Each touches a run of neighbouring buckets, and no earlier one
/// began later, so the buckets held from the current sample's first one on have no holes.
struct PopulatedBuckets<Arithmetic: BucketArithmetic> {
    private(set) var buckets: [Int] = []
    private(set) var tallies: [BucketTally<Arithmetic>] = []
    private var cursor = 0

    init() {}

    /// Turns to a sample whose first bucket is `first`, never less than before.
    @inline(__always)
    mutating func seek(_ first: Int) {
        while cursor < buckets.count && buckets[cursor] < first { cursor += 1 }
    }

    /// The place in `tallies` of the bucket `offset` behind the sample's first one.
    @inline(__always)
    mutating func place(of bucket: Int, offset: Int) -> Int {
        let place = cursor + offset
        if place == buckets.count {
            buckets.append(bucket)
            tallies.append(BucketTally())
        }
        return place
    }

    @inline(__always)
    mutating func touch(_ place: Int, from: Double, to: Double) {
        tallies[place].touch(from: from, to: to)
    }

    /// Adds what higher ranks leave of samples inside one bucket; the answer is where they end.
    @inline(__always)
    mutating func add(
        _ entries: [Entry], _ parts: [BucketPart], from first: Int, below high: Double,
        at place: Int, _ rules: StatisticsRules
    ) -> Int {
        tallies[place].add(entries, parts, from: first, below: high, rules: rules)
    }

    /// Adds a run of whole samples inside one bucket; the answer is where it ends.
    @inline(__always)
    mutating func add(
        _ run: EntryRun, from first: Int, below high: Double, at place: Int,
        _ rules: StatisticsRules
    ) -> Int {
        tallies[place].add(run, from: first, below: high, rules: rules)
    }

    @inline(__always)
    mutating func add(_ entry: Entry, _ part: BucketPart, at place: Int, rules: StatisticsRules) {
        tallies[place].add(entry, part, rules: rules)
    }
}
