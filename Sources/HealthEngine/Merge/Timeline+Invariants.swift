extension Timeline {
    /// A condition that every timeline satisfies.
    package enum Invariant: String, Sendable, CaseIterable {
        /// Merged intervals are in order of start, then rank, then sample.
        case ordered
        /// A merged interval lies within its sample's time and has the source of its sample.
        case insideItsSample
        /// Merged intervals of different sources do not overlap, except that an instant can lie in
        /// an interval of a lower-priority source. All instants at one time have the same source.
        case oneSourceAtATime
        /// The merged intervals of a sample add up to at most its amount, with a relative tolerance
        /// of 1e-9. Not checked for readings.
        case noMoreThanTheSample
    }

    /// Returns the invariants that do not hold.
    ///
    /// - Returns: An empty set, unless the merge has a defect.
    /// - Complexity: O(samples + merged intervals).
    package func checkInvariants() -> Set<Invariant> {
        Timeline.violatedInvariants(
            in: mergedIntervals, of: merge.entries, ranks: ranks, values: values)
    }

    static func violatedInvariants(
        in mergedIntervals: [MergedInterval], of entries: [MergeEntry], ranks: [Int32],
        values: Values
    ) -> Set<Invariant> {
        var violated: Set<Invariant> = []
        if !areOrdered(mergedIntervals, ranks) { violated.insert(.ordered) }
        if !areSourcesDisjoint(mergedIntervals, ranks) { violated.insert(.oneSourceAtATime) }
        let owners = Dictionary(
            entries.map { (Int($0.sample), $0) }, uniquingKeysWith: { a, _ in a })
        var remaining = owners.mapValues { $0.value.magnitude * (1 + 1e-9) }
        for mergedInterval in mergedIntervals {
            guard let owner = owners[mergedInterval.sample], owner.source == mergedInterval.source,
                owner.start <= mergedInterval.start, mergedInterval.start <= mergedInterval.end,
                mergedInterval.end <= owner.end
            else {
                violated.insert(.insideItsSample)
                continue
            }
            if values == .amounts {
                remaining[mergedInterval.sample]? -= mergedInterval.value.magnitude
            }
        }
        if remaining.values.contains(where: { $0 < 0 }) { violated.insert(.noMoreThanTheSample) }
        return violated
    }

    private static func areOrdered(_ mergedIntervals: [MergedInterval], _ ranks: [Int32]) -> Bool {
        zip(mergedIntervals, mergedIntervals.dropFirst()).allSatisfy { a, b in
            (a.start, ranks[Int(a.source)], a.sample) <= (b.start, ranks[Int(b.source)], b.sample)
        }
    }

    private static func areSourcesDisjoint(_ mergedIntervals: [MergedInterval], _ ranks: [Int32])
        -> Bool
    {
        var open: MergedInterval?
        var instant: MergedInterval?
        for mergedInterval in mergedIntervals {
            let rank = ranks[Int(mergedInterval.source)]
            let isInstant = mergedInterval.start == mergedInterval.end
            if let open, mergedInterval.start < open.end, mergedInterval.source != open.source {
                // An instant of a higher-priority source may lie in an interval of a
                // lower-priority source.
                if !isInstant || rank > ranks[Int(open.source)] { return false }
            }
            if isInstant {
                if let instant, instant.start == mergedInterval.start,
                    instant.source != mergedInterval.source
                {
                    return false
                }
                instant = mergedInterval
            } else if mergedInterval.end > (open?.end ?? -.infinity) {
                open = mergedInterval
            }
        }
        return true
    }
}
