/// A sleep with the adjacent time in bed and awake, or a time in bed without sleep.
struct SleepEpisode {
    /// The disjoint intervals in order.
    var segments: ArraySlice<SleepSegment>
    /// The time from the start of the first interval of sleep to the end of the last one. Without
    /// sleep, the time from the first to the last of all intervals.
    var sleep: (start: Double, end: Double)
    /// The seconds asleep.
    var asleep: Double

    var middle: Double { sleep.start + (sleep.end - sleep.start) / 2 }
    var start: Double { segments.first?.start ?? sleep.start }
    var end: Double { segments.last?.end ?? sleep.end }

    private init(_ segments: ArraySlice<SleepSegment>) {
        self.segments = segments
        let asleep = segments.lazy.filter(\.stage.isAsleep)
        let bounds = asleep.isEmpty ? (segments.first, segments.last) : (asleep.first, asleep.last)
        sleep = (bounds.0?.start ?? 0, bounds.1?.end ?? 0)
        self.asleep = asleep.reduce(0) { $0 + ($1.end - $1.start) }
    }

    /// Groups intervals into sleeps and times in bed without sleep, in order. Time awake that
    /// belongs to none is left out.
    ///
    /// - Complexity: O(n) for n intervals.
    static func episodes(of segments: [SleepSegment], longestWaking limit: Double) -> [SleepEpisode]
    {
        let sleeps = sleeps(in: segments, limit)
        var episodes: [SleepEpisode] = []
        var begin = 0
        for (index, sleep) in sleeps.enumerated() {
            let next = index + 1 < sleeps.count ? sleeps[index + 1].lowerBound : segments.count
            let previous = index > 0 ? sleeps[index - 1].upperBound : 0
            let first = index > 0 ? divide(segments, previous..<sleep.lowerBound) : 0
            let last =
                index + 1 < sleeps.count
                ? divide(segments, sleep.upperBound..<next) : segments.count
            let range = grown(sleep, in: segments, within: first..<last, limit)
            episodes += beds(segments, begin..<range.lowerBound, limit)
            episodes.append(SleepEpisode(segments[range]))
            begin = range.upperBound
        }
        return episodes + beds(segments, begin..<segments.count, limit)
    }

    /// Returns the sleeps as ranges of indices, each from an interval of sleep to another.
    /// Intervals of sleep are joined if at most `limit` seconds are between them, awake, in bed or
    /// without records.
    private static func sleeps(in segments: [SleepSegment], _ limit: Double) -> [Range<Int>] {
        var sleeps: [Range<Int>] = []
        for index in segments.indices where segments[index].stage.isAsleep {
            if let last = sleeps.last,
                segments[index].start - segments[last.upperBound - 1].end <= limit
            {
                sleeps[sleeps.count - 1] = last.lowerBound..<index + 1
            } else {
                sleeps.append(index..<index + 1)
            }
        }
        return sleeps
    }

    /// Returns the index that divides the intervals between two sleeps. Earlier ones may belong to
    /// the first sleep, the others to the second. The index follows the longest gap, or the first
    /// of several equal ones.
    private static func divide(_ segments: [SleepSegment], _ between: Range<Int>) -> Int {
        var border = between.lowerBound
        var longest = -Double.infinity
        for index in between.lowerBound...between.upperBound {
            let idle = segments[index].start - segments[index - 1].end
            if idle > longest { (border, longest) = (index, idle) }
        }
        return border
    }

    private static func grown(
        _ sleep: Range<Int>, in segments: [SleepSegment], within bounds: Range<Int>, _ limit: Double
    ) -> Range<Int> {
        func belongs(_ segment: SleepSegment, idle: Double) -> Bool {
            idle <= limit && (segment.stage == .inBed || segment.end - segment.start <= limit)
        }
        var (first, end) = (sleep.lowerBound, sleep.upperBound)
        while first > bounds.lowerBound,
            belongs(segments[first - 1], idle: segments[first].start - segments[first - 1].end)
        { first -= 1 }
        while end < bounds.upperBound,
            belongs(segments[end], idle: segments[end].start - segments[end - 1].end)
        { end += 1 }
        return first..<end
    }

    /// Returns the times in bed in a range of indices that belongs to no sleep. Times in bed are
    /// joined if at most `limit` seconds are between them, awake or without records.
    private static func beds(
        _ segments: [SleepSegment], _ range: Range<Int>, _ limit: Double
    ) -> [SleepEpisode] {
        var beds: [Range<Int>] = []
        for index in range where segments[index].stage == .inBed {
            if let last = beds.last,
                segments[index].start - segments[last.upperBound - 1].end <= limit
            {
                beds[beds.count - 1] = last.lowerBound..<index + 1
            } else {
                beds.append(index..<index + 1)
            }
        }
        return beds.map { SleepEpisode(segments[$0]) }
    }
}
