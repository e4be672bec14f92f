/// A sleep with the adjacent time in bed and awake, or a time in bed without sleep.
struct SleepEpisode {
    /// The disjoint intervals in order.
    var pieces: ArraySlice<SleepSegment>
    /// From the first to the last interval of sleep; without sleep, from the first to the last
    /// interval.
    var sleep: (start: Double, end: Double)
    /// The seconds asleep.
    var asleep: Double

    var middle: Double { sleep.start + (sleep.end - sleep.start) / 2 }
    var start: Double { pieces.first?.start ?? sleep.start }
    var end: Double { pieces.last?.end ?? sleep.end }

    private init(_ pieces: ArraySlice<SleepSegment>) {
        self.pieces = pieces
        let asleep = pieces.lazy.filter(\.stage.isAsleep)
        let bounds = asleep.isEmpty ? (pieces.first, pieces.last) : (asleep.first, asleep.last)
        sleep = (bounds.0?.start ?? 0, bounds.1?.end ?? 0)
        self.asleep = asleep.reduce(0) { $0 + ($1.end - $1.start) }
    }

    /// Groups intervals into sleeps and times in bed without sleep, in order. Time awake that
    /// belongs to none is left out.
    ///
    /// - Complexity: O(n) for n intervals.
    static func episodes(of pieces: [SleepSegment], longestWaking limit: Double) -> [SleepEpisode] {
        let sleeps = sleeps(in: pieces, limit)
        var episodes: [SleepEpisode] = []
        var begin = 0
        for (index, sleep) in sleeps.enumerated() {
            let next = index + 1 < sleeps.count ? sleeps[index + 1].lowerBound : pieces.count
            let previous = index > 0 ? sleeps[index - 1].upperBound : 0
            let first = index > 0 ? divide(pieces, previous..<sleep.lowerBound) : 0
            let last =
                index + 1 < sleeps.count ? divide(pieces, sleep.upperBound..<next) : pieces.count
            let rest = grown(sleep, in: pieces, within: first..<last, limit)
            episodes += beds(pieces, begin..<rest.lowerBound, limit)
            episodes.append(SleepEpisode(pieces[rest]))
            begin = rest.upperBound
        }
        return episodes + beds(pieces, begin..<pieces.count, limit)
    }

    /// Joins sleep with gaps of at most `limit` seconds, including time awake and in bed. Each
    /// range of indices starts and ends with an interval of sleep.
    private static func sleeps(in pieces: [SleepSegment], _ limit: Double) -> [Range<Int>] {
        var sleeps: [Range<Int>] = []
        for index in pieces.indices where pieces[index].stage.isAsleep {
            if let last = sleeps.last,
                pieces[index].start - pieces[last.upperBound - 1].end <= limit
            {
                sleeps[sleeps.count - 1] = last.lowerBound..<index + 1
            } else {
                sleeps.append(index..<index + 1)
            }
        }
        return sleeps
    }

    /// Returns the index at which the intervals between two sleeps are divided: after the longest
    /// gap, the first of equal ones.
    private static func divide(_ pieces: [SleepSegment], _ between: Range<Int>) -> Int {
        var border = between.lowerBound
        var longest = -Double.infinity
        for index in between.lowerBound...between.upperBound {
            let idle = pieces[index].start - pieces[index - 1].end
            if idle > longest { (border, longest) = (index, idle) }
        }
        return border
    }

    private static func grown(
        _ sleep: Range<Int>, in pieces: [SleepSegment], within bounds: Range<Int>, _ limit: Double
    ) -> Range<Int> {
        func belongs(_ piece: SleepSegment, idle: Double) -> Bool {
            idle <= limit && (piece.stage == .inBed || piece.end - piece.start <= limit)
        }
        var (first, end) = (sleep.lowerBound, sleep.upperBound)
        while first > bounds.lowerBound,
            belongs(pieces[first - 1], idle: pieces[first].start - pieces[first - 1].end)
        { first -= 1 }
        while end < bounds.upperBound,
            belongs(pieces[end], idle: pieces[end].start - pieces[end - 1].end)
        { end += 1 }
        return first..<end
    }

    /// Joins times in bed that belong to no sleep, with gaps or time awake of at most `limit`
    /// seconds between them.
    private static func beds(
        _ pieces: [SleepSegment], _ range: Range<Int>, _ limit: Double
    ) -> [SleepEpisode] {
        var beds: [Range<Int>] = []
        for index in range where pieces[index].stage == .inBed {
            if let last = beds.last,
                pieces[index].start - pieces[last.upperBound - 1].end <= limit
            {
                beds[beds.count - 1] = last.lowerBound..<index + 1
            } else {
                beds.append(index..<index + 1)
            }
        }
        return beds.map { SleepEpisode(pieces[$0]) }
    }
}
