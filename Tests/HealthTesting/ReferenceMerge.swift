public import HealthEngine

/// A reference implementation of the source merge.
///
/// It follows Semantics §1–§4 literally and shares no code with the engine. Time is cut wherever
/// anything changes, and for each piece all readings are searched for the one with the highest
/// priority. It takes quadratic time.
public struct ReferenceMerge {
    /// A sample that counts: its source is included, its unit is known, its start isn't after its
    /// end.
    public struct Reading {
        /// The index into the batch's samples.
        public let index: Int
        /// The index into the batch's sources.
        public let source: Int
        /// The rank of its source; 0 is the highest priority.
        public let rank: Int
        /// The start in seconds since 2001.
        public let start: Double
        /// The end in seconds since 2001, exclusive.
        public let end: Double
        /// The value in the canonical unit.
        public let value: Double
        /// The sample.
        public let sample: Sample

        var isInstant: Bool { start == end }
        var duration: Double { end - start }

        func covers(_ from: Double, _ to: Double) -> Bool { start <= from && to <= end }

        /// Returns the seconds shared with `[from, to)`.
        func overlap(_ from: Double, _ to: Double) -> Double {
            max(0, min(end, to) - max(start, from))
        }

        func touches(_ from: Double, _ to: Double) -> Bool {
            isInstant ? from <= start && start < to : overlap(from, to) > 0
        }
    }

    /// A merged interval or instant that belongs to one reading.
    public struct CountedInterval: Equatable {
        /// The index into the batch's samples.
        public let sample: Int
        /// The index into the batch's sources.
        public let source: Int
        /// The start in seconds since 2001.
        public let start: Double
        /// The end in seconds since 2001, exclusive; equal to the start for an instant.
        public let end: Double
        /// The part of the sample's value in the piece.
        public let value: Double

        /// Returns whether it is in the bucket `[from, to)`, whose edges were among the cuts.
        func isWithin(_ from: Double, _ to: Double) -> Bool {
            start == end ? from <= start && start < to : from <= start && end <= to
        }
    }

    /// The samples that count.
    public let readings: [Reading]
    /// The ranks in use, the highest priority first.
    private let ranks: [Int]
    /// The rules of the statistics.
    public let rules: StatisticsRules

    /// The end of a sample without a known end: its start for a quantity, the horizon for a
    /// category (§9.5).
    public enum OpenEnd: Sendable { case atStart, atHorizon }

    /// Creates the readings of a batch.
    ///
    /// - Parameters:
    ///   - batch: The samples.
    ///   - conversions: The conversion of each origin to the canonical unit, or nil for an unknown
    ///     unit.
    ///   - order: The source order with its exclusions.
    ///   - rules: The rules of the statistics.
    ///   - openEnd: The end of samples without a known end.
    public init(
        _ batch: SampleBatch, conversions: [UnitConversion?], order: SourceOrder,
        rules: StatisticsRules, openEnd: OpenEnd = .atStart
    ) {
        self.rules = rules
        var readings: [Reading] = []
        for (index, sample) in batch.samples.enumerated() {
            let source = Int(batch.origins[Int(sample.origin)].source)
            if order.excluded.contains(Int32(source)) { continue }
            guard let conversion = conversions[Int(sample.origin)] else { continue }
            var end = sample.end
            if sample.isUndetermined { end = openEnd == .atStart ? sample.start : rules.horizon }
            if sample.start > end { continue }
            let listed = order.ranking.firstIndex(of: Int32(source))
            readings.append(
                Reading(
                    index: index, source: source,
                    rank: listed ?? order.ranking.count + source,
                    start: sample.start, end: end, value: conversion(sample.value),
                    sample: sample))
        }
        self.readings = readings
        self.ranks = Set(readings.map(\.rank)).sorted()
    }

    /// Returns every time at which something begins or ends, and the given ones, in order.
    static func cuts(_ readings: [Reading], and others: [Double]) -> [Double] {
        var cuts: [Double] = []
        for time in (readings.map(\.start) + readings.map(\.end) + others).sorted()
        where time != cuts.last {
            cuts.append(time)
        }
        return cuts
    }

    /// Returns whether a source of this rank covers `[from, to)`, which contains no cut.
    ///
    /// Instants cover no time (§1.7), so a tolerated gap is between two intervals.
    private func has(rank: Int, _ from: Double, _ to: Double, gap tolerance: Double) -> Bool {
        var before = -Double.infinity
        var after = Double.infinity
        for reading in readings where reading.rank == rank && !reading.isInstant {
            if reading.covers(from, to) { return true }
            if reading.end <= from { before = max(before, reading.end) }
            if reading.start >= to { after = min(after, reading.start) }
        }
        return after - before < tolerance
    }

