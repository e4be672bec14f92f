extension SampleBatch {
    /// The statistics of a category type in the buckets between neighbouring edges.
    ///
    /// At each moment only the highest-ranked source with a covering sample counts; instants follow
    /// Semantics §1.7. Inside a source the time of each value is a union, and different
    /// values may overlap. Only buckets that a sample of an included source touches come back.
    ///
    /// Samples whose raw value is not whole, or whose times are nonsensical, are passed over;
    /// ``Timeline/init(categories:order:rules:)`` counts them.
    ///
    /// - Parameter edges: Bucket borders in reference seconds, strictly ascending; n + 1 for n
    ///   buckets. May begin and end at infinity. Any other list gives no bucket.
    /// - Complexity: O(n · sources + edges + touched buckets + won pieces) for a batch in order.
    public func categoryStatistics(
        over edges: [Double], order: SourceOrder, rules: StatisticsRules = .init()
    ) -> [CategoryStatistics] {
        guard edges.areBucketBorders else { return [] }
        let admission = Admission(self, reading: .categories, order: order, rules: rules)
        let entries = entries(admission).entries
        let merge = SourceMerge(entries, ranks: admission.ranks, gapTolerance: rules.gapTolerance)
        let merged = merge.categoryTallies(over: edges)
        var statistics: [Int: CategoryStatistics] = [:]
        for (bucket, tally) in merged {
            statistics[bucket] = CategoryStatistics(
                start: edges[bucket], end: edges[bucket + 1], merged: tally.values,
                bySource: rules.separation == .bySource ? [:] : nil)
        }
        if rules.separation == .bySource {
            for (source, own) in Dictionary(grouping: entries, by: \.source) {
                let alone = SourceMerge(own, ranks: admission.ranks, gapTolerance: 0)
                for (bucket, tally) in alone.categoryTallies(over: edges) {
                    statistics[bucket]?.bySource?[source] = tally.values
                }
            }
        }
        return statistics.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// The running numbers of one bucket of a category type.
private struct CategoryTally {
    private struct Track: Hashable {
        var source: Int32
        var value: Int
    }

    private(set) var values = CategoryStatistics.Values()
    /// How far the time of a source and value is counted already. Samples come in order of start,
    /// so that everything before it is.
    private var counted: [Track: Double] = [:]

    mutating func touch() { values.count += 1 }

    /// Adds the kept pieces of a sample, all inside the bucket.
    mutating func add(_ entry: Entry, _ pieces: some Sequence<Span>, upTo high: Double) {
        let value = Int(clamping: entry.value)
        let track = Track(source: entry.source, value: value)
        let known = counted[track] ?? -.infinity
        var seconds = 0.0
        for piece in pieces where piece.end > known {
            seconds += piece.end - max(piece.start, known)
        }
        values.seconds[value, default: 0] += seconds
        values.counts[value, default: 0] += 1
        if !entry.isInstant { counted[track] = max(known, high) }
    }
}

extension SourceMerge {
    /// The tallies of the buckets that samples touch, by index of the bucket.
    fileprivate func categoryTallies(over edges: [Double]) -> [Int: CategoryTally] {
        var tallies: [Int: CategoryTally] = [:]
        var first = 0
        for (index, entry) in entries.enumerated() {
            while first < edges.count - 1 && edges[first + 1] <= entry.start { first += 1 }
            if first == edges.count - 1 { break }
            let whole = [Span(start: entry.start, end: entry.end)]
            var rest = won[index].isEverything ? whole[...] : pieces[won[index].range]
            if entry.isInstant {
                if entry.start < edges[0] { continue }
                tallies[first, default: CategoryTally()].touch()
                if !rest.isEmpty { tallies[first]?.add(entry, rest, upTo: entry.end) }
                continue
            }
            var bucket = first
            while bucket < edges.count - 1 && edges[bucket] < entry.end && entry.end > edges[0] {
                let (low, high) = (edges[bucket], edges[bucket + 1])
                tallies[bucket, default: CategoryTally()].touch()
                rest = rest.drop { $0.end <= low }
                let inside = rest.prefix { $0.start < high }.map {
                    Span(start: max($0.start, low), end: min($0.end, high))
                }
                if !inside.isEmpty {
                    tallies[bucket]?.add(entry, inside, upTo: min(entry.end, high))
                }
                bucket += 1
            }
        }
        return tallies
    }
}
