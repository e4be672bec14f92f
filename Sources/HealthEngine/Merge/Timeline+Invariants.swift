extension Timeline {
    /// A condition that every timeline satisfies.
    public enum Invariant: String, Sendable, CaseIterable {
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
    public func checkInvariants() -> Set<Invariant> {
        Timeline.broken(in: stretches, of: merge.entries, ranks: ranks, values: values)
    }

    static func broken(
        in stretches: [Stretch], of entries: [Entry], ranks: [Int32], values: Values
    ) -> Set<Invariant> {
        var broken: Set<Invariant> = []
        if !areOrdered(stretches, ranks) { broken.insert(.ordered) }
        if !keepSourcesApart(stretches, ranks) { broken.insert(.oneSourceAtATime) }
        let owners = Dictionary(
            entries.map { (Int($0.sample), $0) }, uniquingKeysWith: { a, _ in a })
        var left = owners.mapValues { $0.value.magnitude * (1 + 1e-9) }
        for stretch in stretches {
            guard let owner = owners[stretch.sample], owner.source == stretch.source,
                owner.start <= stretch.start, stretch.start <= stretch.end, stretch.end <= owner.end
            else {
                broken.insert(.insideItsSample)
                continue
            }
            if values == .amounts { left[stretch.sample]? -= stretch.value.magnitude }
        }
        if left.values.contains(where: { $0 < 0 }) { broken.insert(.noMoreThanTheSample) }
        return broken
    }

    private static func areOrdered(_ stretches: [Stretch], _ ranks: [Int32]) -> Bool {
        zip(stretches, stretches.dropFirst()).allSatisfy { a, b in
            (a.start, ranks[Int(a.source)], a.sample) <= (b.start, ranks[Int(b.source)], b.sample)
        }
    }

    private static func keepSourcesApart(_ stretches: [Stretch], _ ranks: [Int32]) -> Bool {
        var open: Stretch?
        var instant: Stretch?
        for stretch in stretches {
            let rank = ranks[Int(stretch.source)]
            let isInstant = stretch.start == stretch.end
            if let open, stretch.start < open.end, stretch.source != open.source {
                // An instant of a higher-priority source may lie in an interval of a
                // lower-priority source.
                if !isInstant || rank > ranks[Int(open.source)] { return false }
            }
            if isInstant {
                if let instant, instant.start == stretch.start, instant.source != stretch.source {
                    return false
                }
                instant = stretch
            } else if stretch.end > (open?.end ?? -.infinity) {
                open = stretch
            }
        }
        return true
    }
}