    /// Returns the highest-priority rank that covers `[from, to)`; nil if no source does.
    private func leadingRank(_ from: Double, _ to: Double, gap tolerance: Double) -> Int? {
        ranks.first { has(rank: $0, from, to, gap: tolerance) }
    }

    /// Returns the pieces of time with their sources, as short as the cuts make them (§1.3, §1.7,
    /// §1.8).
    ///
    /// - Parameter edges: Additional cuts in seconds since 2001.
    /// - Returns: The pieces: first the intervals in order of time, then the instants.
    public func pieces(cutAt edges: [Double] = []) -> [CountedInterval] {
        pieces(cutAt: edges, gap: rules.gapTolerance)
    }

    func pieces(cutAt edges: [Double], gap tolerance: Double) -> [CountedInterval] {
        var pieces: [CountedInterval] = []
        let cuts = Self.cuts(readings, and: edges)
        for (from, to) in zip(cuts, cuts.dropFirst()) {
            guard let rank = leadingRank(from, to, gap: tolerance) else { continue }
            for reading in readings
            where reading.rank == rank && !reading.isInstant && reading.covers(from, to) {
                let value = reading.value * (to - from) / reading.duration
                pieces.append(
                    CountedInterval(
                        sample: reading.index, source: reading.source, start: from, end: to,
                        value: value))
            }
        }
        for reading in readings where reading.isInstant {
            if isCovered(reading, gap: tolerance, next: cuts.first { $0 > reading.start }) {
                continue
            }
            pieces.append(
                CountedInterval(
                    sample: reading.index, source: reading.source, start: reading.start,
                    end: reading.end, value: reading.value))
        }
        return pieces
    }

    /// Returns whether a higher-priority source covers this instant or has one at the same time
    /// (§1.7).
    private func isCovered(_ instant: Reading, gap tolerance: Double, next: Double?) -> Bool {
        let hasHigherInstant = readings.contains {
            $0.rank < instant.rank && $0.isInstant && $0.start == instant.start
        }
        if hasHigherInstant { return true }
        guard let next, let best = leadingRank(instant.start, next, gap: tolerance) else {
            return false
        }
        return best < instant.rank
    }

    /// Returns the length of time that at least one of the intervals covers (§3.7).
    static func covered(_ intervals: [(start: Double, end: Double)]) -> Double {
        let cuts = (intervals.map(\.start) + intervals.map(\.end)).sorted()
        var total = 0.0
        for (from, to) in zip(cuts, cuts.dropFirst())
        where intervals.contains(where: { $0.start <= from && to <= $0.end }) {
            total += to - from
        }
        return total
    }
}

extension ReferenceMerge {
    /// Returns the timeline: adjacent pieces of a sample joined, in order of start, end and sample.
    ///
    /// - Returns: The merged intervals.
    public func mergedIntervals() -> [CountedInterval] {
        var joined: [CountedInterval] = []
        for (_, pieces) in Dictionary(grouping: pieces(), by: \.sample) {
            var open: CountedInterval?
            for piece in pieces.sorted(by: { $0.start < $1.start }) {
                if let last = open, last.end == piece.start {
                    open = CountedInterval(
                        sample: last.sample, source: last.source, start: last.start,
                        end: piece.end, value: last.value + piece.value)
                } else {
                    if let last = open { joined.append(last) }
                    open = piece
                }
            }
            if let last = open { joined.append(last) }
        }
        return joined.sorted { ($0.start, $0.end, $0.sample) < ($1.start, $1.end, $1.sample) }
    }
}

extension ResultComparison {
    /// Returns the first difference of two timelines of amounts.
    ///
    /// - Parameters:
    ///   - mine: The timeline of the reference implementation.
    ///   - theirs: The timeline of the engine.
    /// - Returns: A description; nil if the timelines are equal.
    public func difference(
        _ mine: [ReferenceMerge.CountedInterval], _ theirs: [Timeline.MergedInterval]
    )
        -> String?
    {
        let theirs = theirs.sorted { ($0.start, $0.end, $0.sample) < ($1.start, $1.end, $1.sample) }
        for (slow, fast) in zip(mine, theirs) {
            let isSame =
                slow.start == fast.start && slow.end == fast.end && slow.sample == fast.sample
                && slow.source == Int(fast.source) && isClose(slow.value, fast.value)
            if !isSame { return "interval \(fast)\n  slow  \(slow)" }
        }
        if mine.count != theirs.count {
            return "\(theirs.count) intervals, slow \(mine.count):\n  \(theirs)\n  slow \(mine)"
        }
        return nil
    }
}
