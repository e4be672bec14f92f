import Foundation
import HealthEngine

/// An interval of one stage from one source, in seconds since 2001-01-01 UTC.
struct SleepSegment: Hashable {
    var start: Double
    var end: Double
    var stage: SleepStage
    /// The source's priority, from 0 for the highest.
    var source: Int
    /// When it was saved; `-infinity` if that is unknown.
    var saved = -Double.infinity

    /// Whether this interval takes precedence over an overlapping one of the same source: it was
    /// saved later, or at the same time with a stage of higher precedence.
    func holds(over other: SleepSegment) -> Bool {
        saved != other.saved
            ? saved > other.saved : stage.precedence > other.stage.precedence
    }
}

/// The sleep records that are used, and the numbers of skipped ones.
struct SleepRecordFilter {
    /// The records that are used.
    private(set) var believed: [SleepSegment] = []
    /// Very long records of sleep that are not used, because shorter ones cover a quarter of them
    /// or more.
    private(set) var doubted: [SleepSegment] = []
    private(set) var skipped = SleepNights.Skipped()

    init(_ records: [SleepRecord], sources: Int, rules: SleepNights.Rules) {
        let horizon = rules.horizon.timeIntervalSinceReferenceDate
        believed.reserveCapacity(records.count)
        for record in records {
            if let reason = admit(record, sources: sources, horizon: horizon) {
                skipped[keyPath: reason] += 1
            }
        }
        markImplausibleSleep(from: rules.longestRecord)
    }

    /// Adds a record, or returns the reason for skipping it.
    private mutating func admit(
        _ record: SleepRecord, sources: Int, horizon: Double
    ) -> WritableKeyPath<SleepNights.Skipped, Int>? {
        guard let stage = record.stage else { return \.unknownStage }
        guard (0..<sources).contains(record.source) else { return \.unknownSource }
        let start = record.start.timeIntervalSinceReferenceDate
        var end = record.end.timeIntervalSinceReferenceDate
        guard start >= Self.firstMoment, start < Sample.undeterminedEnd, start <= end,
            end <= Sample.undeterminedEnd
        else { return \.malformed }
        if end == start { return \.instants }
        if end == Sample.undeterminedEnd { end = horizon }
        guard end > start else { return \.notBegun }
        if end - start > 86_400 { return \.overlong }
        let saved = record.saved?.timeIntervalSinceReferenceDate ?? -.infinity
        believed.append(
            SleepSegment(
                start: start, end: end, stage: stage, source: record.source,
                saved: saved.isNaN ? -.infinity : saved))
        return nil
    }

    /// The year 1: calendars need not support earlier dates.
    private static let firstMoment = Date.distantPast.timeIntervalSinceReferenceDate

    private mutating func markImplausibleSleep(from longest: Double) {
        func isLong(_ piece: SleepSegment) -> Bool {
            piece.stage.isAsleep && piece.end - piece.start >= longest
        }
        guard believed.contains(where: isLong) else { return }
        let shorter = SleepIntervalSet(believed.filter { $0.stage.isAsleep && !isLong($0) })
        let isDoubted = believed.map { piece in
            isLong(piece)
                && shorter.covered(piece.start, piece.end) * 4 >= piece.end - piece.start
        }
        doubted = zip(believed, isDoubted).filter(\.1).map(\.0)
        believed = zip(believed, isDoubted).filter { !$0.1 }.map(\.0)
    }

    /// Merges the used records into disjoint intervals in order of time. Adjacent intervals of
    /// equal stage and source are joined.
    ///
    /// The engine's timeline resolves overlaps of sources. It gets each source twice: first all
    /// sources with their stages, then all with their time in bed, which has lower priority.
    ///
    /// - Complexity: O(n log n + n · sources).
    func settled(sources: Int) -> [SleepSegment] {
        var batch = SampleBatch(
            sources: (0..<sources * 2).map { Source(name: "\($0)", bundleIdentifier: "\($0)") },
            origins: (0..<sources * 2).map { Origin(source: Int32($0)) })
        batch.samples = believed.enumerated().map { index, piece in
            let place = piece.source + (piece.stage == .inBed ? sources : 0)
            return Sample(
                type: 0, origin: Int32(place), start: piece.start, end: piece.end, value: 0,
                key: Int64(index))
        }
        let order = SourceOrder(ranking: (0..<Int32(sources * 2)).map(\.self))
        let timeline = Timeline(categories: batch, order: order)
        var sweep = SleepSweep()
        for mergedInterval in timeline.mergedIntervals {
            var piece = believed[mergedInterval.sample]
            (piece.start, piece.end) = (mergedInterval.start, mergedInterval.end)
            sweep.meet(piece)
        }
        return sweep.finished()
    }
}

/// A sweep line that resolves overlaps within one source. Intervals are added in order of start.
private struct SleepSweep {
    private var settled: [SleepSegment] = []
    /// A binary heap with the interval of highest precedence first; intervals that have ended are
    /// removed only when they are first.
    private var open: [SleepSegment] = []
    private var reached = -Double.infinity

    mutating func meet(_ piece: SleepSegment) {
        advance(to: piece.start)
        open.append(piece)
        rise()
    }

    mutating func finished() -> [SleepSegment] {
        advance(to: .infinity)
        return settled
    }

    private mutating func advance(to time: Double) {
        while reached < time, let first = open.first {
            if first.end <= reached {
                removeFirst()
            } else {
                append(first, until: min(first.end, time))
            }
        }
        reached = max(reached, time)
    }

    private mutating func append(_ piece: SleepSegment, until end: Double) {
        if let last = settled.last, last.end == reached, last.stage == piece.stage,
            last.source == piece.source
        {
            settled[settled.count - 1].end = end
        } else {
            settled.append(
                SleepSegment(start: reached, end: end, stage: piece.stage, source: piece.source))
        }
        reached = end
    }

    private mutating func rise() {
        var child = open.count - 1
        while child > 0, open[child].holds(over: open[(child - 1) / 2]) {
            open.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func removeFirst() {
        open.swapAt(0, open.count - 1)
        open.removeLast()
        var parent = 0
        while parent * 2 + 1 < open.count {
            var child = parent * 2 + 1
            if child + 1 < open.count, open[child + 1].holds(over: open[child]) { child += 1 }
            guard open[child].holds(over: open[parent]) else { return }
            open.swapAt(child, parent)
            parent = child
        }
    }
}
