public import HealthEngine

/// The source merge written the obvious way, as an oracle for the engine's fast one.
///
/// Written from Semantics §1–§4 alone and sharing no code with the engine: time is cut
/// at every moment where anything changes, and each piece looks through all readings for its
/// winner. Quadratic, and nothing here is clever.
public struct SlowMerge {
    /// A sample that takes part: included source, known unit, start not after end.
    public struct Reading {
        /// Index into the batch's samples.
        public let index: Int
        /// Index into the batch's sources.
        public let source: Int
        /// Place of its source in the order; 0 wins.
        public let rank: Int
        public let start: Double
        public let end: Double
        /// In the canonical unit.
        public let value: Double
        public let sample: Sample

        var isInstant: Bool { start == end }
        var duration: Double { end - start }

        func covers(_ from: Double, _ to: Double) -> Bool { start <= from && to <= end }

        /// Seconds shared with `[from, to)`.
        func overlap(_ from: Double, _ to: Double) -> Double {
            max(0, min(end, to) - max(start, from))
        }

        func touches(_ from: Double, _ to: Double) -> Bool {
            isInstant ? from <= start && start < to : overlap(from, to) > 0
        }
    }

    /// A stretch of time, or a moment, that one reading won.
    public struct Piece: Equatable {
        public let sample: Int
        public let source: Int
        public let start: Double
        public let end: Double
        public let value: Double

        /// Whether it lies in the bucket `[from, to)`, whose borders were among the cuts.
        func isWithin(_ from: Double, _ to: Double) -> Bool {
            start == end ? from <= start && start < to : from <= start && end <= to
        }
    }

    public let readings: [Reading]
    /// The ranks in use, best first.
    private let ranks: [Int]
    public let rules: StatisticsRules

    /// Where a sample ends that has no known end: a quantity where it starts, a category at the
    /// horizon (§9.5).
    public enum OpenEnd: Sendable { case atStart, atHorizon }

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

    /// Every moment where something begins or ends, and the given ones, in order.
    static func cuts(_ readings: [Reading], and others: [Double]) -> [Double] {
        var cuts: [Double] = []
        for time in (readings.map(\.start) + readings.map(\.end) + others).sorted()
        where time != cuts.last {
            cuts.append(time)
        }
        return cuts
    }

    /// Whether a source of this rank has the time `[from, to)`, which no cut divides.
    ///
    /// Moments cover no time (§1.7), so a gap to be tolerated lies between two intervals.
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

    /// The best rank that has the time `[from, to)`, or nil if no source has.
    private func winner(_ from: Double, _ to: Double, gap tolerance: Double) -> Int? {
        ranks.first { has(rank: $0, from, to, gap: tolerance) }
    }

    /// Who won each piece of time, pieces being as short as the cuts make them (§1.3, §1.7, §1.8).
    public func pieces(cutAt edges: [Double] = []) -> [Piece] {
        pieces(cutAt: edges, gap: rules.gapTolerance)
    }

    func pieces(cutAt edges: [Double], gap tolerance: Double) -> [Piece] {
        var pieces: [Piece] = []
        let cuts = Self.cuts(readings, and: edges)
        for (from, to) in zip(cuts, cuts.dropFirst()) {
            guard let rank = winner(from, to, gap: tolerance) else { continue }
            for reading in readings
            where reading.rank == rank && !reading.isInstant && reading.covers(from, to) {
                let value = reading.value * (to - from) / reading.duration
                pieces.append(
                    Piece(
                        sample: reading.index, source: reading.source, start: from, end: to,
                        value: value))
            }
        }
        for reading in readings where reading.isInstant {
            if isHidden(reading, gap: tolerance, next: cuts.first { $0 > reading.start }) {
                continue
            }
            pieces.append(
                Piece(
                    sample: reading.index, source: reading.source, start: reading.start,
                    end: reading.end, value: reading.value))
        }
        return pieces
    }

    /// Whether a better source covers this moment or has an instant of its own there (§1.7).
    private func isHidden(_ instant: Reading, gap tolerance: Double, next: Double?) -> Bool {
        let hasBetterInstant = readings.contains {
            $0.rank < instant.rank && $0.isInstant && $0.start == instant.start
        }
        if hasBetterInstant { return true }
        guard let next, let best = winner(instant.start, next, gap: tolerance) else { return false }
        return best < instant.rank
    }

    /// The length of time that at least one of the pieces covers (§3.7).
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
