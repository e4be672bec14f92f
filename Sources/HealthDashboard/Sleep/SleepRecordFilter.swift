import Foundation
import HealthEngine

/// An interval of one stage from one source, in seconds since 2001-01-01 UTC.
struct SleepSegment: Hashable {
    var start: Double
    var end: Double
    var stage: SleepStage
    /// The source's priority, from 0 for the highest.
    var source: Int
    /// When the record was saved, in seconds since 2001-01-01 UTC; `-infinity` if that is unknown.
    var saved = -Double.infinity

    /// Whether this interval takes precedence over an overlapping one of the same source. It does
    /// if it was saved later, or at the same time with a stage of higher precedence.
    func takesPrecedence(over other: SleepSegment) -> Bool {
        saved != other.saved
            ? saved > other.saved : stage.precedence > other.stage.precedence
    }
}

/// The sleep records that are used, and the numbers of skipped ones.
struct SleepRecordFilter {
    /// The records that are used.
    private(set) var accepted: [SleepSegment] = []
    /// Records of sleep of ``SleepNights/Rules/longestRecord`` or longer that are not used, because
    /// shorter records of sleep cover a quarter of them or more.
    private(set) var implausible: [SleepSegment] = []
    private(set) var skipped = SleepNights.Skipped()

    init(_ records: [SleepRecord], sources: Int, rules: SleepNights.Rules) {
        let horizon = rules.horizon.timeIntervalSinceReferenceDate
        accepted.reserveCapacity(records.count)
        for record in records {
            if let reason = accept(record, sources: sources, horizon: horizon) {
                skipped[keyPath: reason] += 1
            }
        }
        markImplausibleSleep(from: rules.longestRecord)
    }

    /// Adds a record, or returns the reason for skipping it.
    private mutating func accept(
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
        accepted.append(
            SleepSegment(
                start: start, end: end, stage: stage, source: record.source,
                saved: saved.isNaN ? -.infinity : saved))
        return nil
    }

    /// The year 1: calendars need not support earlier dates.
    private static let firstMoment = Date.distantPast.timeIntervalSinceReferenceDate

    private mutating func markImplausibleSleep(from longest: Double) {
        func isLong(_ segment: SleepSegment) -> Bool {
            segment.stage.isAsleep && segment.end - segment.start >= longest
        }
        guard accepted.contains(where: isLong) else { return }
        let shorter = SleepIntervalSet(accepted.filter { $0.stage.isAsleep && !isLong($0) })
        let isImplausible = accepted.map { segment in
            isLong(segment)
                && shorter.covered(segment.start, segment.end) * 4 >= segment.end - segment.start
        }
        implausible = zip(accepted, isImplausible).filter(\.1).map(\.0)
        accepted = zip(accepted, isImplausible).filter { !$0.1 }.map(\.0)
    }

    /// Merges the used records into disjoint intervals in order of time. Adjacent intervals of
    /// equal stage and source are joined.
    ///
    /// The engine's timeline resolves overlaps of sources. It gets each source twice: first all
    /// sources with their stages, then all with their time in bed, which has lower priority.
    ///
    /// - Complexity: O(n log n + n · sources).
    func mergedSegments(sources: Int) -> [SleepSegment] {
        var batch = SampleBatch(
            sources: (0..<sources * 2).map { Source(name: "\($0)", bundleIdentifier: "\($0)") },
            origins: (0..<sources * 2).map { Origin(source: Int32($0)) })
        batch.samples = accepted.enumerated().map { index, segment in
            let place = segment.source + (segment.stage == .inBed ? sources : 0)
            return Sample(
                type: 0, origin: Int32(place), start: segment.start, end: segment.end, value: 0,
                key: Int64(index))
        }
        let order = SourceOrder(ranking: (0..<Int32(sources * 2)).map(\.self))
        let timeline = Timeline(categories: batch, order: order)
        var sweep = SleepSweep()
        for mergedInterval in timeline.mergedIntervals {
            var segment = accepted[mergedInterval.sample]
            (segment.start, segment.end) = (mergedInterval.start, mergedInterval.end)
            sweep.add(segment)
        }
        return sweep.finished()
    }
}

/// A sweep line that resolves overlaps within one source. Intervals are added in order of start.
private struct SleepSweep {
    private var merged: [SleepSegment] = []
    /// A binary heap with the interval of highest precedence first; intervals that have ended are
    /// removed only when they are first.
    private var open: [SleepSegment] = []
    private var reached = -Double.infinity

    mutating func add(_ segment: SleepSegment) {
        advance(to: segment.start)
        open.append(segment)
        siftUp()
    }

    mutating func finished() -> [SleepSegment] {
        advance(to: .infinity)
        return merged
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

    private mutating func append(_ segment: SleepSegment, until end: Double) {
        if let last = merged.last, last.end == reached, last.stage == segment.stage,
            last.source == segment.source
        {
            merged[merged.count - 1].end = end
        } else {
            merged.append(
                SleepSegment(start: reached, end: end, stage: segment.stage, source: segment.source)
            )
        }
        reached = end
    }

    private mutating func siftUp() {
        var child = open.count - 1
        while child > 0, open[child].takesPrecedence(over: open[(child - 1) / 2]) {
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
            if child + 1 < open.count, open[child + 1].takesPrecedence(over: open[child]) {
                child += 1
            }
            guard open[child].takesPrecedence(over: open[parent]) else { return }
            open.swapAt(child, parent)
            parent = child
        }
    }
}
