public import HealthEngine

extension ReferenceMerge {
    /// Returns the seconds of each value, where a time belongs to its highest-priority source
    /// (§1.3c, §3.7).
    ///
    /// Different values of one source may overlap and each count; equal ones count once.
    ///
    /// - Parameter edges: The edges of the buckets in seconds since 2001, ascending.
    /// - Returns: The buckets with data.
    public func categories(over edges: [Double]) -> [CategoryStatistics] {
        let pieces = self.pieces(cutAt: edges)
        var buckets: [CategoryStatistics] = []
        for (from, to) in zip(edges, edges.dropFirst()) {
            let present = readings.filter { $0.touches(from, to) }
            if present.isEmpty { continue }
            let leading = pieces.filter { $0.isWithin(from, to) }.map {
                (sample: $0.sample, start: $0.start, end: $0.end)
            }
            var bucket = CategoryStatistics(
                start: from, end: to, merged: values(leading, of: present), bySource: [:])
            for source in Set(present.map(\.source)) {
                let own = present.filter { $0.source == source }
                let whole = own.map {
                    (sample: $0.index, start: max($0.start, from), end: min($0.end, to))
                }
                bucket.bySource?[Int32(source)] = values(whole, of: own)
            }
            buckets.append(bucket)
        }
        return buckets
    }

    private func values(
        _ mergedIntervals: [(sample: Int, start: Double, end: Double)], of present: [Reading]
    ) -> CategoryStatistics.Values {
        var values = CategoryStatistics.Values()
        values.count = present.count
        for value in Set(present.map(\.value)) {
            let samples = present.filter { $0.value == value }.map(\.index)
            let mine = mergedIntervals.filter { samples.contains($0.sample) }
            if mine.isEmpty { continue }
            values.seconds[Int(value)] = Self.covered(mine.map { ($0.start, $0.end) })
            values.counts[Int(value)] = Set(mine.map(\.sample)).count
        }
        return values
    }
}

extension ResultComparison {
    /// Returns the first difference of two lists of category buckets.
    ///
    /// - Parameters:
    ///   - mine: The buckets of the reference implementation.
    ///   - theirs: The buckets of the engine.
    /// - Returns: A description; nil if the lists are equal.
    public func difference(_ mine: [CategoryStatistics], _ theirs: [CategoryStatistics]) -> String?
    {
        if mine.map(\.start) != theirs.map(\.start) || mine.map(\.end) != theirs.map(\.end) {
            return "buckets \(theirs.map(\.start)), slow \(mine.map(\.start))"
        }
        for (slow, fast) in zip(mine, theirs) {
            let isSame =
                areClose(slow.merged, fast.merged)
                && slow.bySource?.keys.sorted() == fast.bySource?.keys.sorted()
                && (slow.bySource ?? [:]).allSatisfy { source, values in
                    fast.bySource?[source].map { areClose(values, $0) } ?? false
                }
            if !isSame { return "\(fast)\n  slow \(slow)" }
        }
        return nil
    }

    private func areClose(_ a: CategoryStatistics.Values, _ b: CategoryStatistics.Values) -> Bool {
        a.count == b.count && a.counts == b.counts
            && a.seconds.keys.sorted() == b.seconds.keys.sorted()
            && a.seconds.allSatisfy { isClose($0.value, b.seconds[$0.key]) }
    }
}
